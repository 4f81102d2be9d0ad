"""Getting both games ready: every kernel that a table or a replay needs, compiled or read from the disk's cache."""

from __future__ import annotations

from typing import Any

from overtrick.games.catalogue import GAMES, load
from overtrick.games.position import Position
from overtrick.games.record import Record, to_json


class _NoShuffle:
    def shuffle(self, x: list[Any], /) -> None:
        """Leave the cards as they are: any deal will do."""


def warm() -> list[Position]:
    """Run every kernel of every game once; return one position of each game, with a seat to act.

    Takes seconds when nothing is compiled yet, a fifth of a second afterwards.
    """
    positions = []
    for name in GAMES:
        game = load(name)
        deal = game.random_deal(_NoShuffle())
        position = game.start().deal(deal)
        position.view(position.to_act).to_json()
        Record.of(to_json(game, [deal], position.legal_moves()[:1], {})).replay()
        positions.append(position)
    return positions
