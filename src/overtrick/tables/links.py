"""The private link of a seat, by which whoever holds it holds the seat on another device too.

Its secret is made from the server's key and from what the log says of the seat, so that it can be shown again and yet
stands in no database, event, record or log. It changes when somebody else sits down and when it is renewed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass

from overtrick.tables import refusals
from overtrick.tables.commands import Join
from overtrick.tables.events import Event, Hosted, Joined, Relinked
from overtrick.tables.seats import Person, PersonSeat
from overtrick.tables.table import Table

LENGTH = 28
"""Letters and digits of a secret: 140 bits."""
MOST_DEVICES = 8
"""Devices that may hold one seat."""


@dataclass(frozen=True, slots=True)
class LinkedSeat:
    """A seat as whoever holds its link is asked about it; `mine`: they hold the seat already."""

    game: str
    name: str
    mine: bool


class SeatLinks:
    """The secrets of all seats, made with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def secret(self, table: Table, seat: int) -> str:
        """The secret of the seat that a person holds."""
        sitter = table.seats[seat]
        assert isinstance(sitter, PersonSeat)
        message = f"seat:{table.id}:{seat}:{sitter.link}".encode()
        digest = hmac.digest(self._key, message, hashlib.sha256)
        return base64.b32encode(digest).decode().lower()[:LENGTH]

    def seat(self, table: Table, secret: str) -> int:
        """The seat to which a secret leads; raises Refused.

        Every seat is compared, in constant time, so that the time taken says nothing.
        """
        if table.closed:
            raise refusals.CLOSED()
        said = secret.encode(errors="replace")
        found = [
            number
            for number, seat in enumerate(table.seats)
            if isinstance(seat, PersonSeat)
            and not seat.gone
            and hmac.compare_digest(self.secret(table, number).encode(), said)
        ]
        if not found:
            raise refusals.NO_SUCH_LINK()
        return found[0]


def join(table: Table, person: Person, command: Join, links: SeatLinks) -> tuple[Event, ...]:
    """Let somebody hold the seat to which a secret leads; nothing if they do. Raises Refused.

    The only place where `Joined` comes from.
    """
    number = links.seat(table, command.secret)
    seat = table.seats[number]
    assert isinstance(seat, PersonSeat)
    if person.id in seat.people:
        return ()
    if table.seat_of(person.id) is not None:
        raise refusals.ALREADY_SEATED()
    if len(seat.people) >= MOST_DEVICES:
        raise refusals.TOO_MANY_DEVICES(most=MOST_DEVICES)
    return (Joined(number, person.id),)


def relink(table: Table, person: Person) -> tuple[Event, ...]:
    """Give the person's seat a new link and shut all others out who hold it; the host's role stays with the seat."""
    number = table.seat_of(person.id)
    if number is None:
        raise refusals.NOT_SEATED()
    relinked = Relinked(number, person.id)
    if table.host != person.id and table.is_host(person.id):
        return (relinked, Hosted(person.id))
    return (relinked,)
