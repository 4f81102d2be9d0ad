"""Play a record through on a twin."""

from __future__ import annotations

from typing import Any

from naive.duet import BOARDS, Board, Duet
from naive.luz import Luz

Twin = Luz | Duet


def twin_of(game: str, options: dict[str, Any], board: Board | None = None) -> Twin:
    """Make the twin of a game at its start; options as in a record."""
    if game == "luz":
        return Luz(options.get("players", 4), options.get("dealer", 0), options.get("bead_supply"))
    level = options.get("level", 1)
    return Duet(level, options.get("dealer", 0), board or BOARDS[level])


def replay(record: dict[str, Any], *, at: int | None = None) -> Twin:
    """Play the first `at` moves of a record, dealing whenever the game waits for it and a deal is there."""
    twin = twin_of(record["game"], record.get("options", {}))
    deals = iter(record["deals"])
    moves = record["moves"] if at is None else record["moves"][:at]
    for move in [*moves, None]:
        if twin.needs_deal and (dealt := next(deals, None)) is not None:
            twin.deal(dealt)
        if move is not None:
            twin.play(move)
    return twin
