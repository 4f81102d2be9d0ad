"""Positions with a known right answer, as text; the searching bots must find it whatever the seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from overtrick.bots import Budget, make_bot
from overtrick.bots.levels import plan
from overtrick.games import View, load

SEEDS = range(4)


@dataclass(frozen=True)
class Puzzle:
    """A position, the seat to act in it, and the moves that are right."""

    name: str
    why: str
    view: View
    right: frozenset[str]


def blocks() -> Iterator[dict[str, str]]:
    for path in sorted(Path(__file__).parent.glob("*.txt")):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        for block in "\n".join(lines).split("\n\n"):
            if block.strip():
                yield dict(line.split(": ", 1) for line in block.strip().splitlines())


def puzzle(block: dict[str, str]) -> Puzzle:
    record = json.loads(block["record"])
    position, deals = load(record["game"], **record["options"]).start(), iter(record["deals"])
    for move in record["moves"]:
        if position.needs_deal:
            position = position.deal(next(deals))
        position = position.play(move)
    if position.needs_deal:
        position = position.deal(next(deals))
    return Puzzle(
        block["name"], block["why"], position.view(position.to_act), frozenset(block["right"].split())
    )


PUZZLES = [puzzle(block) for block in blocks()]


def test_there_are_at_least_forty_each_with_a_name_of_its_own() -> None:
    assert len({p.name for p in PUZZLES}) == len(PUZZLES) >= 40


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda p: p.name)
def test_some_moves_are_right_and_some_are_wrong(puzzle: Puzzle) -> None:
    assert puzzle.right < set(puzzle.view.legal)


@pytest.mark.parametrize("level", ["medium", "strong"])
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda p: p.name)
def test_searching_bots_find_the_right_move(puzzle: Puzzle, level: str) -> None:
    budget = Budget(nodes=plan(level, puzzle.view).budget.nodes)
    moves = {make_bot(level).choose(puzzle.view, seed=seed, budget=budget).move for seed in SEEDS}
    assert moves <= puzzle.right, puzzle.why
