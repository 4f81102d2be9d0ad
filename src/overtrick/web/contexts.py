"""What each page is made from: frozen values that routes fill in and `pages` turns into HTML.

A page is a pure function of its context: the same context gives the same bytes. Anything random or
timed (a form's token, a CSRF token) is therefore a field here, made by the route.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overtrick.tables import Account, LinkedSeat, MyTables, TableSummary, TableView


@dataclass(frozen=True)
class LobbyPage:
    """The front page: make a table, join one that is open, or watch a game.

    `token` is the repeat guard of both make forms; `name` pre-fills the visitor's name; `form` holds the fields of a
    refused form, so that nothing has to be typed again; `error` is a finished sentence. `account`: the name of the one
    that is logged in, "" for a guest.
    """

    csrf: str
    token: str
    account: str = ""
    tables: tuple[TableSummary, ...] = ()
    to_watch: tuple[TableSummary, ...] = ()
    locale: str = "en"
    name: str = ""
    error: str | None = None
    form: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TablePage:
    """One viewer's look at one table, in any status.

    `invite_url` is the absolute address to send to friends; `error` the finished sentence of a refusal
    (`i18n.Language.say`); `name` pre-fills the form for sitting down. `heartbeat`: seconds between the signs of
    life that the page gets.
    """

    table: TableView
    csrf: str
    invite_url: str
    locale: str = "en"
    error: str | None = None
    name: str = ""
    heartbeat: float = 15.0


@dataclass(frozen=True)
class GamesPage:
    """The tables at which one person sits; `now`: Unix time in milliseconds; `first`: whether it is the first page.

    `account`: the name of the one that is logged in, "" for a guest.
    """

    tables: MyTables
    now: int
    csrf: str
    locale: str = "en"
    first: bool = True
    account: str = ""


@dataclass(frozen=True)
class LinkPage:
    """The private link of the viewer's seat; `url` is absolute. `renewed`: they have just made it anew."""

    table: TableView
    url: str
    csrf: str
    locale: str = "en"
    renewed: bool = False


@dataclass(frozen=True)
class JoinPage:
    """What a private link opens: whether this device is to hold that `seat` too."""

    table_id: str
    seat: LinkedSeat
    secret: str
    csrf: str
    locale: str = "en"


@dataclass(frozen=True)
class MePage:
    """One's own account, or how to get one; `games`: tables of a guest that go on. `error`: a finished sentence.

    `takes`: whether to log in is to take those along, as it was ticked in a form that was refused.
    """

    csrf: str
    account: Account | None = None
    games: int = 0
    takes: bool = True
    name: str = ""
    error: str | None = None
    done: str = ""
    locale: str = "en"


@dataclass(frozen=True)
class DeletePage:
    """What deleting one's data does; `games`: tables that go on. `error`: a finished sentence."""

    csrf: str
    account: Account | None = None
    games: int = 0
    error: str | None = None
    locale: str = "en"


@dataclass(frozen=True)
class ErrorPage:
    """Something went wrong: `status` is the HTTP status, `sentence` is finished and says what to do.

    `record`: the table whose record the visitor may have all the same, if any. `heading`: instead of the status's.
    """

    status: int
    sentence: str
    locale: str = "en"
    record: str = ""
    heading: str = ""
