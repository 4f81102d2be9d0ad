"""The JSON that the API answers with about one's own tables, as types."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from overtrick.web.shapes import Dealer, GameRecord, Message, Options, Result, Table, TableId
from overtrick.web.shapes_view import Seat


class Sitter(Struct, kw_only=True):
    """Who holds a seat: a person by name ("" once their data was deleted), a bot, or nobody."""

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


class Account(Struct, kw_only=True):
    """A name claimed with a password. `made_at`: Unix time in milliseconds."""

    name: str
    made_at: int


class Me(Struct, kw_only=True):
    """Who you are; `account` is null for a guest."""

    account: Account | None


class Deleted(Struct, kw_only=True):
    """The secret of a new guest, which you are now.

    `finished`: whether nothing is left of who you were; else it goes on by itself and takes a few minutes.
    """

    secret: str
    finished: bool


class Said(Message, kw_only=True):
    """A message; `mine`: written from a seat that was yours. `at`: Unix time in milliseconds."""

    at: int
    mine: bool


class MyData(Struct, kw_only=True):
    """All that is kept of you. Times are Unix times in milliseconds; tables are named by their ids.

    `devices`: when each one was logged in to your account. `records`: of finished games; `looks`: the other tables, as
    you see them now. `chat`: of the tables where you sit all of it, of others what you wrote. `left`: the names
    under which you sat where you sit no more. `unreadable`: the tables that are left out, for something is wrong
    with what is kept of them.
    """

    account: Account | None
    devices: list[int]
    tables: list[MyTable]
    records: dict[str, GameRecord]
    looks: dict[str, Table]
    chat: dict[str, list[Said]]
    left: dict[str, list[str]]
    unreadable: list[str]
