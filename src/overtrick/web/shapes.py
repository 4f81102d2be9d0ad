"""The JSON that the API answers with, as types, so that its description can be made from them.

They describe what `TableView.to_json()` and its kin give; a test plays whole games and holds both together.
Cards are text: suit letter and number (`"R4"`, `"D10"`). Seats are numbers from 0, clockwise.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Seat = Annotated[int, Meta(ge=0, le=4, description="A seat, from 0, clockwise.")]
Card = Annotated[str, Meta(pattern="^[RYGBPDS](1[0-2]|[1-9])$", description="Suit letter and number.")]
Suit = Annotated[str, Meta(pattern="^[RYGBPDS]$")]
Move = Annotated[str, Meta(max_length=20, description="A move as its seat says it: see `legal` of the view.")]
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
Options = Annotated[
    dict[str, Any],
    Meta(
        description='Of the game. Luz: "players" 3..5, "bead_supply" null or 15. Duet: "level" 1..3, "board".',
        examples=[{"players": 4, "bead_supply": None}, {"level": 1}],
    ),
]


class LuzOptions(Struct, kw_only=True):
    """Options of a game of Luz."""

    players: int
    dealer: Seat
    bead_supply: int | None


class HeldCard(Struct, kw_only=True):
    """A card of a Luz hand: its place, and its card or only its suit, as the viewer may know."""

    place: Annotated[int, Meta(ge=1, le=10, description="Place in the hand as dealt; high values are right.")]
    card: Card | UnsetType = UNSET
    suit: Suit | UnsetType = UNSET


class PlayedCard(Struct, kw_only=True):
    """A card that was played, and the place of the hand from which it came."""

    place: int
    card: Card


class LuzTrick(Struct, kw_only=True):
    """The last trick that was taken, in deal `deal`: at a deal's start still the deal before's."""

    deal: int
    leader: Seat
    cards: list[Card]
    winner: Seat


class LuzResult(Struct, kw_only=True):
    """How a game of Luz ended."""

    scores: list[int]
    by_deal: list[list[int]]
    winner: Seat


class LuzView(Struct, kw_only=True, tag_field="game", tag="luz"):
    """A game of Luz as one seat, or the public (`seat` null), may see it. `bets` are `"3"` or `"3+"`."""

    seat: Seat | None
    options: LuzOptions
    phase: Literal["deal", "bet", "play", "over"]
    deal: Annotated[int, Meta(ge=1, le=4)]
    first: Seat
    leader: Seat
    to_act: Seat | None
    bets: list[str | None]
    beads_left: int | None
    tricks: list[int]
    trick: list[Card]
    last_trick: LuzTrick | None
    hands: list[list[HeldCard]]
    played: list[list[PlayedCard]]
    scores: list[int]
    by_deal: list[list[int]]
    legal: list[Move]
    result: LuzResult | None


class DuetOptions(Struct, kw_only=True):
    """Options of a game of Duet."""

    level: Annotated[int, Meta(ge=1, le=3)]
    dealer: Seat
    board: str


class DuetTrick(Struct, kw_only=True):
    """The last trick that was taken, in round `round`: at a round's start still the round before's.

    `move`: the displacement chosen; `gem`: whether one was taken.
    """

    round: int
    leader: Seat
    cards: list[Card]
    winner: Seat
    move: int
    ran_off: bool
    gem: bool


class DuetResult(Struct, kw_only=True):
    """How a game of Duet ended."""

    won: bool
    score: int
    round: int
    gems_left: int
    reason: Literal["won", "lost in the forest", "out of time", "given up"]


class DuetView(Struct, kw_only=True, tag_field="game", tag="duet"):
    """A game of Duet as one seat, or the public (`seat` null), may see it.

    `hands`: null for a hand that is hidden. `known`: cards the viewer knows to be there without seeing it;
    `void`: suits of which that seat holds no other card. `gifts`: `"?"` for one chosen out of sight.
    """

    seat: Seat | None
    options: DuetOptions
    phase: Literal["deal", "play", "foxes", "decree", "gift", "move", "forest", "over"]
    round: Annotated[int, Meta(ge=1, le=3)]
    dealer: Seat
    leader: Seat
    to_act: Seat | None
    decree: Card | None
    tracker: int
    start: int
    gems: list[int]
    plus: list[int]
    covered: Annotated[list[int], Meta(description="Spaces covered at the low and at the high end.")]
    tokens: int
    supply: int
    tricks: list[int]
    trick: list[Card]
    last_trick: DuetTrick | None
    hands: list[list[Card] | None]
    hand_sizes: list[int]
    known: list[list[Card]]
    void: list[list[Suit]]
    gifts: list[str | None]
    played: list[Card]
    legal: list[Move]
    result: DuetResult | None


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


Commitment = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 of a deal that is secret until the game is over."),
]


class Table(Struct, kw_only=True):
    """A table as the asker may see it.

    `seq` grows with everything that happens there. `me`: the asker's seat, null for a spectator. `view` is
    null while the table waits. `next_table`: where the same people play again. `said`: the last move's reason, where
    `explain` is on and it gives nothing away. `time`: null where nobody is hurried. `meanwhile`: what was played since
    a bot took over from the asker. `commitments`: one for each deal of the game, from the start on; note them, and
    `overtrick verify` checks the record against them at the end.
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
    dealer: Dealer
    seats: list[SeatAtTable]
    me: Seat | None
    is_host: bool
    view: LuzView | DuetView | None
    ply: Ply
    next_table: TableId | None
    rules_version: int
    commitments: list[Commitment]
    said: Said | None
    timing: Timing
    time: Time | None
    meanwhile: list[OpenMove]


class OpenTable(Struct, kw_only=True):
    """A public table that waits for people. `made_at`: Unix time in milliseconds."""

    id: TableId
    game: Literal["luz", "duet"]
    options: Options
    dealer: Dealer
    names: list[str]
    bots: int
    free: int
    made_at: int


class OpenTables(Struct, kw_only=True):
    """The public tables with a free seat, the latest changed first."""

    tables: list[OpenTable]


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
