"""What the server itself has to do at a table, and when: a bot's turn, a clock that has run out, somebody away.

Pure; whoever has the lease of a table does it (`upkeep`).
"""

from __future__ import annotations

from overtrick.tables.clock import flag_falls, patience_ends
from overtrick.tables.events import Event, Flagged, Moved, StoodIn
from overtrick.tables.seats import STAND_IN
from overtrick.tables.table import Table

FORGOTTEN = 30 * 24 * 3600 * 1000
"""Milliseconds after which a table that has never begun, and at which nothing happens, is cleared away."""


def due(table: Table) -> int | None:
    """When the server next has something to do there, Unix time in milliseconds; None: never, as things stand."""
    if table.position is None:
        return table.at + FORGOTTEN
    if table.status == "over" or table.paused:
        return None
    if table.bot_to_act is not None:
        return table.at
    times = [time for time in (_flag_falls(table), _patience_ends(table)) if time is not None]
    return min(times, default=None)


def overdue(table: Table, now: int) -> tuple[Event, ...]:
    """What follows from time alone: () if nothing does yet."""
    seat, flag, patience = table.to_act, _flag_falls(table), _patience_ends(table)
    if seat is None or table.paused or table.bot_to_act is not None:
        return ()
    if flag is not None and flag <= now:
        flagged = Flagged(seat, STAND_IN)
        gives_up = table.timing.flag == "forfeit" and table.game_name == "duet"
        return (flagged, Moved(seat, "resign", "resign")) if gives_up else (flagged,)
    if patience is not None and patience <= now:
        return (StoodIn(seat, STAND_IN, "away"),)
    return ()


def is_forgotten(table: Table, now: int) -> bool:
    """Whether a table has waited in vain for so long that it is cleared away."""
    return table.position is None and table.at + FORGOTTEN <= now


def _flag_falls(table: Table) -> int | None:
    if table.to_act is None or table.clock is None:
        return None
    return flag_falls(table.timing, table.clock, table.to_act)


def _patience_ends(table: Table) -> int | None:
    return None if table.clock is None else patience_ends(table.timing, table.clock)
