"""Duet, the powers of the odd ranks: D-15 to D-20."""

from __future__ import annotations

import pytest

from overtrick.games import Position
from rules.rounds import SOLID
from rules.setting import Wish, assert_refused, cards, duet_round, reach, refusal, say, trick, two_cards

VIEWERS = (None, 0, 1)


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
