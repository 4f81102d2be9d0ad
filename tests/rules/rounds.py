"""Play whole rounds of Duet with care, for the tests of what happens at their ends."""

from __future__ import annotations

import random

from overtrick.games import Position, load
from rules.setting import board_of, duet


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


def round_ended(before: Position, after: Position) -> bool:
    return before.phase != "forest" and after.phase in ("forest", "deal")
