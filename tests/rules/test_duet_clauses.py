"""The Fox in the Forest Duet, clause by clause: each test says which clause it holds.

D-24, about talking, binds the table and its chat, not the rules of play; it has no test here.
"""

from __future__ import annotations

import random

import pytest

from overtrick.errors import InvalidRecord
from overtrick.games import Position, load
from rules.setting import (
    Wish,
    assert_refused,
    board_of,
    cards,
    duet,
    duet_deal,
    duet_round,
    reach,
    refusal,
    say,
    trick,
    two_cards,
)

VIEWERS = (None, 0, 1)

# cards and board


def test_thirty_cards_in_three_suits_of_ten() -> None:
    """D-1"""
    dealt: set[str] = set()
    for seed in range(30):
        deal = load("duet").random_deal(random.Random(seed))
        dealt |= {*deal["hands"][0], *deal["hands"][1], deal["decree"]}
    assert dealt == {f"{suit}{rank}" for suit in "DRS" for rank in range(1, 11)}


@pytest.mark.parametrize("card", ["D11", "S0", "H3", "d3", "D03", "3", "", None, 3])
def test_card_that_is_not_in_the_deck_is_refused(card: object) -> None:
    """D-1"""
    deal = duet_deal("D1", "R1")
    deal["hands"][0][4] = card
    with pytest.raises(InvalidRecord):
        duet().deal(deal)


@pytest.mark.parametrize("suit", ["D", "R", "S"])
@pytest.mark.parametrize(("rank", "footprints"), list(enumerate([0, 3, 2, 1, 1, 2, 0, 2, 0, 3], start=1)))
def test_footprints_by_rank_are_the_same_in_each_suit(suit: str, rank: int, footprints: int) -> None:
    """D-2: measured beside a card of no footprints, the Royal Heir, or the Musician beside the Heir itself."""
    lead, answer = f"{suit}{rank}", f"{suit}9" if rank != 9 else f"{suit}1"
    position = two_cards(lead, answer, "S8" if suit == "D" else "D8").play(f"play:{lead}")
    if rank == 3:
        position = say(position, "foxes:self", "decree:keep")
    if rank == 7:
        hands = position.state()["hands"]
        position = say(
            position, f"gift:{hands[0][0]}", f"gift:{hands[1][0] if hands[1][0] != answer else hands[1][1]}"
        )
    position = position.play(f"play:{answer}")
    if rank == 5:
        assert position.legal_moves() == ["move:+1", "move:0"]
        position = position.play("move:+1")
    assert abs(position.state()["tracker"] - 5) == footprints


def test_side_a_is_as_settled() -> None:
    """D-3"""
    board = load("duet", level=1).board  # type: ignore[attr-defined]
    assert (board.name, board.spaces, board.start) == ("side-a", 11, 5)
    assert list(board.gems) == [1, 1, 2, 1, 1, 0, 1, 1, 2, 1, 1]
    assert list(board.plus) == [1, 3, 4, 6, 8]
    assert not board.reconstructed
    assert duet(1).state()["tracker"] == 5


def test_seat_nought_sits_beyond_the_low_end_and_seat_one_beyond_the_high_end() -> None:
    """D-3"""
    assert duet_round("D6", "D2", *trick("D6", "D2")).state()["tracker"] == 0
    assert duet_round("D2", "D6", *trick("D2", "D6")).state()["tracker"] == 10


@pytest.mark.parametrize(
    ("level", "gems"), [(2, [2, 2, 1, 2, 0, 1, 2, 1, 2]), (3, [2, 3, 1, 3, 0, 2, 2, 1, 2])]
)
def test_side_b_is_as_settled_and_says_that_it_is_reconstructed(level: int, gems: list[int]) -> None:
    """D-4"""
    board = load("duet", level=level).board  # type: ignore[attr-defined]
    assert (board.spaces, board.start, list(board.gems), list(board.plus)) == (9, 4, gems, [2, 3, 6])
    assert sum(gems) == {2: 13, 3: 16}[level]
    assert board.reconstructed


@pytest.mark.parametrize(("level", "tokens", "supply"), [(1, 4, 10), (2, 3, 9), (3, 3, 6)])
def test_box_holds_twenty_two_gems_and_four_or_three_forest_tokens(
    level: int, tokens: int, supply: int
) -> None:
    """D-5, D-25"""
    view = duet(level).view(None).to_json()
    assert (view["tokens"], view["supply"]) == (tokens, supply)
    assert sum(view["gems"]) + view["supply"] == 22


def test_gem_taken_goes_back_to_the_supply() -> None:
    """D-5"""
    view = duet_round("D6", "D4", *trick("D6", "D4")).view(None).to_json()
    assert (sum(view["gems"]), view["supply"]) == (11, 11)


# rounds and tricks


@pytest.mark.parametrize("size", [0, 10, 12])
def test_hand_has_eleven_cards(size: int) -> None:
    """D-6"""
    deal = duet_deal("", "")
    deal["hands"][1] = cards("S6-10 R3-10")[:size]
    with pytest.raises(InvalidRecord, match=r"11.*\(D-6\)"):
        duet().deal(deal)


def test_decree_is_a_card_that_nobody_was_dealt() -> None:
    """D-6"""
    for decree in ("D1", None, "S11", 5, ["S5"]):
        with pytest.raises(InvalidRecord):
            duet().deal({**duet_deal("D1", "R1"), "decree": decree})
    deal = duet_deal("D1", "R1")
    del deal["decree"]
    with pytest.raises(InvalidRecord, match="decree"):
        duet().deal(deal)


def test_decree_is_visible_to_all_and_its_suit_is_trump() -> None:
    """D-6"""
    position = duet_round("D10 S1", "S2 R1-10", decree="S5")
    assert [position.view(viewer).to_json()["decree"] for viewer in VIEWERS] == ["S5"] * 3
    assert say(position, *trick("D10", "S2")).state()["tricks"] == [0, 1]


def careful(position: Position) -> Position:
    """Play the move that loses no forest token, does not end the game, and stays nearest the start, if it can."""
    tokens = position.state()["tokens"]

    def danger(step: Position) -> tuple[bool, bool, int]:
        view = step.view(None).to_json()
        return (view["tokens"] < tokens, view["phase"] == "over", abs(view["tracker"] - view["start"]))

    return min((position.play(move) for move in position.legal_moves()), key=danger)


def end_of_round(position: Position, seed: int) -> Position:
    position = position.deal(load("duet").random_deal(random.Random(seed)))
    while position.phase not in ("forest", "deal", "over"):
        position = careful(position)
    return position


def into_next_round(position: Position) -> Position:
    return position.play("forest:low") if position.phase == "forest" else position


SOLID = board_of(gems=[0] * 4 + [3, 3, 3, 4, 3, 3, 3] + [0] * 4, plus=[], start=7, tokens=4)
"""A long path with many gems, on which a careful team lives through three rounds."""


def three_rounds(seed: int) -> list[Position]:
    """Return the positions at the end of each of three rounds."""
    position, ends = duet(board=SOLID), []
    for number in range(3):
        position = end_of_round(position, 10 * seed + number)
        ends.append(position)
        position = into_next_round(position)
    return ends


def test_game_is_at_most_three_rounds_of_eleven_tricks() -> None:
    """D-6"""
    ends = three_rounds(0)
    assert [sum(end.state()["tricks"]) for end in ends] == [11, 11, 11]
    assert [end.state()["round"] for end in ends] == [1, 2, 3]
    assert [end.over for end in ends] == [False, False, True]
    assert load("duet").max_deals == 3


def test_draw_pile_shows_to_nobody() -> None:
    """D-6"""
    position = duet_round("D1-10 R1", "R2-10 S1-2", decree="S10")
    pile = set(cards("S3-9"))
    while position.to_act is not None:
        for viewer in VIEWERS:
            assert not pile & set(repr(position.view(viewer).to_json()).replace("'", " ").split())
        position = careful(position)


def test_partner_sees_no_card_of_the_other_hand_and_the_public_none_at_all() -> None:
    """D-6"""
    position = duet_round("D1-10 R1", "R2-10 S1-2", decree="S10")
    assert [position.view(viewer).to_json()["hands"] for viewer in VIEWERS] == [
        [None, None],
        [cards("D1-10 R1"), None],
        [None, cards("R2-10 S1-2")],
    ]
    assert position.view(None).to_json()["hand_sizes"] == [11, 11]


@pytest.mark.parametrize("dealer", [0, 1])
def test_dealer_alternates_and_the_other_player_leads_first(dealer: int) -> None:
    """D-7"""
    position = duet(board=SOLID, dealer=dealer)
    for number in range(3):
        position = position.deal(load("duet").random_deal(random.Random(number)))
        assert position.state()["dealer"] == (dealer + number) % 2
        assert position.to_act == position.state()["leader"] == 1 - position.state()["dealer"]
        while position.phase not in ("forest", "deal", "over"):
            position = careful(position)
        position = into_next_round(position)


def test_dealer_is_one_of_two() -> None:
    """D-7"""
    for dealer in (-1, 2):
        with pytest.raises(InvalidRecord, match="dealer"):
            load("duet", dealer=dealer)


def test_winner_of_a_trick_leads_the_next() -> None:
    """D-7"""
    position = duet_round("D6 D8", "D4 D10", *trick("D6", "D4"))
    assert (position.to_act, position.state()["leader"]) == (0, 0)
    position = say(position, *trick("D8", "D10"))
    assert (position.to_act, position.state()["leader"]) == (1, 1)


def test_leader_plays_any_card() -> None:
    """D-8"""
    position = duet_round("D1-4 R1-4 S1-3", "D5-10 R5-9", decree="S5")
    assert position.legal_moves() == sorted(trick(*cards("D1-4 R1-4 S1-3")))


def test_must_follow_suit_even_with_trumps_in_hand() -> None:
    """D-8"""
    position = duet_round("D2", "D4 D6 R1-4 S1-4 S6", decree="S5").play("play:D2")
    assert position.legal_moves() == ["play:D4", "play:D6"]
    assert_refused(position, "play:S6", "D-8")
    assert_refused(position, "play:R2", "D-8")


def test_may_play_any_card_when_void_in_the_suit_led() -> None:
    """D-8"""
    position = duet_round("D2", "R1-4 S1-4 S6-8", decree="S5").play("play:D2")
    assert position.legal_moves() == sorted(trick(*cards("R1-4 S1-4 S6-8")))


def test_card_not_held_is_refused() -> None:
    """D-8"""
    position = duet_round("D2 D4", "D6 R1-10", decree="S5")
    for card in ("D6", "S5", "S10"):
        refusal(position, f"play:{card}")
    refusal(say(position, *trick("D2", "D6")), "play:D6")


@pytest.mark.parametrize(
    ("lead", "answer", "decree", "winner"),
    [
        ("D6", "D4", "S5", 0),  # the higher of the suit led
        ("D4", "D6", "S5", 1),
        ("D2", "R10", "S5", 0),  # another plain suit never wins
        ("D10", "S2", "S5", 1),  # the lowest trump beats a plain card
        ("S2", "S4", "S5", 1),  # the higher of two trumps
        ("S4", "S2", "S5", 0),
        ("S2", "D10", "S5", 0),
        ("D10", "S2", "D5", 0),  # trump led
    ],
)
def test_highest_trump_wins_or_else_the_highest_card_of_the_suit_led(
    lead: str, answer: str, decree: str, winner: int
) -> None:
    """D-9"""
    assert say(two_cards(lead, answer, decree), *trick(lead, answer)).state()["tricks"] == [
        1 - winner,
        winner,
    ]


@pytest.mark.parametrize(
    ("lead", "answer", "tracker"),
    [("D6", "D2", 0), ("D2", "D6", 10), ("D4", "D6", 8), ("D8", "D4", 2), ("D9", "D4", 4)],
)
def test_tracker_moves_toward_the_winner_by_the_footprints_of_both_cards(
    lead: str, answer: str, tracker: int
) -> None:
    """D-10"""
    assert duet_round(lead, answer, *trick(lead, answer)).state()["tracker"] == tracker


def test_three_and_a_card_with_three_footprints_move_five() -> None:
    """D-10, D-2"""
    end = duet_round("D10", "D3", *trick("D10", "D3"), "foxes:self", "decree:keep")
    assert end.state()["tracker"] == 0


WRECK_LOW = [
    *trick("D10", "D2"),
    *trick("R10", "R2"),
    *trick("S10", "S2"),
    *trick("D8", "D6"),
    *trick("R8", "R6"),
]
"""Each trick of these runs off the low end, from the start space, more tokens on it each time."""
WRECK_HANDS = ("D10 R10 S10 D8 R8", "D2 R2 S2 D6 R6")


def test_running_off_the_low_end_covers_that_end_and_sends_the_tracker_to_the_start() -> None:
    """D-11"""
    end = duet_round(*WRECK_HANDS, *WRECK_LOW[:2])
    assert end.state()["tracker"] == 5
    assert end.state()["covered"] == [1, 0]
    assert end.state()["tokens"] == 3
    assert end.view(None).to_json()["last_trick"] == {
        "leader": 0, "cards": ["D10", "D2"], "winner": 0, "move": -6, "ran_off": True, "gem": False,
    }  # fmt: skip


def test_running_off_the_high_end_covers_that_end() -> None:
    """D-11"""
    end = duet_round("D2", "D10", *trick("D2", "D10"))
    assert (end.state()["tracker"], end.state()["covered"], end.state()["tokens"]) == (5, [0, 1], 3)
    assert end.view(None).to_json()["last_trick"]["move"] == 6


def test_last_uncovered_space_itself_is_not_off_the_path() -> None:
    """D-11"""
    assert duet_round("D6", "D2", *trick("D6", "D2")).state()["tracker"] == 0
    end = duet_round(
        "D10 D6", "D2 D4", *trick("D10", "D2"), *trick("D6", "D4")
    )  # one space is covered, 3 steps
    assert (end.state()["tracker"], end.state()["covered"]) == (2, [1, 0])


def test_running_off_collects_nothing_even_from_the_start_space() -> None:
    """D-11"""
    board = board_of(gems=[1, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1], plus=[], start=5, tokens=4)
    end = duet_round("D10", "D2", *trick("D10", "D2"), board=board)
    assert end.state()["gems"][5] == 5
    assert sum(end.state()["gems"]) == 15


def test_covered_end_comes_nearer_each_time() -> None:
    """D-11"""
    position = duet_round(*WRECK_HANDS)
    for number in range(1, 5):
        position = say(position, *WRECK_LOW[2 * number - 2 : 2 * number])
        assert position.state()["covered"] == [number, 0]
        assert position.state()["tracker"] == 5
        assert position.state()["tokens"] == 4 - number


def test_running_off_with_no_token_left_loses_at_once() -> None:
    """D-11, D-23"""
    position = duet_round(*WRECK_HANDS, *WRECK_LOW)
    assert position.over
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.to_json() == {
        "won": False, "score": 0, "round": 1, "gems_left": 12, "reason": "lost in the forest",
    }  # fmt: skip
    assert position.state()["covered"] == [4, 0]


def test_last_token_still_saves_the_team() -> None:
    """D-11"""
    position = duet_round(*WRECK_HANDS, *WRECK_LOW[:8])
    assert not position.over
    assert position.state()["tokens"] == 0


def test_gems_of_a_covered_space_move_inward_and_on() -> None:
    """D-12"""
    position = duet_round(*WRECK_HANDS)
    piles = []
    for number in range(1, 5):
        position = say(position, *WRECK_LOW[2 * number - 2 : 2 * number])
        piles.append(position.state()["gems"][:6])
    assert piles == [
        [0, 2, 2, 1, 1, 0],
        [0, 0, 4, 1, 1, 0],
        [0, 0, 0, 5, 1, 0],
        [0, 0, 0, 0, 6, 0],
    ]
    end = duet_round("D2", "D10", *trick("D2", "D10"))
    assert end.state()["gems"][6:] == [1, 1, 2, 2, 0]


def test_exactly_one_gem_is_taken_where_the_tracker_stops() -> None:
    """D-13"""
    end = duet_round("D10", "D9", *trick("D10", "D9"))  # three steps, to a space with two
    assert end.state()["gems"] == [1, 1, 1, 1, 1, 0, 1, 1, 2, 1, 1]
    assert end.view(None).to_json()["last_trick"]["gem"] is True


def test_gem_is_taken_even_when_the_tracker_does_not_move() -> None:
    """D-13"""
    end = duet_round("D10 R9", "D9 R1", *trick("D10", "D9"), *trick("R9", "R1"))
    assert end.state()["tracker"] == 2
    assert end.state()["gems"][2] == 0
    last = end.view(None).to_json()["last_trick"]
    assert (last["move"], last["gem"], last["ran_off"]) == (0, True, False)


def test_space_without_gems_gives_none() -> None:
    """D-13"""
    end = duet_round("R9", "R1", *trick("R9", "R1"))
    assert (end.state()["tracker"], sum(end.state()["gems"])) == (5, 12)
    assert end.view(None).to_json()["last_trick"]["gem"] is False


def test_taking_the_last_gem_wins_at_once() -> None:
    """D-13, D-22"""
    board = board_of(gems=[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], plus=[1], start=5, tokens=4)
    end = duet_round("D10", "D9", *trick("D10", "D9"), board=board)
    assert end.over
    assert end.to_act is None
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.to_json()["reason"] == "won"


def test_cards_played_this_round_stay_known_until_the_round_ends() -> None:
    """D-14"""
    position = duet_round("D6 D8", "D4 D10", *trick("D6", "D4", "D8"))
    for viewer in VIEWERS:
        assert position.view(viewer).to_json()["played"] == ["D4", "D6", "D8"]
    end = into_next_round(end_of_round(duet(board=SOLID), 1))
    assert len(end.view(None).to_json()["played"]) == 22
    dealt = end.deal(duet_deal("D6", "D4"))
    assert dealt.view(None).to_json()["played"] == []
    assert dealt.view(None).to_json()["last_trick"] is None


# powers


@pytest.mark.parametrize(
    ("lead", "answer", "winner", "moves"),
    [
        ("D6", "D1", 0, ["move:+2", "move:-2"]),
        ("D1", "D6", 1, ["move:+2", "move:-2"]),
        ("D1", "R1", 0, []),  # nought either way is one option
        ("D10", "D1", 0, ["move:+3", "move:-3"]),
    ],
)
def test_musician_lets_the_winner_choose_the_direction(
    lead: str, answer: str, winner: int, moves: list[str]
) -> None:
    """D-15"""
    position = say(two_cards(lead, answer), *trick(lead, answer))
    if not moves:
        assert position.phase == "play"
        assert position.state()["tracker"] == 5
        return
    assert (position.phase, position.to_act) == ("move", winner)
    assert position.legal_moves() == moves
    for move in moves:
        assert position.play(move).state()["tracker"] == 5 + int(move[5:])


def test_trick_waiting_for_its_move_is_still_on_the_table() -> None:
    """D-15"""
    position = duet_round("D6", "D1", *trick("D6", "D1"))
    state = position.state()
    assert (state["trick"], state["tricks"], state["leader"]) == (["D6", "D1"], [0, 0], 0)
    assert_refused(position, "play:D6", "D-15, D-17")
    refusal(position, "move:+3")
    refusal(position, "move:0")


def test_foxes_let_the_chosen_player_swap_the_decree() -> None:
    """D-16"""
    position = duet_round("D3 R6", "D4 R8", "play:D3", decree="S5")
    assert (position.phase, position.to_act) == ("foxes", 0)
    assert position.legal_moves() == ["foxes:partner", "foxes:self"]
    for choice, seat in (("foxes:self", 0), ("foxes:partner", 1)):
        asked = position.play(choice)
        assert (asked.phase, asked.to_act) == ("decree", seat)
        hand = asked.state()["hands"][seat]
        assert asked.legal_moves() == sorted(["decree:keep", *(f"decree:{card}" for card in hand)])
        swapped = asked.play("decree:R6" if seat == 0 else "decree:R8")
        assert swapped.state()["decree"] == ("R6" if seat == 0 else "R8")
        assert "S5" in swapped.state()["hands"][seat]
        assert len(swapped.state()["hands"][seat]) == len(hand)
        assert (swapped.phase, swapped.to_act) == ("play", 1)
        kept = asked.play("decree:keep")
        assert (kept.state()["decree"], kept.state()["hands"][seat]) == ("S5", hand)


def test_new_decree_is_trump_for_this_trick_too() -> None:
    """D-16"""
    asked = duet_round("D8 R6", "D3 R8", *trick("D8", "D3"), "foxes:partner", decree="S5")
    assert asked.play("decree:keep").state()["tricks"] == [1, 0]
    asked = say(two_cards("R8", "S3", "R1"), *trick("R8", "S3"))
    for who, seat in (("foxes:partner", 0), ("foxes:self", 1)):
        chosen = asked.play(who)
        assert chosen.play("decree:keep").state()["tricks"] == [1, 0]
        for card in chosen.state()["hands"][seat]:
            winner = 1 if card[0] == "S" else 0
            assert chosen.play(f"decree:{card}").state()["tricks"] == [1 - winner, winner]
    assert "S" in {card[0] for card in asked.state()["hands"][1]}


def wish_foxes(hands: tuple[int, int], phase: str) -> Wish:
    def wish(before: Position, after: Position) -> bool:
        held = after.state()["hands"]
        trick_now = (
            after.state()["trick"] or (after.view(None).to_json()["last_trick"] or {"cards": [""]})["cards"]
        )
        last = before.phase == "play" and trick_now[-1][1:] == "3"
        return last and (len(held[0]), len(held[1])) == hands and after.phase == phase

    return wish


def test_foxes_led_as_the_last_card_go_to_the_partner_unasked() -> None:
    """D-16: the leader has no card left and cannot be chosen."""
    before, after = reach(duet_round("D3 R3 S3", "", board=SOLID), wish_foxes((0, 1), "decree"))
    assert before.to_act == 0
    assert after.to_act == 1
    card = after.state()["hands"][1][0]
    assert set(after.legal_moves()) == {"decree:keep", f"decree:{card}"}
    swapped = after.play(f"decree:{card}")
    assert swapped.state()["decree"] == card
    assert swapped.state()["hands"][1] == [before.state()["decree"]]


def test_foxes_with_no_card_in_either_hand_do_nothing() -> None:
    """D-16"""
    before, after = reach(duet_round("", "D3 R3 S3", board=SOLID), wish_foxes((0, 0), "forest"))
    assert before.to_act == 1
    assert after.state()["decree"] == before.state()["decree"]


@pytest.mark.parametrize(
    ("lead", "answer", "moves"),
    [
        ("D6", "D5", ["move:-1", "move:-2", "move:-3"]),  # 2 and 1
        ("D10", "D5", ["move:-1", "move:-3", "move:-4"]),  # 3 and 1
        ("D9", "D5", ["move:-1", "move:0"]),  # 0 and 1
        ("D5", "D4", ["move:-1", "move:-2"]),  # 1 and 1
        ("D5", "D6", ["move:+1", "move:+2", "move:+3"]),
    ],
)
def test_gazelle_lets_the_winner_leave_out_one_of_the_two_footprints(
    lead: str, answer: str, moves: list[str]
) -> None:
    """D-17"""
    position = duet_round(lead, answer, *trick(lead, answer))
    assert position.phase == "move"
    assert position.legal_moves() == moves
    assert position.to_act == (0 if "-1" in moves[0] else 1)


def test_two_gazelles_may_leave_out_none_one_or_both() -> None:
    """D-17"""
    position = say(two_cards("D5", "R5", "S2"), *trick("D5", "R5"))
    assert position.legal_moves() == ["move:-1", "move:-2", "move:0"]


def test_musician_and_gazelle_together_open_both_directions_and_the_shorter_ways() -> None:
    """D-20, D-15, D-17"""
    position = duet_round("D5", "D1", *trick("D5", "D1"))
    assert position.legal_moves() == ["move:+1", "move:-1", "move:0"]
    assert position.to_act == 0


def test_gift_makes_both_players_exchange_a_card() -> None:
    """D-18"""
    position = duet_round("D7 R2", "D8 R4", "play:D7")
    assert (position.phase, position.to_act) == ("gift", 0)
    assert position.legal_moves() == sorted(f"gift:{card}" for card in position.state()["hands"][0])
    refusal(position, "gift:R4")
    chosen = position.play("gift:R2")
    assert (chosen.phase, chosen.to_act) == ("gift", 1)
    assert "R2" in chosen.state()["hands"][0]
    end = chosen.play("gift:R4")
    assert "R4" in end.state()["hands"][0]
    assert "R2" in end.state()["hands"][1]
    assert "R2" not in end.state()["hands"][0]
    assert [len(hand) for hand in end.state()["hands"]] == [10, 11]
    assert (end.phase, end.to_act) == ("play", 1)


def test_first_gift_is_hidden_from_the_partner_until_both_are_chosen() -> None:
    """D-18"""
    chosen = duet_round("D7 R2", "D8 R4", "play:D7", "gift:R2")
    assert [chosen.view(viewer).to_json()["gifts"] for viewer in VIEWERS] == [
        ["?", None],
        ["R2", None],
        ["?", None],
    ]
    end = chosen.play("gift:R4")
    assert [end.view(viewer).to_json()["gifts"] for viewer in VIEWERS] == [[None, None]] * 3
    assert end.view(0).to_json()["known"] == [[], ["R2"]]
    assert end.view(1).to_json()["known"] == [["R4"], []]
    assert end.view(None).to_json()["known"] == [[], []]


def test_gift_is_not_optional() -> None:
    """D-18"""
    position = duet_round("D7 R2", "D8 R4", "play:D7")
    assert_refused(position, "play:R2", "D-18")
    refusal(position, "gift:keep")


def test_card_received_must_be_used_to_follow() -> None:
    """D-18, D-8"""
    position = duet_round("D7 D2 R1-9", "S1-4 S6-10 R10 D9", "play:D7", "gift:D2", "gift:D9")
    assert position.legal_moves() == ["play:D2"]


def wish_gift(before: Position, after: Position) -> bool:
    if before.phase != "play" or len(before.state()["hands"][before.to_act or 0]) != 1:
        return False
    last = after.state()["trick"] or after.view(None).to_json()["last_trick"]["cards"]
    return str(last[-1])[1:] == "7"


@pytest.mark.parametrize("hands", [("D7 R7 S7", ""), ("", "D7 R7 S7")])
def test_gift_played_as_the_last_card_does_nothing(hands: tuple[str, str]) -> None:
    """D-18"""
    _, after = reach(duet_round(*hands, board=SOLID), wish_gift)
    assert after.phase != "gift"


def test_royal_heir_led_frees_the_other_player_from_following() -> None:
    """D-19"""
    position = duet_round("D9", "D4 R1-4 S1-4 S6-7", "play:D9")
    assert position.legal_moves() == sorted(trick(*cards("D4 R1-4 S1-4 S6-7")))
    assert say(position, "play:S2").state()["tricks"] == [0, 1]


def test_royal_heir_played_second_does_nothing() -> None:
    """D-19"""
    position = duet_round("D2 D8", "D9 S9", "play:D2")
    assert "play:S9" not in position.legal_moves()
    end = position.play("play:D9")
    assert (end.phase, end.to_act) == ("play", 1)


def test_not_following_a_royal_heir_says_nothing_of_the_hand() -> None:
    """D-19"""
    end = duet_round("D9", "D4 R2 S1-4 S6-10", *trick("D9", "R2"))
    assert [end.view(viewer).to_json()["void"] for viewer in VIEWERS] == [[[], []]] * 3


def test_not_following_otherwise_shows_the_suit_to_be_void() -> None:
    """D-8"""
    end = duet_round("D2", "R2-4 S1-4 S6-9", *trick("D2", "R2"))
    assert [end.view(viewer).to_json()["void"] for viewer in VIEWERS] == [[[], ["D"]], [[], ["D"]], [[], []]]


def test_powers_of_both_cards_apply_each_in_its_time() -> None:
    """D-20: Foxes and Gift as they are played, in their order; the Musician when the trick is resolved."""
    position = duet_round("D3 R6", "D7 R8", "play:D3")
    position = say(position, "foxes:self", "decree:R6", "play:D7")
    assert (position.phase, position.to_act) == ("gift", 1)
    position = say(position, "gift:R8", "gift:S5")
    assert position.state()["tricks"] == [0, 1]
    assert position.state()["tracker"] == 7
    position = duet_round("D7 R2", "D1 R4", "play:D7", "gift:R2", "gift:R4", "play:D1")
    assert position.phase == "play"  # nought and nought: nothing to choose
    position = duet_round("D3 R2", "D1 R4", "play:D3", "foxes:self", "decree:keep", "play:D1")
    assert position.legal_moves() == ["move:+2", "move:-2"]


# between rounds

PLENTY = board_of(gems=[2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 2], plus=[1, 3, 8, 9], start=5, tokens=2)


def round_ended(before: Position, after: Position) -> bool:
    return before.phase != "forest" and after.phase in ("forest", "deal")


def last_step(**options: object) -> tuple[Position, Position]:
    """Return the step that ends a round without running off in that last step."""
    deal = load("duet").random_deal(random.Random(4))

    def wish(before: Position, after: Position) -> bool:
        return round_ended(before, after) and not after.view(None).to_json()["last_trick"]["ran_off"]

    return reach(duet(**options).deal(deal), wish)  # type: ignore[arg-type]


def test_round_ends_with_a_gem_on_each_plus_space() -> None:
    """D-21"""

    def wish(before: Position, after: Position) -> bool:
        return round_ended(before, after) and after.phase == "forest" and after.state()["covered"] == [0, 0]

    before, after = reach(duet().deal(load("duet").random_deal(random.Random(4))), wish)
    expected = before.state()["gems"]
    expected[after.state()["tracker"]] -= after.view(None).to_json()["last_trick"]["gem"]
    for space in (1, 3, 4, 6, 8):
        expected[space] += 1
    assert after.state()["gems"] == expected


def last_step_of(position: Position) -> tuple[Position, Position]:
    """Play the round on with care and return the step (before, after) that ends it."""
    while True:
        after = careful(position)
        if round_ended(position, after):
            return position, after
        position = after


def gems_before_plus(before: Position, after: Position) -> list[int]:
    """Return the gems on the board after the round's last trick and before D-21 adds any."""
    gems: list[int] = before.state()["gems"]
    gems[after.state()["tracker"]] -= after.view(None).to_json()["last_trick"]["gem"]
    return gems


def test_plus_space_that_is_covered_gives_its_gem_to_the_nearest_uncovered_one() -> None:
    """D-21"""
    board = board_of(gems=[0, 0, 3, 3, 3, 2, 3, 3, 3, 0, 0], plus=[0, 1, 5, 10], start=5, tokens=4)
    position = duet_round("D10 R2", "D2 R10", *trick("D10", "D2"), *trick("R2", "R10"), board=board)
    before, after = last_step_of(position)
    assert after.phase == "forest"
    assert after.state()["covered"] == before.state()["covered"] == [1, 1]
    expected = gems_before_plus(before, after)
    for space in (1, 1, 5, 9):
        expected[space] += 1
    assert after.state()["gems"] == expected


@pytest.mark.parametrize("taken", [1, 2, 3])
def test_short_supply_of_gems_goes_to_the_plus_spaces_nearest_the_start(taken: int) -> None:
    """D-21: of two equally far the one at seat 0's side comes first."""
    board = board_of(gems=[taken, *[0] * 8, 11, 11 - taken], plus=[1, 3, 7, 8], start=5, tokens=2)
    moves = [*trick("D6", "D2"), *trick("R9", "R1"), *trick("S9", "S1")][: 2 * taken]
    position = duet_round("D6 R9 S9", "D2 R1 S1", *moves, board=board)
    assert position.view(None).to_json()["supply"] == taken

    def wish(before: Position, after: Position) -> bool:
        asked = round_ended(before, after) and before.state()["covered"] == after.state()["covered"]
        return asked and sum(gems_before_plus(before, after)) == 22 - taken

    before, after = reach(position, wish)
    expected = gems_before_plus(before, after)
    for space in (3, 7, 8)[:taken]:
        expected[space] += 1
    assert after.state()["gems"] == expected
    assert after.view(None).to_json()["supply"] == 0


def test_next_dealer_chooses_the_end_that_a_forest_token_covers() -> None:
    """D-21"""

    def wish(before: Position, after: Position) -> bool:
        return after.phase == "forest" and after.state()["covered"] == [0, 0]

    _, asked = reach(duet(dealer=1).deal(load("duet").random_deal(random.Random(4))), wish)
    state = asked.state()
    assert asked.to_act == 0  # seat 0 deals round 2
    assert asked.legal_moves() == ["forest:high", "forest:low"]
    assert (state["round"], state["dealer"], state["leader"]) == (1, 1, 1)
    low, high = asked.play("forest:low").state(), asked.play("forest:high").state()
    assert (low["covered"], high["covered"]) == ([1, 0], [0, 1])
    assert low["tokens"] == high["tokens"] == state["tokens"] - 1
    assert low["gems"][:2] == [0, state["gems"][0] + state["gems"][1]]
    assert high["gems"][-2:] == [state["gems"][-1] + state["gems"][-2], 0]
    assert low["tracker"] == high["tracker"] == state["tracker"]
    dealt = asked.play("forest:low").deal(duet_deal("D1", "D2"))
    assert (dealt.state()["round"], dealt.state()["dealer"], dealt.to_act) == (2, 0, 1)
    assert dealt.state()["tracker"] == state["tracker"]


@pytest.mark.parametrize(("at", "covered"), [("low", [0, 1]), ("high", [1, 0])])
def test_tracker_on_an_end_sends_the_token_to_the_other_end_unasked(at: str, covered: list[int]) -> None:
    """D-21"""
    space = 0 if at == "low" else 10

    def wish(before: Position, after: Position) -> bool:
        return (
            round_ended(before, after)
            and before.state()["covered"] == [0, 0]
            and after.state()["tracker"] == space
            and not after.view(None).to_json()["last_trick"]["ran_off"]
        )

    before, after = reach(duet().deal(load("duet").random_deal(random.Random(4))), wish, tries=20000)
    assert after.needs_deal
    assert after.state()["covered"] == covered
    assert after.state()["tokens"] == before.state()["tokens"] - 1


def test_with_no_forest_token_left_nothing_is_covered() -> None:
    """D-21"""
    board = board_of(gems=[2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 2], plus=[1], start=5, tokens=0)
    _, after = last_step(board=board)
    assert after.needs_deal
    assert after.state()["covered"] == [0, 0]
    assert after.state()["tokens"] == 0


# the end


@pytest.mark.parametrize("level", [1, 2, 3])
def test_win_scores_level_cards_round_and_tokens(level: int) -> None:
    """D-22"""
    board = board_of(gems=[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], plus=[1], start=5, tokens=4)
    end = duet_round("D10", "D9", *trick("D10", "D9"), board=board, level=level)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.to_json() == {
        "won": True, "score": 10 * level + 20 + 10 + 3 * 4, "round": 1, "gems_left": 0, "reason": "won",
    }  # fmt: skip


@pytest.mark.parametrize(("number", "bonus"), [(1, 10), (2, 10), (3, 0)])
def test_win_in_round_two_or_before_scores_ten_more(number: int, bonus: int) -> None:
    """D-22"""
    board = board_of(gems=[0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0], plus=[], start=5, tokens=4)

    def won(_: Position, after: Position) -> bool:
        return after.over and after.outcome() is not None and after.outcome().to_json()["won"]  # type: ignore[union-attr]

    def lived(before: Position, after: Position) -> bool:
        return round_ended(before, after)

    position = duet(board=board)
    for seed in range(1, number):
        dealt = position.deal(load("duet").random_deal(random.Random(seed)))
        position = into_next_round(reach(dealt, lived)[1])
    end = reach(position.deal(load("duet").random_deal(random.Random(9))), won)[1]
    outcome, state = end.outcome(), end.state()
    assert outcome is not None
    result = outcome.to_json()
    cards_left = sum(len(hand) for hand in state["hands"])
    assert result["round"] == number
    assert result["score"] == 10 + cards_left + bonus + 3 * state["tokens"]


def test_gems_left_after_round_three_lose() -> None:
    """D-23"""
    end = three_rounds(0)[-1]
    outcome = end.outcome()
    assert outcome is not None
    result = outcome.to_json()
    assert (result["won"], result["score"], result["reason"]) == (False, 0, "out of time")
    assert result["gems_left"] == sum(end.state()["gems"])


@pytest.mark.parametrize(
    "moves", [[], ["play:D7"], ["play:D7", "gift:R2"], ["play:D7", "gift:R2", "gift:R4", "play:D8"]]
)
def test_team_may_give_up_at_any_time(moves: list[str]) -> None:
    """D-23"""
    position = duet_round("D7 R2", "D8 R4", *moves)
    assert "resign" not in position.legal_moves()
    for seat in (0, 1):
        assert position.record_move(seat, "resign") == "resign"
    end = position.play("resign")
    outcome = end.outcome()
    assert outcome is not None
    assert (outcome.to_json()["won"], outcome.to_json()["reason"]) == (False, "given up")
    assert end.to_act is None
    refusal(end, "resign")
    refusal(end, "play:D8")


def test_luz_can_not_be_given_up() -> None:
    """D-23: giving up is a team's."""
    refusal(load("luz").start().deal(load("luz").random_deal(random.Random(0))), "resign")


def test_all_hands_are_shown_once_the_game_is_over() -> None:
    """D-23"""
    end = duet_round("D7 R2", "D8 R4", "play:D7", "resign")
    for viewer in VIEWERS:
        assert end.view(viewer).to_json()["hands"] == end.state()["hands"]


@pytest.mark.parametrize(("level", "board"), [(1, "side-a"), (2, "side-b"), (3, "side-b-diamonds")])
def test_each_level_has_its_board(level: int, board: str) -> None:
    """D-25"""
    game = load("duet", level=level)
    assert game.options == {"level": level, "dealer": 0, "board": board}
    for wrong in (0, 4):
        with pytest.raises(InvalidRecord, match="level"):
            load("duet", level=wrong)
