"""Deciding what only a host may do to other persons: removing one before the start, handing the role on.

Both name the person as the host saw them: who has sat down there meanwhile is not meant.
"""

from __future__ import annotations

from overtrick.tables import refusals
from overtrick.tables.checks import must_be_host, must_wait, person_at, seat_at
from overtrick.tables.commands import HandOver, Remove
from overtrick.tables.events import Events, Freed, Hosted
from overtrick.tables.seats import Empty, Person, PersonSeat
from overtrick.tables.table import Table


def remove(table: Table, person: Person, command: Remove) -> Events:
    """Free the seat of another person. They may sit down again: whoever has the link could do so anyway."""
    must_be_host(table, person)
    must_wait(table)
    if isinstance(seat_at(table, command.seat), Empty):
        return ()
    if person.id in person_at(table, command.seat, command.name).people:
        raise refusals.OWN_SEAT()
    return (Freed(command.seat),)


def hand_over(table: Table, person: Person, command: HandOver) -> Events:
    """Make another person the host, until the game is over."""
    seat = seat_at(table, command.seat)
    if isinstance(seat, PersonSeat) and table.host in seat.people:
        return ()
    must_be_host(table, person)
    if table.status == "over":
        raise refusals.OVER()
    return (Hosted(person_at(table, command.seat, command.name).person),)
