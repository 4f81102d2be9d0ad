"""Duet, how it ends: D-22, D-23."""

from __future__ import annotations

import random

import pytest

from overtrick.games import Position, load
from rules.rounds import into_next_round, round_ended, three_rounds
from rules.setting import board_of, duet, duet_round, reach, refusal, trick

VIEWERS = (None, 0, 1)


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
