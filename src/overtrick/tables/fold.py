"""`fold`: the table that follows from an event, and `replay`, the table that a whole log makes.

Folding trusts the log, for each event was decided before it was written.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from overtrick.tables.acts import counted
from overtrick.tables.begun import game_of, seals_of
from overtrick.tables.chat import proposed, spoken
from overtrick.tables.clock import Timing, timing_of
from overtrick.tables.events import (
    BotSat,
    CameBack,
    Closed,
    Continued,
    Dealt,
    EndAgreed,
    EndDeclined,
    Ended,
    EndProposed,
    Event,
    Flagged,
    Forgotten,
    Freed,
    Hidden,
    Hosted,
    Joined,
    Logged,
    Made,
    Moved,
    Outage,
    PauseAsked,
    Proposed,
    Relinked,
    Resumed,
    Sat,
    Spoke,
    Started,
    StoodIn,
)
from overtrick.tables.forgotten import without
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.seats import EMPTY, GONE, LONG_AWAY, BotSeat, PersonSeat, Seat, Seats, replaced
from overtrick.tables.table import Table
from overtrick.tables.timekeeping import on_time


def replay(table_id: str, log: Iterable[Logged]) -> Table:
    """The table that a whole log makes; raises UnknownEvent for a log that does not begin with `Made`."""
    first, *rest = log
    if not isinstance(first.event, Made):
        raise UnknownEvent(f"a log that begins with {first.event!r}")
    return fold_all(begin(table_id, first.event, first.at), rest)


def begin(table_id: str, made: Made, at: int) -> Table:
    """The table that its first event makes."""
    return Table(
        id=table_id,
        seq=1,
        at=at,
        host=made.host,
        game_name=made.game,
        options=made.options,
        asked_dealer=made.dealer,
        public=made.public,
        show_played=made.show_played,
        pace=made.pace,
        explain=made.explain,
        timing=_timing(made),
        watching=made.watching,
        talk=made.talk,
        seats=Seats((EMPTY,) * made.seats),
        rules_version=made.rules_version,
    )


def fold_all(table: Table, log: Iterable[Logged]) -> Table:
    """The table after several more events."""
    for logged in log:
        table = fold(table, logged.event, logged.at)
    return table


def fold(table: Table, event: Event, at: int) -> Table:
    """The table after one more event, written `at`; raises UnknownEvent for one that cannot come here."""
    after = _folded(table, event, at)
    clock, acts = on_time(table, after, event, at), counted(table, event, at)
    return replace(after, clock=clock, acts=acts, seq=table.seq + 1, at=at)


def _timing(made: Made) -> Timing:
    timing = timing_of(made.timing)
    if timing is None:
        raise UnknownEvent(f"a timing {made.timing!r}")
    return timing


def _folded(table: Table, event: Event, at: int) -> Table:
    match event:
        case Sat():
            return _seated(
                table,
                event.seat,
                PersonSeat(event.person, event.name, link=table.seq + 1, since=table.seq + 1),
            )
        case BotSat():
            return _seated(table, event.seat, BotSeat(event.bot))
        case Freed():
            return _seated(table, event.seat, EMPTY)
        case Joined() | Relinked():
            return _shared(table, event)
        case Hosted():
            return replace(table, host=event.person)
        case Started():
            return _started(table, event)
        case Dealt():
            return _dealt(table, event)
        case Moved():
            return _moved(table, event)
        case StoodIn():
            return _played_by(table, event.seat, event.bot, has_say=event.why == "away")
        case Flagged():
            table = _played_by(table, event.seat, event.bot, has_say=not table.timing.flag_is_final)
            return _seated(table, event.seat, replace(_person(table, event.seat), flagged=True))
        case CameBack():
            return _played_by(table, event.seat, None)
        case PauseAsked():
            return replace(table, asked_pause=table.asked_pause | {event.seat})
        case Resumed():
            return replace(table, asked_pause=frozenset())
        case EndProposed():
            return replace(table, agreement=table.agreement.proposed(event.seat))
        case EndAgreed():
            return replace(table, agreement=table.agreement.accepted(event.seat))
        case EndDeclined():
            return replace(table, agreement=table.agreement.refused(alone=len(table.seats.asked_to_end) < 2))
        case Ended():
            return replace(table, agreement=table.agreement.ended())
        case Outage():
            return table
        case Spoke():
            return spoken(table, event, at)
        case Proposed():
            return proposed(table, event)
        case Continued():
            return replace(table, next_table=event.next_table)
        case Forgotten():
            return without(table, event)
        case Hidden():
            watching = "link" if table.watching == "everybody" else table.watching
            return replace(table, public=False, watching=watching)
        case Closed():
            return replace(table, closed=True)
    raise UnknownEvent(f"{event!r} after the first event")


def _seated(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=replaced(table.seats, number, seat))


def _played_by(table: Table, number: int, bot: str | None, *, has_say: bool = False) -> Table:
    seat = _person(table, number)
    away_from = table.ply if bot and seat.away_from is None else seat.away_from
    moves = LONG_AWAY if has_say else 0
    seat = replace(seat, stand_in=bot, away_from=away_from, has_say=moves)
    return replace(_seated(table, number, seat), swapped=number)


def _shared(table: Table, event: Joined | Relinked) -> Table:
    seat = _person(table, event.seat)
    if isinstance(event, Joined):
        joined = _seated(table, event.seat, replace(seat, also=(*seat.also, event.person)))
        return replace(joined, shut_out=table.shut_out - {event.person})
    relinked = _seated(table, event.seat, replace(seat, person=event.person, also=(), link=table.seq + 1))
    return replace(relinked, shut_out=table.shut_out.union(seat.people) - {event.person, GONE})


def _person(table: Table, number: int) -> PersonSeat:
    seat = table.seats[number]
    if not isinstance(seat, PersonSeat):
        raise UnknownEvent(f"no person in seat {number}")
    return seat


def _started(table: Table, event: Started) -> Table:
    game = game_of(table.game_name, event)
    return replace(
        table,
        game=game,
        options=event.options,
        position=game.start(),
        seals=seals_of(event),
        rules_version=event.rules_version,
    )


def _dealt(table: Table, event: Dealt) -> Table:
    if table.position is None:
        raise UnknownEvent("a deal before the start")
    if table.seals and [event.deal] != [one.deal for one in table.seals[len(table.deals) :][:1]]:
        raise UnknownEvent("a deal that is not the next one sealed")
    return replace(
        table,
        position=table.position.deal(event.deal),
        deals=(*table.deals, event.deal),
        dealt_at=(*table.dealt_at, table.ply),
        agreement=table.agreement.dealt(),
    )


def _moved(table: Table, event: Moved) -> Table:
    if table.position is None:
        raise UnknownEvent("a move before the start")
    seat, seats = table.seats[event.seat], table.seats
    if isinstance(seat, PersonSeat) and seat.stand_in and event.move != "resign":  # which follows from a flag
        has_say = max(0, seat.has_say - 1)
        seats = replaced(seats, event.seat, replace(seat, helped=seat.helped + 1, has_say=has_say))
    elif isinstance(seat, PersonSeat) and seat.away_from is not None:
        seats = replaced(seats, event.seat, replace(seat, away_from=None))
    return replace(
        table,
        position=table.position.play(event.move),
        seats=seats,
        moves=(*table.moves, event),
        swapped=None,
        proposals=(),
        proposed=0,
    )
