"""The twins come to what the examples say; nothing else in the tests is worth more than these lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from naive.duet import BOARDS, Duet
from naive.luz import Luz, deck
from naive.replaying import replay

EXAMPLES = Path(__file__).parents[1] / "data" / "examples.jsonl"
LINES = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]


def test_there_are_sixty_examples() -> None:
    assert len(LINES) == 60


@pytest.mark.parametrize("line", LINES, ids=[f"line-{number}" for number in range(1, len(LINES) + 1)])
def test_twin_comes_to_what_the_example_expects(line: dict[str, Any]) -> None:
    record, expected = line["record"], line["expected"]

    twin = replay(record)

    assert expected["ok"]
    assert len(record["moves"]) == expected["moves"]
    assert twin.over == expected["over"]
    assert twin.to_act == expected["to_act"]
    assert twin.legal() == expected["legal"]
    assert twin.state() == expected["state"]
    assert twin.result() == expected["result"]


@pytest.mark.parametrize("line", LINES, ids=[f"line-{number}" for number in range(1, len(LINES) + 1)])
def test_twin_finds_every_recorded_move_among_the_legal_ones(line: dict[str, Any]) -> None:
    record = line["record"]

    for at, move in enumerate(record["moves"]):
        if at % 7 == 0:
            assert move in replay(record, at=at).legal()


def test_twin_refuses_a_move_that_is_not_legal() -> None:
    luz = Luz()
    cards = deck(4)
    luz.deal({"hands": [cards[seat * 10 : seat * 10 + 10] for seat in range(4)]})

    with pytest.raises(ValueError, match="bet:11 is not legal"):
        luz.play("bet:11")


def test_twin_boards_have_the_numbers_of_the_box() -> None:
    assert [sum(BOARDS[level]["gems"]) for level in (1, 2, 3)] == [12, 13, 16]
    assert [BOARDS[level]["tokens"] for level in (1, 2, 3)] == [4, 3, 3]
    assert [Duet(level).supply() for level in (1, 2, 3)] == [10, 9, 6]
