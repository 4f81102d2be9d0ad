"""Luz, clause by clause: each test says which clause it holds."""

from __future__ import annotations

import itertools
import json
import random
import re

import pytest

from overtrick.errors import IllegalMove, InvalidRecord
from overtrick.games import load
from rules.setting import (
    PLAIN,
    after_bets,
    assert_refused,
    bet_in_turn,
    cards,
    finish_deal,
    luz,
    luz_deal,
    play_deal,
    refusal,
    say,
    trick,
)

MIXED = luz_deal(
    "R1-3 Y1-2 G4-5 B1 P1-2", "R4-6 G1-3 B4-5 P9-10", "R7-8 Y8-9 G9 B6-7 P3-5", "Y3-7 B8-10 P6-7"
)


def cards_shown(thing: object) -> set[str]:
    return set(re.findall(r'"([RYGBP]\d+)"', json.dumps(thing)))


# the deck and the table


def test_five_colours_make_the_deck() -> None:
    """L-1"""
    deal = load("luz", players=5).random_deal(random.Random(1))
    assert {card[0] for hand in deal["hands"] for card in hand} == set("RYGBP")
    with pytest.raises(InvalidRecord):
        luz().deal({"hands": [["W1", *cards("R2-10")], *PLAIN["hands"][1:]]})


def test_yellow_is_always_trump() -> None:
    """L-1"""
    deal = luz_deal("R10", "Y1", "G10", "B10")
    deal["hands"][1] = cards("Y1 G1-5 B1-4")
    deal["hands"][0], deal["hands"][2], deal["hands"][3] = (
        cards("R1-10"),
        cards("G6-10 P1-5"),
        cards("B5-10 P6-9"),
    )
    end = say(after_bets(deal), *trick("R10", "Y1", "G10", "B10"))
    assert end.state()["tricks"] == [0, 1, 0, 0]


def test_colours_of_every_card_show_to_everybody() -> None:
    """L-1"""
    position = luz().deal(MIXED)
    for viewer in (None, 0, 1, 2, 3):
        shown = [
            [card.get("suit") or card["card"][0] for card in hand]
            for hand in position.view(viewer).to_json()["hands"]
        ]
        assert shown == [sorted((card[0] for card in hand), key="RYGBP".index) for hand in MIXED["hands"]]


@pytest.mark.parametrize(("players", "top"), [(3, 8), (4, 10), (5, 12)])
def test_deck_has_ten_cards_more_than_are_dealt(players: int, top: int) -> None:
    """L-2"""
    game = load("luz", players=players)
    dealt: set[str] = set()
    for seed in range(40):
        deal = game.random_deal(random.Random(seed))
        hands = [card for hand in deal["hands"] for card in hand]
        assert len(hands) == len(set(hands)) == 10 * players
        dealt |= set(hands)
    assert len(dealt) == 10 * players + 10
    assert dealt == {f"{colour}{value}" for colour in "RYGBP" for value in range(1, top + 1)}


@pytest.mark.parametrize(("players", "card"), [(3, "R9"), (4, "Y11"), (5, "P13"), (4, "G0")])
def test_card_that_is_not_in_the_deck_in_use_is_refused(players: int, card: str) -> None:
    """L-2"""
    deal = load("luz", players=players).random_deal(random.Random(3))
    deal["hands"][1][0] = card
    with pytest.raises(InvalidRecord, match=card):
        luz(players).deal(deal)


def test_bet_beads_do_not_run_out_by_default() -> None:
    """L-3"""
    position = luz().deal(PLAIN)
    for _ in range(4):
        assert "bet:10+" in position.legal_moves()
        assert position.view(0).to_json()["beads_left"] is None
        position = position.play("bet:10+")


def test_bet_may_not_take_more_beads_than_are_left_where_they_are_limited() -> None:
    """L-3"""
    position = say(luz(bead_supply=15).deal(PLAIN), "bet:10")
    assert position.view(2).to_json()["beads_left"] == 5
    assert position.legal_moves() == sorted(
        f"bet:{beads}{safety}" for beads in range(6) for safety in ("", "+")
    )
    assert_refused(position, "bet:6", "L-3")
    position = say(position, "bet:5+")
    assert position.legal_moves() == ["bet:0", "bet:0+"]
    assert_refused(position, "bet:1", "L-3")
    assert say(position, "bet:0+", "bet:0").state()["bets"] == ["10", "5+", "0+", "0"]


def test_beads_come_back_for_the_next_deal() -> None:
    """L-3"""
    position = finish_deal(say(luz(bead_supply=15).deal(PLAIN), "bet:10", "bet:5", "bet:0", "bet:0")).deal(
        PLAIN
    )
    assert position.view(None).to_json()["beads_left"] == 15
    assert "bet:10+" in position.legal_moves()


def test_safety_beads_are_enough_for_everybody_whatever_is_left_of_the_others() -> None:
    """L-3"""
    position = say(
        luz(5, bead_supply=15).deal(luz_deal(*[""] * 5)), "bet:10+", "bet:5+", "bet:0+", "bet:0+", "bet:0+"
    )
    assert position.phase == "play"


def test_one_player_holds_the_sign_and_everybody_sees_who() -> None:
    """L-4"""
    for dealer in range(4):
        position = luz(dealer=dealer).deal(PLAIN)
        assert {position.view(viewer).to_json()["first"] for viewer in (None, 0, 1, 2, 3)} == {
            (dealer + 1) % 4
        }


# a game and its deals


def test_game_is_four_deals_of_ten_tricks() -> None:
    """L-5"""
    position = luz()
    for number in range(1, 5):
        assert position.needs_deal
        assert not position.over
        position = say(position.deal(PLAIN), *["bet:0"] * 4)
        assert position.state()["deal"] == number
        for _ in range(40):
            position = position.play(position.legal_moves()[0])
        assert sum(position.state()["tricks"]) == 10
    assert position.over
    assert not position.needs_deal


def test_any_seat_may_deal_first_and_no_other() -> None:
    """L-5"""
    assert [luz(5, dealer=dealer).state()["first"] for dealer in range(5)] == [1, 2, 3, 4, 0]
    for dealer in (-1, 5):
        with pytest.raises(InvalidRecord, match="dealer"):
            load("luz", players=5, dealer=dealer)


@pytest.mark.parametrize("size", [0, 9, 11])
def test_hand_has_ten_cards(size: int) -> None:
    """L-6"""
    deal = {"hands": [cards("R1-10 P1-10")[:size], *PLAIN["hands"][1:]]}
    with pytest.raises(InvalidRecord, match=r"10.*\(L-6\)"):
        luz().deal(deal)


def test_cards_set_aside_show_to_nobody_in_the_whole_deal() -> None:
    """L-6, L-10"""
    position = luz().deal(PLAIN)
    aside = set(cards("P1-10"))
    while position.to_act is not None:
        for viewer in (None, 0, 1, 2, 3):
            assert not aside & cards_shown(position.view(viewer).to_json())
        position = position.play(position.legal_moves()[-1])


def test_hand_is_sorted_by_colour_then_from_low_to_high() -> None:
    """L-7"""
    deal = {"hands": [cards("P3 P1 B7 G10 G2 Y5 Y4 R9 R10 R1"), *luz_deal("P1 P3", "", "", "")["hands"][1:]]}
    deal["hands"] = [deal["hands"][0], cards("R2-8 Y1-3"), cards("Y6-10 G1 G3-6"), cards("G7-9 B1-6 B8")]
    seen = luz().deal(deal).view(1).to_json()["hands"][0]
    assert [card["card"] for card in seen] == cards("R1 R9-10 Y4-5 G2 G10 B7 P1 P3")
    assert [card["place"] for card in seen] == list(range(1, 11))


def test_sign_moves_one_seat_left_each_deal() -> None:
    """L-8"""
    position = luz(dealer=2)
    firsts = []
    for _ in range(4):
        position = position.deal(PLAIN)
        assert position.to_act == position.state()["first"]
        firsts.append(position.state()["first"])
        position = finish_deal(say(position, *["bet:0"] * 4))
    assert firsts == [3, 0, 1, 2]


def test_player_sees_colours_and_order_of_the_own_hand_and_every_card_of_the_others() -> None:
    """L-9"""
    position = luz().deal(MIXED)
    for seat in range(4):
        hands = position.view(seat).to_json()["hands"]
        assert [set(card) for card in hands[seat]] == [{"place", "suit"}] * 10
        for other in set(range(4)) - {seat}:
            assert {card["card"] for card in hands[other]} == set(MIXED["hands"][other])
            assert [set(card) for card in hands[other]] == [{"place", "card"}] * 10


def test_onlooker_sees_colours_only() -> None:
    """L-9"""
    assert cards_shown(luz().deal(MIXED).view(None).to_json()) == set()


def test_what_was_played_face_up_stays_known() -> None:
    """L-10"""
    position = say(after_bets(PLAIN), *trick("R4", "Y2", "G9", "B1", "Y7", "G1"))
    for viewer in (None, 0, 1, 2, 3):
        view = position.view(viewer).to_json()
        assert view["played"] == [
            [{"place": 4, "card": "R4"}],
            [{"place": 2, "card": "Y2"}, {"place": 7, "card": "Y7"}],
            [{"place": 1, "card": "G1"}, {"place": 9, "card": "G9"}],
            [{"place": 1, "card": "B1"}],
        ]
        assert view["last_trick"] == {"leader": 0, "cards": ["R4", "Y2", "G9", "B1"], "winner": 1}


def test_last_trick_is_forgotten_when_the_next_deal_begins() -> None:
    """L-10"""
    position = finish_deal(after_bets(PLAIN))
    assert position.view(0).to_json()["last_trick"] is not None
    view = position.deal(PLAIN).view(0).to_json()
    assert view["last_trick"] is None
    assert view["played"] == [[], [], [], []]


# bets


def test_each_player_bets_once_clockwise_from_the_first() -> None:
    """L-11"""
    position = luz(dealer=1).deal(PLAIN)
    turns = []
    while position.phase == "bet":
        turns.append(position.to_act)
        position = position.play("bet:1")
    assert turns == [2, 3, 0, 1]


def test_bet_is_nought_to_ten_beads_and_nought_or_one_safety_bead() -> None:
    """L-11"""
    position = luz().deal(PLAIN)
    assert position.legal_moves() == sorted(
        f"bet:{beads}{safety}" for beads in range(11) for safety in ("", "+")
    )
    for bet in ("bet:11", "bet:-1", "bet:3++", "bet:", "bet:+", "bet:1.5", "bet:03", "bet:٣"):
        refusal(position, bet)
    assert_refused(position, "bet:11", "L-11")


def test_earlier_bets_are_visible_to_all() -> None:
    """L-11"""
    position = say(luz().deal(PLAIN), "bet:3+", "bet:0")
    for viewer in (None, 0, 1, 2, 3):
        assert position.view(viewer).to_json()["bets"] == ["3+", "0", None, None]


def test_no_card_is_played_before_all_have_bet_and_no_bet_made_after() -> None:
    """L-11"""
    position = luz().deal(PLAIN)
    assert_refused(position, "play:R1", "L-11")
    assert_refused(say(position, *["bet:0"] * 4), "bet:3", "L-11, L-14")


@pytest.mark.parametrize(
    ("taken", "bet", "won"),
    [
        *[(10, "10", True), (10, "9", False), (10, "10+", True), (10, "9+", True), (10, "8+", False)],
        *[(0, "0", True), (0, "1", False), (0, "0+", True), (0, "1+", False)],
    ],
)
def test_bet_is_won_with_its_number_of_tricks_or_with_safety_one_more(
    taken: int, bet: str, won: bool
) -> None:
    """L-12"""
    seat = 1 if taken == 10 else 0
    end = finish_deal(bet_in_turn(luz().deal(PLAIN), {**dict.fromkeys(range(4), "5"), seat: bet}))
    assert end.state()["tricks"][seat] == taken
    assert (end.state()["scores"][seat] > 0) == won


def test_bets_may_add_up_to_ten() -> None:
    """L-13"""
    position = say(luz().deal(PLAIN), "bet:3", "bet:3", "bet:2")
    assert "bet:2" in position.legal_moves()
    assert position.play("bet:2").phase == "play"


# tricks


def test_first_player_leads_and_then_the_winner_of_each_trick() -> None:
    """L-14"""
    position = after_bets(PLAIN, dealer=1)
    assert (position.to_act, position.state()["leader"]) == (2, 2)
    position = say(position, *trick("G1", "B1", "R1", "Y1"))
    assert (position.to_act, position.state()["leader"]) == (1, 1)


def test_leader_may_play_any_card() -> None:
    """L-15"""
    position = after_bets(MIXED)
    assert position.legal_moves() == sorted(f"play:{card}" for card in MIXED["hands"][0])


def test_colour_led_is_the_required_one() -> None:
    """L-15"""
    position = say(after_bets(MIXED), "play:G4")
    assert position.legal_moves() == ["play:G1", "play:G2", "play:G3"]


def test_must_follow_colour_even_with_trumps_in_hand() -> None:
    """L-16"""
    position = say(after_bets(MIXED), "play:R3", "play:R4")
    assert position.legal_moves() == ["play:R7", "play:R8"]
    assert_refused(position, "play:Y9", "L-16")
    assert_refused(position, "play:G9", "L-16")


def test_may_play_any_card_when_void_in_the_colour_led() -> None:
    """L-16"""
    position = say(after_bets(MIXED), "play:R3", "play:R4", "play:R7")
    assert position.legal_moves() == sorted(f"play:{card}" for card in MIXED["hands"][3])


def test_card_not_held_is_refused_whoever_holds_it() -> None:
    """L-16"""
    position = say(after_bets(MIXED), "play:R3")
    for card in ("R7", "R3", "P8", "R10"):  # another's, played, set aside, set aside
        refusal(position, f"play:{card}")


def test_refusal_to_follow_can_be_told_without_seeing_values() -> None:
    """L-16"""
    view = say(after_bets(MIXED), "play:R3").view(1)
    assert view.legal == ("play:#1", "play:#2", "play:#3")
    reason = view.why_not("play:#4")
    assert isinstance(reason, IllegalMove)
    assert reason.clause == "L-16"
    assert view.why_not("play:#1") is None


def test_seat_names_its_cards_by_place() -> None:
    """L-17"""
    position = after_bets(MIXED)
    assert position.view(0).legal == tuple(sorted(f"play:#{place}" for place in range(1, 11)))
    hand = cards("R1-3 Y1-2 G4-5 B1 P1-2")
    assert [position.record_move(0, f"play:#{place}") for place in range(1, 11)] == [
        f"play:{c}" for c in hand
    ]


def test_places_stay_as_dealt_while_cards_go() -> None:
    """L-17"""
    position = say(after_bets(PLAIN), *trick("R1", "Y1", "G1", "B1", "Y3", "G2", "B2"))
    assert position.record_move(0, "play:#10") == "play:R10"
    assert [card["place"] for card in position.view(0).to_json()["hands"][0]] == list(range(2, 11))
    with pytest.raises(IllegalMove):
        position.record_move(0, "play:#1")


def test_seat_can_not_ask_for_a_card_by_its_value() -> None:
    """L-17"""
    position = after_bets(MIXED)
    sentences = set()
    for card in ("R1", "R9", "P10", "Y10"):  # held, set aside, another's, set aside
        with pytest.raises(IllegalMove) as caught:
            position.record_move(0, f"play:{card}")
        sentences.add(str(caught.value).replace(card, "?"))
        reason = position.view(0).why_not(f"play:{card}")
        sentences.add(str(reason).replace(card, "?"))
    assert len(sentences) == 1


@pytest.mark.parametrize(
    "said", ["play:#0", "play:#11", "play:#-1", "play:#", "play:#1.0", "play:#01", "play:#١", "#1"]
)
def test_place_that_is_not_one_of_ten_is_refused(said: str) -> None:
    """L-17"""
    with pytest.raises(IllegalMove):
        after_bets(MIXED).record_move(0, said)


def test_value_is_revealed_as_the_card_is_played_and_not_before() -> None:
    """L-17"""
    position = after_bets(MIXED)
    assert not {"R1", "R2", "R3"} & cards_shown(position.view(0).to_json())
    after = position.play("play:R2").view(0).to_json()
    assert cards_shown(after["hands"][0]) == set()
    assert after["trick"] == ["R2"]
    assert after["played"][0] == [{"place": 2, "card": "R2"}]
    assert not {"R1", "R3"} & cards_shown(after)


@pytest.mark.parametrize(
    ("played", "winner"),
    [
        (["R3", "R4", "R7", "B8"], 2),  # the highest of the colour led; another colour never wins
        (["R3", "R4", "R7", "Y3"], 3),  # the lowest trump beats them all
        (["B1", "B4", "B7", "B10"], 3),
        (["Y2", "G3", "Y8", "Y7"], 2),  # trump led: the highest trump
        (["P2", "P10", "P3", "P6"], 1),
    ],
)
def test_highest_trump_wins_or_else_the_highest_card_of_the_colour_led(
    played: list[str], winner: int
) -> None:
    """L-18"""
    end = say(after_bets(MIXED), *trick(*played))
    assert end.view(None).to_json()["last_trick"] == {"leader": 0, "cards": played, "winner": winner}


def test_later_higher_trump_beats_an_earlier_one() -> None:
    """L-18"""
    deal = {"hands": [cards("R1-10"), cards("Y1-3 G1-7"), cards("Y8-10 B1-7"), cards("Y4-7 P1-6")]}
    assert say(after_bets(deal), *trick("R10", "Y3", "Y8", "Y7")).state()["tricks"] == [0, 0, 1, 0]


def test_trick_counts_are_visible_to_all() -> None:
    """L-19"""
    position = say(after_bets(PLAIN), *trick("R1", "Y1", "G1", "B1", "Y2", "G2", "B2", "R2"))
    for viewer in (None, 0, 1, 2, 3):
        assert position.view(viewer).to_json()["tricks"] == [0, 2, 0, 0]


def test_deal_ends_when_the_hands_are_empty() -> None:
    """L-20"""
    position = after_bets(PLAIN)
    for played in range(40):
        assert not position.needs_deal
        assert sum(len(hand) for hand in position.state()["hands"]) == 40 - played
        position = position.play(position.legal_moves()[0])
    assert position.needs_deal
    assert position.to_act is None
    assert position.legal_moves() == []
    with pytest.raises(IllegalMove):
        position.play("play:R1")


# scores


def test_bets_won_are_worth_more_each_deal_and_half_with_safety() -> None:
    """L-21"""
    position = luz()
    for _ in range(4):
        bets = {0: "0", 1: "10+", 2: "0+", 3: "1"}
        position = finish_deal(bet_in_turn(position.deal(PLAIN), bets))
    assert position.view(None).to_json()["by_deal"] == [
        [10, 5, 5, -5],
        [20, 10, 10, -5],
        [30, 15, 15, -5],
        [40, 20, 20, -5],
    ]


@pytest.mark.parametrize(
    ("seat", "bet", "points"),
    [
        *[(1, "7+", -15), (1, "8+", -10), (1, "9+", 5), (1, "10+", 5), (1, "9", -5), (1, "0", -50)],
        *[(1, "0+", -50), (0, "1+", -5), (0, "3+", -15), (0, "10", -50)],
    ],
)
def test_lost_bet_costs_five_for_each_trick_off_the_bet_beads_safety_or_not(
    seat: int, bet: str, points: int
) -> None:
    """L-22"""
    bets = {**dict.fromkeys(range(4), "0"), seat: bet}
    assert finish_deal(bet_in_turn(luz().deal(PLAIN), bets)).state()["scores"][seat] == points


THREE = luz_deal("R1-8 G1-2", "Y1-8 G3-4", "B1-8 G5-6")


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize(
    ("behind", "opens"),  # tricks missed in each of three deals, and who opens, counted from the first player
    [
        ((1, 1, 1), 0),
        ((1, 1, 2), 0),
        ((2, 1, 1), 1),
        ((2, 1, 2), 1),
        ((2, 2, 1), 2),
        ((1, 2, 1), 0),
        ((1, 2, 3), 0),
    ],
)
def test_with_three_players_the_one_ahead_opens_deal_four(
    dealer: int, behind: tuple[int, ...], opens: int
) -> None:
    """L-23"""
    first = (dealer + 4) % 3
    misses = [behind[(seat - first) % 3] for seat in range(3)]
    position = luz(3, dealer=dealer)
    for _ in range(3):
        position = play_deal(position, THREE, misses)
    position = position.deal(THREE)
    opener = (first + opens) % 3
    assert position.state()["first"] == first
    assert position.state()["leader"] == opener
    turns = []
    while position.phase == "bet":
        turns.append(position.to_act)
        position = position.play("bet:0")
    assert turns == [(opener + step) % 3 for step in range(3)]
    assert position.to_act == opener


@pytest.mark.parametrize("number", [2, 3])
def test_with_three_players_the_sign_opens_the_deals_before(number: int) -> None:
    """L-23"""
    position = luz(3, dealer=0)
    for _ in range(number - 1):
        position = play_deal(position, THREE, [2, 2, 2])
    first = number % 3
    ahead = play_deal(luz(3, dealer=0), THREE, [0 if seat == (first + 1) % 3 else 3 for seat in range(3)])
    position = ahead if number == 2 else play_deal(ahead, THREE, [2, 2, 2])
    assert position.deal(THREE).to_act == first


@pytest.mark.parametrize("players", [4, 5])
def test_with_more_players_the_sign_opens_deal_four_whoever_is_ahead(players: int) -> None:
    """L-23"""
    deal = load("luz", players=players).random_deal(random.Random(5))
    position = luz(players, dealer=0)
    for _ in range(3):
        position = play_deal(position, deal, [0 if seat == 2 else 3 for seat in range(players)])
    position = position.deal(deal)
    assert position.to_act == position.state()["first"] == 4 % players


def four_deals(misses_by_deal: list[list[int]], dealer: int = 3) -> dict[str, object]:
    position = luz(dealer=dealer)
    for misses in misses_by_deal:
        position = play_deal(position, PLAIN, misses)
    outcome = position.outcome()
    assert outcome is not None
    return outcome.to_json()


def test_most_points_win() -> None:
    """L-24"""
    result = four_deals([[2, 2, 1, 2]] * 4)
    assert result["scores"] == [-40, -40, -20, -40]
    assert result["winner"] == 2


def test_tie_goes_to_the_tied_player_with_most_points_in_deal_four() -> None:
    """L-24"""
    result = four_deals([[0, 5, 0, 5], [0, 5, 1, 5], [0, 5, 1, 5], [4, 5, 0, 0]])
    assert result["scores"] == [40, -100, 40, -35]
    assert result["winner"] == 2


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    "tied", [tied for size in (2, 3, 4) for tied in itertools.combinations(range(4), size)]
)
def test_second_tie_goes_to_the_sign_or_the_tied_player_nearest_after_it(
    dealer: int, tied: tuple[int, ...]
) -> None:
    """L-24"""
    result = four_deals([[1 if seat in tied else 2 for seat in range(4)]] * 4, dealer)
    first = (dealer + 4) % 4
    assert result["winner"] == next(
        seat for seat in ((first + step) % 4 for step in range(4)) if seat in tied
    )


def test_sign_and_not_the_opener_of_deal_four_settles_a_tie_of_three_players() -> None:
    """L-24, L-23"""
    position = luz(3, dealer=2)  # seat 0 holds the sign in deal 4
    for misses in ([1, 2, 2], [1, 2, 1], [1, 1, 1]):
        position = play_deal(position, THREE, misses)
    position = position.deal(THREE)
    assert (position.state()["first"], position.to_act) == (0, 0)
    position = luz(3, dealer=1)  # seat 2 holds it; seat 0, ahead by one trick, opens
    for misses in ([2, 3, 3], [2, 2, 2], [2, 2, 2]):
        position = play_deal(position, THREE, misses)
    end = play_deal(position, THREE, [3, 2, 2])
    assert position.deal(THREE).to_act == 0
    assert end.state()["scores"] == [-45, -45, -45]
    assert end.view(None).to_json()["by_deal"][-1] == [-15, -10, -10]
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.to_json()["winner"] == 2


def test_totals_may_be_negative() -> None:
    """L-25"""
    assert four_deals([[5, 5, 5, 5]] * 4)["scores"] == [-100, -100, -100, -100]
    bets = {0: "10", 1: "0", 2: "10", 3: "10"}
    position = luz()
    for _ in range(4):
        position = finish_deal(bet_in_turn(position.deal(PLAIN), bets))
    assert position.state()["scores"] == [-200, -200, -200, -200]
