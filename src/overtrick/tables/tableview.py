"""A table as one viewer sees it, as values: what `redact` fills in, field by field, and what leaves as JSON."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from overtrick._cached import cached_property
from overtrick.games import View
from overtrick.tables.commands import Dealer
from overtrick.tables.explaining import Said, Told
from overtrick.tables.result import Result
from overtrick.tables.table import Status


class SeatView(Struct, frozen=True):
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


class TimeView(Struct, frozen=True, kw_only=True):
    """How time stands at a game that is being played.

    `left`: of each seat's time, in milliseconds, when this was made; None for whom none runs. `running`: the seat whose
    time runs. `paused`: the clocks stand because all persons wanted it; `asked`: the seats that want it.
    """

    left: tuple[int | None, ...]
    running: int | None
    paused: bool
    asked: tuple[int, ...]


class MessageView(Struct, frozen=True):
    """What somebody at the table wrote; `name` as it was then. `number` counts a table's messages from 1."""

    number: int
    seat: int
    name: str
    text: str


class EndingView(Struct, frozen=True, kw_only=True):
    """What is said about ending a running game early.

    `proposals`: made so far; that is the number of an open one. `seat`: who made the open one, None if none is open.
    `agreed` and `awaited`: the seats that have agreed to it and those still asked. `asked`: all without whose consent
    the game does not end. `may_propose`: the viewer.
    """

    proposals: int
    seat: int | None
    agreed: tuple[int, ...]
    awaited: tuple[int, ...]
    asked: tuple[int, ...]
    may_propose: bool


class TableView(Struct, frozen=True, kw_only=True, dict=True):
    """One table as one viewer sees it.

    `options` hold "dealer" from the start on; `dealer` is "random" until it is drawn. `me` is the viewer's
    seat, None for a spectator. `view` is None while the table waits. `ply` is the number of moves made.
    `commitments`: one for each deal of the game, from the start on; () in a game older than sealed deals. `ending`:
    None unless the game goes on. `cut_short`: it is over without a result, as its persons or the house wanted.
    `said` is why a bot made the last move, where the table wants that and it gives nothing away; `told` every move
    with its reason, once the game is over. `bots_preparing`: a bot is to move that cannot think yet. `time`: None
    where nobody is hurried. `meanwhile`: what has been played since a bot took over from the viewer, seat and move
    in record notation; () once they have played again. `swapped`: the seat of a person for whom a bot has begun to
    play, or ceased to, since the last move. `shut_out`: the viewer held a seat by its private link, which was
    renewed.

    `watching`: who may watch; `talk`: when people may write. `chat`: the last messages, for whoever may watch;
    `may_talk`: whether the viewer may write one now. `proposals`: the end that each seat proposes for the forest token.
    `result`: who has won, None until the game is over. `common`: that of the same state from which this was made.
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
    swapped: int | None = None
    shut_out: bool = False
    chat: tuple[MessageView, ...] = ()
    may_talk: bool = False
    proposals: tuple[tuple[int, str], ...] = ()
    result: Result | None = None
    common: TableView | None = None

    def to_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        values: dict[str, Any] = msgspec.json.decode(self.json)
        return values

    @cached_property
    def json(self) -> bytes:
        """The same as JSON text, the game's view included; what is told at the end is in the record."""
        own = dict(zip(OWN, _own(self), strict=True))
        own["meanwhile"] = [{"seat": seat, "move": move} for seat, move in self.meanwhile]
        return b'{%b,"view":%b,%b' % (
            (self.common or self)._open_text,
            b"null"
            if self.view is None
            else f"{{{self.view.shared.open_text},{self.view.own_text}}}".encode(),
            msgspec.json.encode(own)[1:],
        )

    @cached_property
    def _open_text(self) -> bytes:
        """The fields that everybody sees alike, without braces."""
        sent = {name: getattr(self, name) for name in OPEN}
        sent["said"] = None if self.said is None else self.said.to_json()
        sent["proposals"] = [{"seat": seat, "end": end} for seat, end in self.proposals]
        return msgspec.json.encode(sent)[1:-1]


OWN = (
    "seats", "me", "is_host", "next_table", "ending", "time", "meanwhile", "shut_out", "chat", "may_talk",
)  # fmt: skip
"""What is sent of a view and may be another for each viewer."""
_own = attrgetter(*OWN)
UNSENT = ("told", "bots_preparing", "common")
"""What is not sent."""
OPEN = (
    "id", "seq", "status", "game", "options", "public", "show_played", "pace", "explain", "watching", "talk", "dealer",
    "ply", "rules_version", "commitments", "cut_short", "said", "timing", "swapped", "proposals", "result",
)  # fmt: skip
"""What is sent and is the same for everybody."""
