"""A table without one of its people: what its log says of them is blanked, and it goes on with a seat of no name.

Pure. Blanked is whatever says who somebody is or what they wrote, as if it had never been known; what was played stays.
To fold the blanked log gives the same table as to fold `Forgotten` on a table that still knew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs

from overtrick.tables.events import (
    BotSat,
    Event,
    Events,
    Forgotten,
    Freed,
    Hosted,
    Joined,
    Logged,
    Made,
    Relinked,
    Sat,
    Spoke,
    StoodIn,
)
from overtrick.tables.seats import EMPTY, GONE, NOBODY, STAND_IN, PersonSeat, Seats, first_of, replaced

if TYPE_CHECKING:
    from overtrick.tables.table import Table

Blanked = tuple[tuple[int, Event], ...]
"""Events that take the place of those of the same number in a table's log."""


@dataclass(slots=True)
class _Sitting:
    """One time that somebody had a seat: who holds it, at its end in the end, and the numbers of its events."""

    holders: set[str]
    events: list[int] = field(default_factory=list)


def people_of(events: Iterable[Event]) -> set[str]:
    """The ids of everybody whom these events name."""
    found = set()
    for event in events:
        match event:
            case Made():
                found.add(event.host)
            case Sat() | Joined() | Relinked() | Hosted():
                found.add(event.person)
    return found - {NOBODY, GONE}


def held_by(log: Sequence[Logged], person: str) -> set[int]:
    """The numbers of the events of every time that somebody sat, where in the end they held the seat."""
    return {seq for sitting in _sittings(log) if person in sitting.holders for seq in sitting.events}


def blanked(log: Sequence[Logged], person: str) -> Blanked:
    """The events of a log that say something of a person, without it.

    A seat that they held to its end, or hold now, is theirs with all devices that its private link let in: its name
    goes, and whatever was written from it. Where somebody else has shut them out of a seat, it is that person's.
    """
    theirs = held_by(log, person)
    found = ((seq, _blank(one.event, person, wholly=seq in theirs)) for seq, one in enumerate(log, 1))
    return tuple((seq, event) for seq, event in found if event != log[seq - 1].event)


def forget(table: Table, log: Sequence[Logged], person: str) -> Events:
    """What follows at the table, of which that is the log: they leave, as far as it goes on, and are nobody.

    Before the start the seat is free again. A game that is being played a bot plays to its end for them. The host's
    role goes to the next person.
    """
    seat, theirs = table.seat_of(person), held_by(log, person)
    spoken = [seq for seq, one in enumerate(log, 1) if isinstance(one.event, Spoke)]
    shown = {message.number for message in table.chat}
    messages = [number for number, seq in enumerate(spoken, 1) if seq in theirs and number in shown]
    host = _next_host(table, seat, person)
    if seat is None or table.position is None:
        freed = () if seat is None else (Freed(seat),)
        return (*freed, Forgotten(None, messages), *host)
    sitter = table.seats[seat]
    assert isinstance(sitter, PersonSeat)
    leaves = table.status == "playing" and sitter.stand_in is None
    return (Forgotten(seat, messages), *([StoodIn(seat, STAND_IN, "left")] if leaves else []), *host)


def without(table: Table, event: Forgotten) -> Table:
    """The table after somebody was forgotten."""
    seats = Seats(
        structs.replace(seat, person=GONE, name="", also=())
        if number == event.seat and isinstance(seat, PersonSeat)
        else seat
        for number, seat in enumerate(table.seats)
    )
    chat = tuple(
        structs.replace(message, name="", text="", token="") if message.number in event.messages else message
        for message in table.chat
    )
    # Who of those shut out it is that was forgotten the event does not say: so nobody is told any more.
    return structs.replace(table, seats=seats, chat=chat, shut_out=frozenset())


def _sittings(log: Sequence[Logged]) -> Iterator[_Sitting]:
    held: dict[int, _Sitting] = {}
    for seq, one in enumerate(log, 1):
        match one.event:
            case Sat(seat=seat, person=person):
                held[seat] = _Sitting({person}, [seq])
            case Joined(seat=seat, person=person):
                held[seat].holders.add(person)
                held[seat].events.append(seq)
            case Relinked(seat=seat, person=person):
                held[seat].holders = {person}
                held[seat].events.append(seq)
            case Spoke(seat=seat):
                held[seat].events.append(seq)
            case Freed(seat=seat) | BotSat(seat=seat) if seat in held:
                yield held.pop(seat)
    yield from held.values()


def _blank(event: Event, person: str, *, wholly: bool) -> Event:
    match event:
        case Sat() if wholly:
            return replace(event, person=GONE, name="")
        case Joined() | Relinked() if wholly:
            return replace(event, person=GONE)
        case Spoke() if wholly:
            return replace(event, text="", token="")
        case Sat() | Joined() | Relinked() | Hosted() if event.person == person:
            return replace(event, person=GONE)
        case Made() if event.host == person:
            return replace(event, host=GONE)
    return event


def _next_host(table: Table, seat: int | None, person: str) -> Events:
    """The first of the others becomes the host, if they were or held the host's seat too; else whoever sits down."""
    if not table.is_host(person):
        return ()
    return (Hosted(first_of(table.seats if seat is None else replaced(table.seats, seat, EMPTY))),)
