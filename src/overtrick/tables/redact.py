"""What one person, or a spectator, may see of a table.

Built from nothing, field by field: whatever is not named here stays hidden. No position, deal, log, record,
person's id or token is among it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import msgspec

from overtrick.games import View
from overtrick.tables.chat import Message
from overtrick.tables.clock import left_at
from overtrick.tables.commands import Dealer
from overtrick.tables.explaining import Said, Told, said, told
from overtrick.tables.seats import BotSeat, Person, PersonSeat, Seat, seat_of
from overtrick.tables.table import Status, Table
from overtrick.tables.talking import may_talk
from overtrick.tables.watching import may_watch


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it; `name` for a person, `bot` for a bot, else None.

    Of a person's seat: `stand_in`, the bot that plays for them now; `helped`, how many moves bots have made for them;
    `flagged`, whether their time was up.
    """

    seat: int
    kind: Literal["empty", "person", "bot"]
    name: str | None
    bot: str | None
    is_me: bool
    is_host: bool
    stand_in: str | None = None
    helped: int = 0
    flagged: bool = False

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "seat": self.seat,
            "kind": self.kind,
            "name": self.name,
            "bot": self.bot,
            "is_me": self.is_me,
            "is_host": self.is_host,
            "stand_in": self.stand_in,
            "helped": self.helped,
            "flagged": self.flagged,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeView:
    """How time stands at a game that is being played.

    `left`: of each seat's time, in milliseconds, when this was made; None for whom none runs. `running`: the seat whose
    time runs. `paused`: the clocks stand because all persons wanted it; `asked`: the seats that want it.
    """

    left: tuple[int | None, ...]
    running: int | None
    paused: bool
    asked: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "left": list(self.left),
            "running": self.running,
            "paused": self.paused,
            "asked": list(self.asked),
        }


@dataclass(frozen=True, slots=True)
class MessageView:
    """What somebody at the table wrote; `name` as it was then. `number` counts a table's messages from 1."""

    number: int
    seat: int
    name: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {"number": self.number, "seat": self.seat, "name": self.name, "text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingView:
    """What is said about ending a running game early.

    `proposals`: made so far; that is the number of an open one. `seat`: who made the open one, None if none is open.
    `agreed` and `awaited`: the seats that have agreed to it and those still asked. `may_propose`: the viewer.
    """

    proposals: int
    seat: int | None
    agreed: tuple[int, ...]
    awaited: tuple[int, ...]
    may_propose: bool

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "proposals": self.proposals,
            "seat": self.seat,
            "agreed": list(self.agreed),
            "awaited": list(self.awaited),
            "may_propose": self.may_propose,
        }


@dataclass(frozen=True, kw_only=True)
class TableView:
    """One table as one viewer sees it.

    `options` hold "dealer" from the start on; `dealer` is "random" until it is drawn. `me` is the viewer's
    seat, None for a spectator. `view` is None while the table waits. `ply` is the number of moves made.
    `commitments`: one for each deal of the game, from the start on; () in a game older than sealed deals.
    `ending`: None unless the game goes on. `cut_short`: it is over without a result, because its persons agreed.
    `said` is why a bot made the last move, where the table wants that and it gives nothing away; `told` every
    move with its reason, once the game is over. `bots_preparing`: a bot is to move that cannot think yet. `time`: None
    where nobody is hurried. `meanwhile`: what has been played since a bot took over from the viewer, seat and move in
    record notation; () once they have played again.

    `watching`: who may watch; `talk`: when people may write. `chat`: the last messages, for whoever may watch;
    `may_talk`: whether the viewer may write one now. `proposals`: the end that each seat proposes for the forest token.
    """

    id: str
    seq: int
    status: Status
    game: str
    options: dict[str, Any]
    public: bool
    show_played: bool
    pace: str = "normal"
    explain: bool = False
    watching: str = "link"
    talk: str = "open"
    dealer: Dealer
    seats: tuple[SeatView, ...]
    me: int | None
    is_host: bool
    view: View | None
    ply: int
    next_table: str | None
    rules_version: int
    commitments: tuple[str, ...] = ()
    ending: EndingView | None = None
    cut_short: bool = False
    said: Said | None = None
    told: tuple[Told, ...] = ()
    bots_preparing: bool = False
    timing: dict[str, Any] = field(default_factory=dict)
    time: TimeView | None = None
    meanwhile: tuple[tuple[int, str], ...] = ()
    chat: tuple[MessageView, ...] = ()
    may_talk: bool = False
    proposals: tuple[tuple[int, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as JSON, the game's view included; what is told at the end is in the record."""
        return {
            "id": self.id,
            "seq": self.seq,
            "status": self.status,
            "game": self.game,
            "options": self.options,
            "public": self.public,
            "show_played": self.show_played,
            "pace": self.pace,
            "explain": self.explain,
            "watching": self.watching,
            "talk": self.talk,
            "dealer": self.dealer,
            "seats": [seat.to_json() for seat in self.seats],
            "me": self.me,
            "is_host": self.is_host,
            "view": None if self.view is None else self.view.to_json(),
            "ply": self.ply,
            "next_table": self.next_table,
            "rules_version": self.rules_version,
            "commitments": list(self.commitments),
            "ending": None if self.ending is None else self.ending.to_json(),
            "cut_short": self.cut_short,
            "said": None if self.said is None else self.said.to_json(),
            "timing": self.timing,
            "time": None if self.time is None else self.time.to_json(),
            "meanwhile": [{"seat": seat, "move": move} for seat, move in self.meanwhile],
            "chat": [message.to_json() for message in self.chat],
            "may_talk": self.may_talk,
            "proposals": [{"seat": seat, "end": end} for seat, end in self.proposals],
        }

    @cached_property
    def json(self) -> bytes:
        """The same as JSON text."""
        return msgspec.json.encode(self.to_json())


def table_view(
    table: Table, person: Person | None, *, now: int | None = None, bots_preparing: bool = False
) -> TableView:
    """The table as `person` may see it; without one, or for one who does not sit there, as the public may.

    `now`: Unix time in milliseconds; by default that of the last thing that happened.
    """
    me = None if person is None else seat_of(table.seats, person.id)
    return TableView(
        id=table.id,
        seq=table.seq,
        status=table.status,
        game=table.game_name,
        options=dict(table.options),
        public=table.public,
        show_played=table.show_played,
        pace=table.pace,
        explain=table.explain,
        watching=table.watching,
        talk=table.talk,
        dealer=table.dealer,
        seats=tuple(_seat_view(table, number, seat, me) for number, seat in enumerate(table.seats)),
        me=me,
        is_host=person is not None and table.is_host(person.id),
        view=_game_view(table, me),
        ply=table.ply,
        next_table=table.next_table,
        rules_version=table.rules_version,
        commitments=tuple(one.commitment for one in table.seals),
        ending=_ending_view(table, me),
        cut_short=table.agreement.reached,
        said=said(table),
        told=told(table),
        bots_preparing=bots_preparing,
        timing=table.timing.to_json(),
        time=_time_view(table, table.at if now is None else max(now, table.at)),
        meanwhile=_meanwhile(table, me),
        chat=tuple(map(_message_view, table.chat)) if may_watch(table, person) else (),
        may_talk=me is not None and may_talk(table),
        proposals=table.proposals,
    )


def _game_view(table: Table, me: int | None) -> View | None:
    """The game as the viewer knows it. One that was cut short is left as it was, with nobody to act."""
    if table.position is None:
        return None
    view = table.position.view(me)
    if not table.agreement.reached:
        return view
    stopped = view.observation.copy()
    stopped["turn"], stopped["choices"] = -1, 0
    return View(view.game, stopped)


def _ending_view(table: Table, me: int | None) -> EndingView | None:
    if table.status != "playing":
        return None
    said, persons = table.agreement, table.playing_persons
    return EndingView(
        proposals=said.number,
        seat=said.seat if said.is_open else None,
        agreed=tuple(sorted(said.agreed)) if said.is_open else (),
        awaited=said.awaited(persons),
        may_propose=me in persons and not said.is_open and me not in said.declined,
    )


def _time_view(table: Table, now: int) -> TimeView | None:
    clock, timing = table.clock, table.timing
    if clock is None or not timing.runs or table.status != "playing":
        return None
    persons = table.playing_persons
    running = table.to_act if table.to_act in persons and clock.since is not None else None
    left = (
        left_at(timing, clock, seat, now if seat == running else None)
        if seat in persons and timing.kind != "none"
        else None
        for seat in range(len(table.seats))
    )
    return TimeView(
        left=tuple(left), running=running, paused=table.paused, asked=tuple(sorted(table.asked_pause))
    )


def _meanwhile(table: Table, me: int | None) -> tuple[tuple[int, str], ...]:
    """What lay open as it was played, and the own gifts; what another gave is in the hand (D-18)."""
    seat = None if me is None else table.seats[me]
    if not isinstance(seat, PersonSeat) or seat.away_from is None:
        return ()
    moves = table.moves[seat.away_from :]
    return tuple(
        (moved.seat, moved.move) for moved in moves if moved.seat == me or not moved.move.startswith("gift:")
    )


def _message_view(message: Message) -> MessageView:
    return MessageView(message.number, message.seat, message.name, message.text)


def _seat_view(table: Table, number: int, seat: Seat, me: int | None) -> SeatView:
    if isinstance(seat, PersonSeat):
        is_host = table.host in seat.people
        return SeatView(
            number,
            "person",
            seat.name,
            None,
            is_me=number == me,
            is_host=is_host,
            stand_in=seat.stand_in,
            helped=seat.helped,
            flagged=seat.flagged,
        )
    if isinstance(seat, BotSeat):
        return SeatView(number, "bot", None, seat.bot, is_me=False, is_host=False)
    return SeatView(number, "empty", None, None, is_me=False, is_host=False)
