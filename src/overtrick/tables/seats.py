"""Who holds which seat of a table: nobody, a person, or a bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from overtrick._cached import cached_property


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a browser or an API client; `id` is opaque: a hash of the secret that only they hold."""

    id: str


STAND_IN = "medium"
"""The bot that plays for a person who is away."""
NOBODY = ""
"""The host of a table whose host has left it alone."""
LONG_AWAY = 10
"""Moves of a bot after which a person who has not asked for it is long away: about a deal, or most of a round."""
GONE = "gone"
"""In the place of the id of a person whose data was deleted; nobody has it for an id."""


@dataclass(frozen=True, slots=True)
class Empty:
    """A seat that waits for somebody."""


class PersonSeat(Struct, frozen=True):
    """A seat held by a person, under a cleaned name.

    `stand_in`: the bot that plays for them now, if one does. `helped`: moves that bots have made for them.
    `away_from`: the ply at which a bot took over, until they make a move again. `flagged`: their time was up.
    `also`: who holds it too, by the seat's private link. `link`: the number of the event since which that link is
    what it is; `since`: of the one by which the seat was taken. `has_say`: moves that a bot which they did not ask for
    has yet to make before the others may end the game without them. Of somebody whose data was deleted the seat
    is left, held by nobody under no name: it is `gone`.
    """

    person: str
    name: str
    stand_in: str | None = None
    helped: int = 0
    away_from: int | None = None
    flagged: bool = False
    also: tuple[str, ...] = ()
    link: int = 0
    since: int = 0
    has_say: int = 0

    @property
    def gone(self) -> bool:
        """Whether its person's data was deleted."""
        return self.person == GONE

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who holds it."""
        return () if self.gone else (self.person, *self.also)


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat held by the bot of that registered name."""

    bot: str


Seat = Empty | PersonSeat | BotSeat
EMPTY = Empty()


class Seats(tuple[Seat, ...]):
    """A table's seats, and what follows from them alone: found once, for nearly every move leaves them as they are."""

    @cached_property
    def holders(self) -> dict[str, int]:
        """The seat of everybody who holds one."""
        return {person: number for number, seat in self.persons for person in seat.people}

    @cached_property
    def persons(self) -> tuple[tuple[int, PersonSeat], ...]:
        """The seats of persons, and their numbers."""
        return tuple((number, seat) for number, seat in enumerate(self) if isinstance(seat, PersonSeat))

    @cached_property
    def playing_persons(self) -> tuple[int, ...]:
        """The seats of persons for whom no bot stands in."""
        return tuple(number for number, seat in self.persons if not seat.stand_in)

    @cached_property
    def asked_to_end(self) -> tuple[int, ...]:
        """The seats without whose consent the game does not end early: of persons who play, or are not long away."""
        return tuple(
            number for number, seat in self.persons if not seat.gone and (not seat.stand_in or seat.has_say)
        )

    @cached_property
    def stand_ins(self) -> tuple[int, ...]:
        """The seats of persons for whom bots play."""
        return tuple(number for number, seat in self.persons if seat.stand_in)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the persons whose data was not deleted."""
        return tuple(seat.name for _, seat in self.persons if not seat.gone)

    @cached_property
    def sitters(self) -> tuple[dict[str, Any], ...]:
        """Who holds each seat, as `sitter` says it."""
        return tuple(map(sitter, self))

    @cached_property
    def bots(self) -> int:
        """The number of bots with a seat of their own."""
        return sum(isinstance(seat, BotSeat) for seat in self)

    @cached_property
    def free(self) -> int:
        """The number of empty seats."""
        return self.count(EMPTY)

    @cached_property
    def shown(self) -> dict[tuple[str, int | None], Any]:
        """Room for how they are shown, by the host and the seat of the viewer; it goes with them."""
        return {}


def first_of(seats: Seats) -> str:
    """The first person who holds a seat, who becomes the host after one who goes; nobody if none does."""
    return next((seat.person for _, seat in seats.persons if not seat.gone), NOBODY)


def bot_of(seat: Seat) -> str | None:
    """The bot that plays for a seat now, its own or one that stands in; None if a person does, or nobody."""
    match seat:
        case BotSeat():
            return seat.bot
        case PersonSeat():
            return seat.stand_in
    return None


def replaced(seats: Seats, number: int, seat: Seat) -> Seats:
    """The same seats with one of them changed."""
    return Seats((*seats[:number], seat, *seats[number + 1 :]))


def sitter(seat: Seat) -> dict[str, Any]:
    """Who holds a seat, as JSON: `{"name": ...}`, `{"bot": ...}` or `{}`; the name of one who is gone is "".

    Of a person also, where it is so, that bots have made moves for them and that their time was up.
    """
    match seat:
        case PersonSeat():
            helped = {"moves_by_bot": seat.helped} if seat.helped else {}
            return {"name": seat.name} | helped | ({"time_was_up": True} if seat.flagged else {})
        case BotSeat():
            return {"bot": seat.bot}
    return {}
