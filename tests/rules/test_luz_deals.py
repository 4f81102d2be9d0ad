"""Luz, the deck, the game and its deals: L-1 to L-10."""

from __future__ import annotations

import random

import pytest

from overtrick.errors import InvalidRecord
from overtrick.games import load
from rules.setting import (
    MIXED,
    PLAIN,
    after_bets,
    assert_refused,
    cards,
    cards_shown,
    finish_deal,
    luz,
    luz_deal,
    say,
    trick,
)


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
        assert view["last_trick"] == {"deal": 1, "leader": 0, "cards": ["R4", "Y2", "G9", "B1"], "winner": 1}


def test_the_last_trick_of_a_deal_is_seen_until_the_next_deals_first_is_taken() -> None:
    """L-10, settled: what was played face up stays public; the cards of the deal itself are put away."""
    position = finish_deal(after_bets(PLAIN))
    tenth = position.view(0).to_json()["last_trick"]
    assert tenth["deal"] == 1
    view = position.deal(PLAIN).view(0).to_json()
    assert view["last_trick"] == tenth
    assert view["played"] == [[], [], [], []]
