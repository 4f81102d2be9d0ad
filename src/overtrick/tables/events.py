"""What happened at a table: frozen, versioned values, each with a row form for the log.

The log is omniscient: it holds the deals, the persons' ids and moves in record notation. No event
leaves the server while a game goes on; what a person may see is made by `redact`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, get_args

from overtrick.tables.commands import Dealer
from overtrick.tables.happened import Happened


@dataclass(frozen=True, slots=True)
class Made(Happened):
    """A table was made; always the first event. `options` are complete but for `dealer`.

    `pace`: of the bots' moves. `explain`: bots say why, where that gives nothing away. `timing`: as `clock.Timing` in
    JSON.
    `watching`: who may watch. `talk`: when people may write.
    """

    KIND = "made"
    game: str
    options: dict[str, Any]
    dealer: Dealer
    host: str
    seats: int
    public: bool
    show_played: bool
    rules_version: int
    pace: str = "normal"
    explain: bool = False
    timing: dict[str, Any] = field(default_factory=dict)
    watching: str = "link"
    talk: str = "open"


@dataclass(frozen=True, slots=True)
class Sat(Happened):
    """A person took a seat."""

    KIND = "sat"
    seat: int
    person: str
    name: str


@dataclass(frozen=True, slots=True)
class BotSat(Happened):
    """A bot was put in a seat."""

    KIND = "bot_sat"
    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class Freed(Happened):
    """Whoever sat in a seat left it."""

    KIND = "freed"
    seat: int


@dataclass(frozen=True, slots=True)
class Joined(Happened):
    """Another device, as a person of its own, came to hold a seat too, by the seat's private link."""

    KIND = "joined"
    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class Relinked(Happened):
    """A seat got a new private link; only `person`, who asked for it, holds the seat from now on."""

    KIND = "relinked"
    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class Hosted(Happened):
    """Another person became the host; `person` "": nobody is, until somebody sits down."""

    KIND = "hosted"
    person: str


@dataclass(frozen=True, slots=True)
class Started(Happened):
    """The game began; `options` hold the dealer drawn, `rules_version` the engine's rules.

    `board`: Duet's board with all its numbers, for the file behind the name in `options` may change or go.
    `seals`: every deal of the game, sealed (`overtrick.seals`); None in a log older than that, whose deals are drawn
    one by one.
    """

    KIND = "started"
    options: dict[str, Any]
    rules_version: int
    board: dict[str, Any] | None = None
    seals: list[dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Dealt(Happened):
    """A deal or round was dealt, as RECORD's `deals`: the next of those sealed."""

    KIND = "dealt"
    deal: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Moved(Happened):
    """A seat moved: `move` in record notation, `said` as the seat asked for it.

    `why`: a bot's reason, `msgid` and `params`, where it counts something `plural`, and `then`, the sentences that
    follow; it knows what that seat knew.
    """

    KIND = "moved"
    seat: int
    move: str
    said: str
    why: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StoodIn(Happened):
    """A bot plays for a person from now on; `why`: "left" (they asked), "away" (they kept the table waiting)."""

    KIND = "stood_in"
    seat: int
    bot: str
    why: str


@dataclass(frozen=True, slots=True)
class CameBack(Happened):
    """A person plays again, for whom a bot stood in."""

    KIND = "came_back"
    seat: int


@dataclass(frozen=True, slots=True)
class Flagged(Happened):
    """A person's time was up, and that bot plays on for them."""

    KIND = "flagged"
    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class PauseAsked(Happened):
    """A person asked that the clocks stand; they do once all persons have."""

    KIND = "pause_asked"
    seat: int


@dataclass(frozen=True, slots=True)
class Resumed(Happened):
    """A person let the clocks run again."""

    KIND = "resumed"
    seat: int


@dataclass(frozen=True, slots=True)
class Outage(Happened):
    """No server was there for so many milliseconds while a clock ran: they do not count."""

    KIND = "outage"
    lasted: int


@dataclass(frozen=True, slots=True)
class EndProposed(Happened):
    """A seat proposed to end the game early."""

    KIND = "end_proposed"
    seat: int


@dataclass(frozen=True, slots=True)
class EndAgreed(Happened):
    """A seat agreed to the open proposal."""

    KIND = "end_agreed"
    seat: int


@dataclass(frozen=True, slots=True)
class EndDeclined(Happened):
    """A seat wanted to play on: the open proposal is closed."""

    KIND = "end_declined"
    seat: int


@dataclass(frozen=True, slots=True)
class Ended(Happened):
    """The game ended by agreement, without a result (Luz; in Duet the team gives up by a move)."""

    KIND = "ended"


@dataclass(frozen=True, slots=True)
class Spoke(Happened):
    """The person of a seat wrote something; `token` marks the request that did it."""

    KIND = "spoke"
    seat: int
    text: str
    token: str


@dataclass(frozen=True, slots=True)
class Proposed(Happened):
    """The person of a seat proposed an end, "low" or "high", for the forest token (D-21)."""

    KIND = "proposed"
    seat: int
    end: str


@dataclass(frozen=True, slots=True)
class Continued(Happened):
    """The same people go on at the next table."""

    KIND = "continued"
    next_table: str


@dataclass(frozen=True, slots=True)
class Forgotten(Happened):
    """A person's data was deleted: what stood of them in the events before this one is blank since.

    `seat`: the one that they held, which nobody holds any more; None if it is free, or they held none. `messages`:
    the numbers of theirs among those that are shown.
    """

    KIND = "forgotten"
    seat: int | None
    messages: list[int]


@dataclass(frozen=True, slots=True)
class Hidden(Happened):
    """The house took the table off the front page, for good; who has its link goes on as before."""

    KIND = "hidden"


@dataclass(frozen=True, slots=True)
class Closed(Happened):
    """The house closed the table: what went on there is over, without a result, and nobody sees it any more."""

    KIND = "closed"


Event = (
    Made | Sat | BotSat | Freed | Joined | Relinked | Hosted | Started | Dealt | Moved | StoodIn | CameBack | Flagged
    | PauseAsked | Resumed | Outage | EndProposed | EndAgreed | EndDeclined | Ended | Spoke | Proposed | Continued
    | Forgotten | Hidden | Closed
)  # fmt: skip

Events = tuple[Event, ...]
"""What follows from a command, in order."""
EVENTS: dict[str, type[Event]] = {kind.KIND: kind for kind in get_args(Event)}


@dataclass(frozen=True, slots=True)
class Logged:
    """An event as it stands in the log; `at`: when it was written, Unix time in milliseconds."""

    at: int
    event: Event
