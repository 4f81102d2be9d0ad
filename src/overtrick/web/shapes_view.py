"""What a seat may know of a game, as the API's JSON: the types of `view`, and the words that they share.

Cards are text: suit letter and number (`"R4"`, `"D10"`). Seats are numbers from 0, clockwise.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Seat = Annotated[int, Meta(ge=0, le=4, description="A seat, from 0, clockwise.")]
Card = Annotated[str, Meta(pattern="^[RYGBPDS](1[0-2]|[1-9])$", description="Suit letter and number.")]
Suit = Annotated[str, Meta(pattern="^[RYGBPDS]$")]
Move = Annotated[str, Meta(max_length=20, description="A move as its seat says it: see `legal` of the view.")]


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
