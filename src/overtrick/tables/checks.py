"""What several commands are refused for, each asked in one place; raises Refused."""

from __future__ import annotations

from overtrick.tables import refusals
from overtrick.tables.seats import Person, PersonSeat, Seat
from overtrick.tables.table import Table


def seat_at(table: Table, number: int) -> Seat:
    """Whoever holds the seat of that number."""
    if not 0 <= number < len(table.seats):
        raise refusals.NO_SUCH_SEAT(seats=len(table.seats))
    return table.seats[number]


def person_at(table: Table, number: int, name: str) -> PersonSeat:
    """The person in a seat, who must still be the one of that name."""
    seat = seat_at(table, number)
    if not isinstance(seat, PersonSeat) or seat.gone:
        raise refusals.NOBODY_THERE()
    if seat.name != name:
        raise refusals.SOMEBODY_ELSE()
    return seat


def own_seat(table: Table, person: Person) -> int:
    """The number of the seat that a person holds."""
    seat = table.seat_of(person.id)
    if seat is None:
        raise refusals.NOT_SEATED()
    return seat


def must_wait(table: Table) -> None:
    """Refuse what can be done only before the start."""
    if table.status == "over":
        raise refusals.OVER()
    if table.status == "playing":
        raise refusals.STARTED()


def must_play(table: Table) -> None:
    """Refuse what can be done only while a game goes on."""
    if table.status == "waiting":
        raise refusals.NOT_STARTED()
    if table.status == "over":
        raise refusals.OVER()


def must_be_at(table: Table, ply: int) -> None:
    """Refuse a move that was decided on another look, or while the game stands."""
    must_play(table)
    if table.paused:
        raise refusals.PAUSED()
    if ply != table.ply:
        raise refusals.STALE()


def must_be_host(table: Table, person: Person) -> None:
    """Refuse what is the host's to do."""
    if not table.is_host(person.id):
        raise refusals.NOT_HOST()
