"""Duet, the path: D-11 to D-14."""

from __future__ import annotations

from rules.rounds import SOLID, end_of_round, into_next_round
from rules.setting import board_of, duet, duet_deal, duet_round, say, trick

VIEWERS = (None, 0, 1)

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
        "round": 1, "leader": 0, "cards": ["D10", "D2"], "winner": 0, "move": -6, "ran_off": True, "gem": False,
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
    assert dealt.view(None).to_json()["last_trick"] == end.view(None).to_json()["last_trick"]
