"""How much people do at a table beside their moves: counted seat by seat, and bounded.

Whoever may step out and come back, ask for a pause and take it back, or renew a link as often as they like can fill a
log, and in Duet tell their partner something (D-24). So each seat has so many acts at once; they come back one by one
with time, and all of them with the next move. What ends something that somebody began is counted too but never
refused: taking a seat back, going on, agreeing, leaving. So nothing can be locked by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from overtrick.tables import refusals
from overtrick.tables.events import (
    BotSat,
    Closed,
    Continued,
    Dealt,
    Ended,
    EndProposed,
    Event,
    Events,
    Flagged,
    Forgotten,
    Hidden,
    Hosted,
    Made,
    Moved,
    Outage,
    PauseAsked,
    Proposed,
    Relinked,
    Sat,
    Spoke,
    Started,
    StoodIn,
)

if TYPE_CHECKING:
    from overtrick.tables.table import Table

_MINUTE = 60_000
_DAY = 24 * 60 * _MINUTE


@dataclass(frozen=True, slots=True)
class Bound:
    """Acts that a seat has at once, and milliseconds after which one of them comes back."""

    most: int
    back: int


WAITING = Bound(60, _MINUTE)
"""Before the start, for all that happens to one seat: sitting down, leaving, bots in and out."""
BETWEEN_MOVES = Bound(20, 10 * _MINUTE)
"""While a game is played, and once it is over."""
IN_A_ROUND = Bound(8, _DAY)
"""While partners in Duet may tell each other nothing."""
FOR_THE_END = 4
"""Acts that a seat has besides for proposing to end the game."""

_BEGINS = (Sat, BotSat, Hosted, StoodIn, PauseAsked, EndProposed, Relinked)
"""What begins something, and so can wait. What else people do follows upon one of these."""
_RENEWS = (Made, Started, Moved)
"""With these every seat has all of its acts again."""
_BOUNDED_OTHERWISE = (
    Dealt, Ended, Outage, Flagged, Forgotten, Continued, Spoke, Proposed, Hidden, Closed,
)  # fmt: skip
"""What the server or the house does, what happens once, and talk, which has bounds of its own."""


def counted(table: Table, event: Event, at: int) -> tuple[int, ...]:
    """What `Table.acts` is after an event: for each seat, and last for the table itself, the moment of full rest.

    That is when the seat has all of its acts again. () is the same as moments that have long passed.
    """
    if isinstance(event, _RENEWS):
        return ()
    if isinstance(event, _BOUNDED_OTHERWISE) or (isinstance(event, StoodIn) and event.why == "away"):
        return table.acts
    place = _place(table, event)
    moments = table.acts or (0,) * (len(table.seats) + 1)
    return (*moments[:place], max(moments[place], at) + bound_of(table).back, *moments[place + 1 :])


def must_have_acts_left(table: Table, events: Events, now: int) -> None:
    """Refuse what begins with something that its seat has done too often for now. Raises Refused."""
    if not events or not isinstance(events[0], _BEGINS):
        return
    first, bound = events[0], bound_of(table)
    most = bound.most + (FOR_THE_END if isinstance(first, EndProposed) else 0)
    moment = table.acts[_place(table, first)] if table.acts else 0
    wait = moment - now - (most - 1) * bound.back
    if wait > 0:
        reason = refusals.AFTER_A_MOVE if table.status == "playing" else refusals.AFTER_A_WHILE
        raise reason.for_now(wait)


def bound_of(table: Table) -> Bound:
    """How much a seat may do now; it changes only with what gives everybody all of it anew."""
    if table.status == "waiting":
        return WAITING
    if table.status == "playing" and table.game_name == "duet" and not chooses_an_end(table):
        return IN_A_ROUND
    return BETWEEN_MOVES


def chooses_an_end(table: Table) -> bool:
    """Whether a game of Duet is between rounds: the end for the forest token is to be chosen (D-21)."""
    return table.public_view is not None and table.public_view.phase == "forest"


def _place(table: Table, event: Event) -> int:
    """Where an event is counted: at its seat; what concerns no one seat, as who is host, at the table's own place."""
    seat: int = getattr(event, "seat", len(table.seats))
    return seat
