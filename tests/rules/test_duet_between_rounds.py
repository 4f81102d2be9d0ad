"""Duet, between rounds: D-21."""

from __future__ import annotations

import random

import pytest

from overtrick.games import Position, load
from rules.rounds import careful, round_ended
from rules.setting import board_of, duet, duet_deal, duet_round, reach, trick


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
