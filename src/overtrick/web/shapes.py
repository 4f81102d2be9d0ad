"""The JSON that the API answers with, as types, so that its description can be made from them.

They describe what `TableView.to_json()` and its kin give; a test plays whole games and holds both together.
What they say of the game itself is in `shapes_view`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from overtrick.web.shapes_view import DuetView, LuzView, Seat

Ply = Annotated[int, Meta(ge=0, description="The number of moves made so far.")]
TableId = Annotated[str, Meta(description="The last part of the table's address.")]
Dealer = Annotated[
    Literal["random"] | int,
    Meta(description='The seat that deals the first deal; "random" until it is drawn, at the start.'),
]
Pace = Annotated[
    Literal["unhurried", "normal", "fast"], Meta(description="How long a bot's move takes at least.")
]
Explain = Annotated[
    bool,
    Meta(description="Whether bots say why they moved while the game goes on, where it gives nothing away."),
]
Watching = Annotated[
    Literal["nobody", "link", "everybody"],
    Meta(
        description="Who may watch beside those who belong to the table; the front page lists it for everybody."
    ),
]
Talk = Annotated[
    Literal["open", "between", "off"],
    Meta(
        description="When people may write; in Duet before, between and after rounds only, or never (D-24)."
    ),
]
End = Annotated[Literal["low", "high"], Meta(description="An end of the path.")]
Options = Annotated[
    dict[str, Any],
    Meta(
        description='Of the game. Luz: "players" 3..5, "bead_supply" null or 15. Duet: "level" 1..3, "board".',
        examples=[{"players": 4, "bead_supply": None}, {"level": 1}],
    ),
]


class Timing(Struct, kw_only=True):
    """How a table deals with time.

    `kind`: "none"; "bank", `seconds` a seat for the game and `increment` more for each move made; "move", `seconds`
    for each move. `flag`, when time is up: "bot" plays on, or "forfeit". `away`: seconds after which a bot sits in for
    a person who keeps the table waiting; 0: never.
    """

    kind: Literal["none", "bank", "move"]
    seconds: int
    increment: int
    flag: Literal["bot", "forfeit"]
    away: int


class Time(Struct, kw_only=True):
    """How time stands: milliseconds `left` by seat (null: none runs there), the seat whose time is `running`.

    `paused`: the clocks stand; `asked`: the seats that want them to.
    """

    left: list[int | None]
    running: Seat | None
    paused: bool
    asked: list[Seat]


class OpenMove(Struct, kw_only=True):
    """A move that a seat made, in record notation."""

    seat: Seat
    move: str


class SeatAtTable(Struct, kw_only=True):
    """One seat and who holds it.

    Of a person's: the bot that plays for them now, how many moves bots have made for them, whether their time was up.
    """

    seat: Seat
    kind: Literal["empty", "person", "bot"]
    name: str | None
    bot: str | None
    is_me: bool
    is_host: bool
    stand_in: str | None
    helped: int
    flagged: bool


class Said(Struct, kw_only=True):
    """Why the bot of a seat made the last move, in English."""

    seat: Seat
    sentence: str


Proposals = Annotated[int, Meta(ge=0, description="The number of proposals to end the game made so far.")]


class Ending(Struct, kw_only=True):
    """What is said about ending the game early: `seat` has made proposal number `proposals`, null if none is open.

    `agreed`: seats that agreed to it; `awaited`: those still asked; if none is, who made it confirms it. `asked`: all
    without whose consent the game does not end, those among them for whom a bot that they did not ask for has made
    fewer than ten moves. `may_propose`: the asker.
    """

    proposals: Proposals
    seat: Seat | None
    agreed: list[Seat]
    awaited: list[Seat]
    asked: list[Seat]
    may_propose: bool


Commitment = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 of a deal that is secret until the game is over."),
]


class Message(Struct, kw_only=True):
    """What somebody at the table wrote, under the name that they had. `number` counts a table's messages from 1."""

    number: Annotated[int, Meta(ge=1)]
    seat: Seat
    name: str
    text: str


class Proposal(Struct, kw_only=True):
    """The end that a seat proposes for the forest token (D-21)."""

    seat: Seat
    end: End


class Result(Struct, kw_only=True):
    """Who has won: in Duet both seats or none, in Luz one seat, or none. `forfeited`: the seats that lost by time.

    `by_house`: the house has closed the table before anybody could win.
    """

    winners: list[Seat]
    forfeited: list[Seat]
    by_house: bool = False


class Table(Struct, kw_only=True):
    """A table as the asker may see it.

    `seq` grows with everything that happens there. `me`: the asker's seat, null for a spectator. `view` is
    null while the table waits; its `legal` is empty while a bot plays for the asker (`stand_in` of their seat) or the
    game is paused. `next_table`: where the same people play again, for them and, if the table is public, for all.
    `said`: the last move's reason, where `explain` is on and it gives nothing away. `time`: null where nobody is
    hurried. `meanwhile`: what was played since a bot took over from the asker. `swapped`: the seat of a person for whom
    a bot has begun to play, or ceased to, since the last move. `shut_out`: the asker held a seat whose private link
    somebody else who holds it has renewed. `commitments`: one for each deal of the game, from the start on; note them,
    and `overtrick verify` checks the record against them at the end.
    `ending`: null unless the game goes on. `cut_short`: it is over without a result, because its persons agreed to
    end it.
    `chat`: the last 100 messages. `may_talk`: whether the asker may write one now. `result`: null until the game is
    over; the `result` of `view` is what the cards make of it, whoever has lost by time.
    """

    id: TableId
    seq: int
    status: Literal["waiting", "playing", "over"]
    game: Literal["luz", "duet"]
    options: Options
    public: bool
    show_played: bool
    pace: Pace
    explain: Explain
    watching: Watching
    talk: Talk
    dealer: Dealer
    seats: list[SeatAtTable]
    me: Seat | None
    is_host: bool
    view: LuzView | DuetView | None
    ply: Ply
    next_table: TableId | None
    rules_version: int
    commitments: list[Commitment]
    ending: Ending | None
    cut_short: bool
    said: Said | None
    timing: Timing
    time: Time | None
    meanwhile: list[OpenMove]
    swapped: Seat | None
    shut_out: bool
    chat: list[Message]
    may_talk: bool
    proposals: list[Proposal]
    result: Result | None


class OpenTable(Struct, kw_only=True):
    """A table that the front page lists. `made_at`: Unix time in milliseconds."""

    id: TableId
    game: Literal["luz", "duet"]
    options: Options
    dealer: Dealer
    names: list[str]
    bots: int
    free: int
    made_at: int


class OpenTables(Struct, kw_only=True):
    """The public tables with a free seat, and the games under way that everybody may watch; latest changed first."""

    tables: list[OpenTable]
    to_watch: list[OpenTable]


class Guest(Struct, kw_only=True):
    """A new guest. Keep the secret: it is all that holds your seats, and it is never shown again."""

    secret: str


class GameRecord(Struct, kw_only=True):
    """A whole finished game, hidden cards included, ready for `overtrick replay`.

    `meta.seals`: each deal of the game, reached or not, with its nonce and its commitment.
    `meta.reasons`, where bots have played: for each move why the bot made it, in English, or null.
    """

    overtrick: Literal[1]
    game: Literal["luz", "duet"]
    options: dict[str, Any]
    deals: list[dict[str, Any]]
    moves: list[str]
    meta: dict[str, Any]


class ProblemDetails(Struct, kw_only=True):
    """Why something was refused (RFC 9457); nothing was done.

    `kind` is a word for programs, `detail` a sentence for people, `clause` the rule's number if a rule says
    no. `errors`: what is wrong with which part of the request.
    """

    type: Literal["about:blank"]
    title: str
    status: int
    kind: str
    detail: str
    clause: str | UnsetType = UNSET
    errors: dict[str, str] | UnsetType = UNSET
