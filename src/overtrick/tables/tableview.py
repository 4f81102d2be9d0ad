"""A table as one viewer sees it, as values: what `redact` fills in, field by field, and what leaves as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import msgspec

from overtrick.games import View
from overtrick.tables.commands import Dealer
from overtrick.tables.explaining import Said, Told
from overtrick.tables.result import Result
from overtrick.tables.table import Status


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it; `name` for a person whose data was not deleted, `bot` for a bot, else None.

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
    `result`: who has won, None until the game is over.
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
    result: Result | None = None

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
            "result": None if self.result is None else self.result.to_json(),
        }

    @cached_property
    def json(self) -> bytes:
        """The same as JSON text."""
        return msgspec.json.encode(self.to_json())
