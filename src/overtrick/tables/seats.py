"""Who holds which seat of a table: nobody, a person, or a bot."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a browser or an API client; `id` is opaque: a hash of the secret that only they hold."""

    id: str


@dataclass(frozen=True, slots=True)
class Empty:
    """A seat that waits for somebody."""


@dataclass(frozen=True, slots=True)
class PersonSeat:
    """A seat held by a person, under a cleaned name."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat held by the bot of that registered name."""

    bot: str


Seat = Empty | PersonSeat | BotSeat
Seats = tuple[Seat, ...]
EMPTY = Empty()


def seat_of(seats: Seats, person: str) -> int | None:
    """The seat that a person holds, if any."""
    for number, seat in enumerate(seats):
        if isinstance(seat, PersonSeat) and seat.person == person:
            return number
    return None


def replaced(seats: Seats, number: int, seat: Seat) -> Seats:
    """The same seats with one of them changed."""
    return (*seats[:number], seat, *seats[number + 1 :])
