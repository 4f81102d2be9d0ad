"""Who may look at a table: those who sit there and its host always, others as that host chose.

Whoever watches sees what the public may see, and hidden cards once the game is over.
"""

from __future__ import annotations

from typing import NamedTuple

from overtrick.tables import refusals
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import Person
from overtrick.tables.table import Table

WATCHING = ("nobody", "link", "everybody")
"""Who may watch beside those who belong to the table; for everybody the front page lists the game."""


class Onlooker(NamedTuple):
    """What a view of a table depends on of whoever sees it: their seat, what they may do, whether they had a seat."""

    me: int | None
    is_host: bool
    may_watch: bool
    shut_out: bool


def onlooker(table: Table, person: Person | None) -> Onlooker:
    """A person, or without one a stranger, as somebody who sees the table."""
    return Onlooker(
        me=None if person is None else table.seat_of(person.id),
        is_host=person is not None and table.is_host(person.id),
        may_watch=may_watch(table, person),
        shut_out=bool(table.shut_out) and is_shut_out(table, person),
    )


def may_watch(table: Table, person: Person | None) -> bool:
    """Whether a person, or without one a stranger, may see what goes on at the table."""
    return table.watching != "nobody" or belongs(table, person)


def may_look(table: Table, person: Person | None) -> bool:
    """Whether somebody may see the table at all: who has the link finds the seats that wait for people.

    One that the house has closed is shown to nobody.
    """
    if table.closed:
        return False
    return may_watch(table, person) or (table.status == "waiting" and table.seats.free > 0)


def is_shut_out(table: Table, person: Person | None) -> bool:
    """Whether a person without a seat held one until somebody who holds it too renewed its private link."""
    return person is not None and person.id in table.shut_out and table.seat_of(person.id) is None


def must_look(table: Table, person: Person | None) -> None:
    """Refuse whoever may not see the table; the refusal is one and the same whatever goes on there.

    But who has been shut out of a seat reads that, and what they read says no more of the table.
    """
    if table.closed:
        raise _closed(table, person)
    if not may_look(table, person):
        raise refusals.SHUT_OUT() if is_shut_out(table, person) else refusals.NOT_SHOWN()


def _closed(table: Table, person: Person | None) -> Refused:
    if table.game is None or not belongs(table, person):
        return refusals.CLOSED()
    refused = refusals.CLOSED_TO_PLAYERS()
    refused.record = table.id
    return refused


def belongs(table: Table, person: Person | None) -> bool:
    """Whether a person sits there, or is the host, who may be without a seat."""
    return person is not None and (person.id == table.host or table.seat_of(person.id) is not None)
