"""What each event does to a table's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from overtrick.tables.clock import Clock, new_clock
from overtrick.tables.events import CameBack, Event, Flagged, Moved, Outage, StoodIn

if TYPE_CHECKING:
    from overtrick.tables.table import Table


def on_time(before: Table, after: Table, event: Event, at: int) -> Clock | None:
    """The clock as it is after the event; a turn that a person took is paid for by that seat."""
    if after.status != "playing":
        return None if after.clock is None else replace(after.clock, since=None)
    if before.clock is None:
        return new_clock(after.timing, len(after.seats), at)
    seat, clock = before.to_act, before.clock
    paying = seat if seat in before.seats.playing_persons else None
    match event:
        case Moved():
            clock = clock.moved(paying, at, before.timing.increment)
        case StoodIn():
            clock = clock.stopped(paying, at).running(at)
        case Flagged():
            clock = replace(clock.stopped(paying, at), since=at, used=0)  # it has been paid for
        case CameBack() if seat == event.seat:
            clock = clock.running(at)
        case Outage():
            clock = clock.given_back(event.lasted, at)
    if after.paused:
        clock = clock.stopped(paying, at)
    elif before.paused:
        clock = clock.running(at)
    return clock
