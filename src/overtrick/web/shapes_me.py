"""The JSON that the API answers with about one's own tables, as types."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from overtrick.web.shapes import Dealer, Options, Result, TableId
from overtrick.web.shapes_view import Seat


class Sitter(Struct, kw_only=True):
    """Who holds a seat: a person by name, a bot, or nobody."""

    name: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET


class MyTable(Struct, kw_only=True):
    """A table at which you sit. `sitters`: by seat. `awaits`: the seat for which the others wait, if any.

    `bot_plays`: a bot plays for you until you come back. `result`: null until the game is over.
    `changed_at`: Unix time in milliseconds.
    """

    id: TableId
    status: Literal["waiting", "playing", "over"]
    game: Literal["luz", "duet"]
    options: Options
    dealer: Dealer
    sitters: list[Sitter]
    me: Seat
    awaits: Seat | None
    waits_for_me: bool
    bot_plays: bool
    result: Result | None
    changed_at: int


class MyTables(Struct, kw_only=True):
    """Your tables: those that go on, those that wait for you first, and on pages the finished ones, latest first."""

    going_on: Annotated[list[MyTable], Meta(description="On the first page only.")]
    over: list[MyTable]
    more: Annotated[str | None, Meta(description="`before` of the next page, null on the last.")]


class SeatLink(Struct, kw_only=True):
    """The private link of your seat: keep it as you keep your own secret."""

    secret: str
    url: str
