"""Table: a live place as a value, which `fold` makes from its events.

A `Table` knows everything, hidden cards included: it stays inside this package.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from overtrick._cached import cached_property
from overtrick.games import Game, Position, View
from overtrick.seals import Seal
from overtrick.tables.agreement import NOTHING_SAID, Agreement
from overtrick.tables.chat import Message
from overtrick.tables.clock import UNTIMED, Clock, Timing
from overtrick.tables.commands import Dealer
from overtrick.tables.events import Moved
from overtrick.tables.seats import Seats, bot_of

Status = Literal["waiting", "playing", "over"]


class Table(Struct, frozen=True, kw_only=True, dict=True):
    """A table after `seq` events, the last of them written `at` (Unix time in milliseconds).

    `options`: the game's; they hold "dealer" from the start on. `dealer`: as asked for, then the seat drawn.
    `game`, `position` and `clock` are None before the start. `seals`: every deal of the game, also those still to
    come; () in a game that began before deals were sealed. `dealt_at`: the ply at which each deal was dealt.
    `shut_out`: who held a seat until its private link was renewed, to tell them so and nobody else.
    `swapped`: the seat of a person for whom a bot has begun to play, or ceased to, since the last move.
    `asked_pause`: the seats that want the clocks to stand. `agreement`: about ending the game early.
    `chat`: the last messages of the `spoken`. `proposals`: for the choice that is pending, the end that each seat
    proposed last, of `proposed` proposals. `acts`: how much people have done beside their moves (`acts`).
    `closed`: the house has closed it.
    """

    id: str
    seq: int
    at: int
    host: str
    game_name: str
    options: dict[str, Any]
    asked_dealer: Dealer
    public: bool
    show_played: bool
    pace: str = "normal"
    explain: bool = False
    timing: Timing = UNTIMED
    watching: str = "link"
    talk: str = "open"
    seats: Seats
    rules_version: int
    game: Game | None = None
    position: Position | None = None
    clock: Clock | None = None
    swapped: int | None = None
    shut_out: frozenset[str] = frozenset()
    asked_pause: frozenset[int] = frozenset()
    agreement: Agreement = NOTHING_SAID
    seals: tuple[Seal, ...] = ()
    deals: tuple[dict[str, Any], ...] = ()
    dealt_at: tuple[int, ...] = ()
    moves: tuple[Moved, ...] = ()
    chat: tuple[Message, ...] = ()
    spoken: int = 0
    proposals: tuple[tuple[int, str], ...] = ()
    proposed: int = 0
    acts: tuple[int, ...] = ()
    next_table: str | None = None
    closed: bool = False

    @cached_property
    def status(self) -> Status:
        """Whether people still come, play, or have played."""
        if self.closed:
            return "over"
        if self.position is None:
            return "waiting"
        return "over" if self.position.over or self.agreement.reached else "playing"

    @cached_property
    def public_view(self) -> View | None:
        """The game as everybody may know it; None before the start."""
        return None if self.position is None else self.position.view(None)

    @cached_property
    def cut_short(self) -> bool:
        """Whether its game is over without having been played to its end: by agreement, or by the house."""
        by_house = self.closed and self.position is not None and not self.position.over
        return by_house or self.agreement.reached

    @property
    def given_up(self) -> bool:
        """Whether the game is over because its persons agreed to end it."""
        return self.agreement.reached or any(moved.move == "resign" for moved in self.moves[-1:])

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    @property
    def dealer(self) -> Dealer:
        """The first dealer: as asked for, and from the start on the seat drawn."""
        return self.asked_dealer if self.game is None else int(self.options["dealer"])

    @cached_property
    def to_act(self) -> int | None:
        """The seat whose move it is, if any."""
        return None if self.position is None or self.status == "over" else self.position.to_act

    def seat_of(self, person: str) -> int | None:
        """The seat that a person holds, if any."""
        return self.seats.holders.get(person)

    def is_host(self, person: str) -> bool:
        """Whether a person is the host, or holds the host's seat too."""
        if person == self.host:
            return True
        seat = self.seat_of(person)
        return seat is not None and seat == self.seat_of(self.host)

    @cached_property
    def bot_to_act(self) -> str | None:
        """The bot whose turn it is, of a seat of its own or standing in, if it is one's."""
        return None if self.to_act is None or self.paused else bot_of(self.seats[self.to_act])

    @cached_property
    def paused(self) -> bool:
        """Whether all persons who play have asked that the clocks stand."""
        persons = self.seats.playing_persons
        return self.status == "playing" and bool(persons) and self.asked_pause.issuperset(persons)
