"""The record of a finished table, in the form that every tool of the package reads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from overtrick.games.record import to_json
from overtrick.tables import refusals
from overtrick.tables.explaining import reason_of
from overtrick.tables.result import result_of
from overtrick.tables.seats import sitter
from overtrick.tables.table import Table


def record(table: Table, *, made_at: int | None) -> dict[str, Any]:
    """The whole game, hidden cards included; `made_at`: Unix milliseconds.

    A game that its persons agreed to end early, or that the house has ended, is whole up to there, and `meta` says so.
    Where somebody has lost by time, `meta` says who, and who has won instead. In it are also the sealed deals, even
    those that were never reached, and bots' reasons, in English.

    Raises Refused until the game is over.
    """
    if table.game is None:
        raise refusals.NOT_STARTED()
    if table.status == "playing":
        raise refusals.NOT_OVER()
    meta: dict[str, Any] = {"seats": [sitter(seat) for seat in table.seats]}
    if made_at is not None:
        meta["date"] = datetime.fromtimestamp(made_at / 1000, UTC).isoformat(timespec="seconds")
    meta["rules_version"] = table.rules_version
    if table.agreement.reached:
        meta["ended"] = "by agreement"
    elif table.cut_short:
        meta["ended"] = "by the house"
    if (ended := result_of(table)) is not None and ended.forfeited:
        meta |= {"winners": list(ended.winners), "forfeited": list(ended.forfeited)}
    if table.seals:
        meta["seals"] = [one.to_json() for one in table.seals]
    if any(moved.why for moved in table.moves):
        meta["reasons"] = [str(why) if (why := reason_of(moved)) else None for moved in table.moves]
    return to_json(table.game, table.deals, [moved.move for moved in table.moves], meta)
