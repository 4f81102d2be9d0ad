"""How much one client may ask for: so often by kind of request, and so many streams at once.

Counted are the person, known by a secret, or by an account whatever the device, and the address, which several people
may share and which therefore gets `SHARED` times as much. Passwords are counted besides by whose they are said to be.
Each process counts for itself, in memory, and a restart forgets.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING

from litestar import WebSocket
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware

from overtrick.errors import N_, OvertrickError
from overtrick.web.answers import deny
from overtrick.web.problems import Problem
from overtrick.web.problems import kind_of as refused_as
from overtrick.web.rates import SHARED, Tier, too_often
from overtrick.web.settings import Settings
from overtrick.web.visitor import secret_of

if TYPE_CHECKING:
    from typing import Any

    from litestar.types import ASGIApp, Receive, Scope, Send

    Connection = ASGIConnection[Any, Any, Any, Any]

KINDS = {
    "sit": "seat", "leave": "seat", "bot": "seat",
    "tables": "table", "again": "table", "guests": "guest",
    "events": "stream", "live": "stream",
    "data": "data", "data.json": "data",
    "health": "uncounted", "metrics": "uncounted", "{path}": "uncounted",
}  # fmt: skip
"""What a route is counted as, by the last part of its path, where that is not `look` for GET and `act` for POST."""

STREAM_RETRY = 15
DATA_RETRY = 5

TOO_MANY_STREAMS = N_("Too many tables are open here at once. Close some of them, then load this one again.")


class Streams:
    """So many streams open at once for each person, and `SHARED` times as many for an address; 0: no limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    @property
    def clients(self) -> int:
        """The number of clients, persons and addresses, that have a stream open."""
        return len(self._open)

    def held(self, address: str, person: str | None) -> AbstractContextManager[None]:
        """Return what holds a stream open; raises Problem (429) for one too many."""
        if not self._most:
            return nullcontext()
        clients = [f"address {address}", *([f"person {person}"] if person else [])]
        for client, most in zip(clients, (SHARED * self._most, self._most), strict=False):
            if self._open[client] >= most:
                headers = {"retry-after": str(STREAM_RETRY)}
                raise Problem(TOO_MANY_STREAMS, status=429, kind="too_many_streams", headers=headers)
        return self._hold(clients)

    @contextmanager
    def _hold(self, clients: list[str]) -> Iterator[None]:
        self._open.update(clients)
        try:
            yield
        finally:
            self._open.subtract(clients)
            for client in clients:
                if not self._open[client]:
                    del self._open[client]


class Passwords:
    """So many passwords tried and found wrong in an hour, by whose they are said to be and by address; 0: no limit.

    The name that somebody logs in under and the account of somebody who is logged in are counted apart: who tries a
    name out from outside cannot keep its owner, who is logged in, from changing the password. Whether the name exists
    makes no difference.
    """

    def __init__(self, most: int) -> None:
        self._tier = Tier.of(most, 3600.0)

    @contextmanager
    def tried(self, connection: Connection, whose: str) -> Iterator[None]:
        """Count what is tried in the block, before it is known to be wrong, and not if it turns out right.

        Raises Problem (429), and then the block is not begun.
        """
        if self._tier is None:
            yield
            return
        address = address_of(connection.scope)
        self._tier.pass_or_refuse(address, whose)
        try:
            yield
        except OvertrickError as refused:
            if refused_as(refused) != "forbidden":  # for another reason than the password
                self._tier.give_back(address, whose)
            raise
        self._tier.give_back(address, whose)


class Limits(ASGIMiddleware):
    """Counts each request in its tier, by address and by person, and refuses what is too much.

    `person_of`: what tells for whom a secret stands, once there is something that knows.
    """

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    def __init__(self, settings: Settings) -> None:
        minute, hour = 60.0, 3600.0
        self._tiers = {
            "look": Tier.of(settings.limit_looks, minute),
            "act": Tier.of(settings.limit_acts, minute),
            "seat": Tier.of(settings.limit_seats, minute),
            "table": Tier.of(settings.limit_tables, hour),
            "guest": Tier.of_addresses(settings.limit_guests, hour),
            "data": Tier.of(settings.limit_data, hour),
        }
        self._gathering: set[str] = set()
        self.streams = Streams(settings.limit_streams)
        self.passwords = Passwords(settings.limit_passwords)
        self.person_of: Callable[[str], Awaitable[str]] | None = None

    @contextmanager
    def act(self, address: str, person: str) -> Iterator[None]:
        """Count an act, but not if the block fails; raises Problem (429) if it is one too many."""
        tier = self._tiers["act"]
        if tier is None:
            yield
            return
        tier.pass_or_refuse(address, person)
        try:
            yield
        except BaseException:
            tier.give_back(address, person)
            raise

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Refuse a request that is too much, before its route sees it: Problem (429), or an HTTP answer for a line."""
        try:
            held = await self._counted(scope)
        except Problem as refused:
            if scope["type"] != ScopeType.WEBSOCKET:
                raise
            await deny(WebSocket(scope, receive, send), refused)
            return
        with held:
            await next_app(scope, receive, send)

    async def _counted(self, scope: Scope) -> AbstractContextManager[None]:
        """Count a request; return what holds its stream open, if it is one. Raises Problem (429)."""
        kind = kind_of(scope)
        if kind == "uncounted":
            return nullcontext()
        address, person = address_of(scope), await self._person(scope)
        if kind == "data" and person in self._gathering:
            raise too_often(DATA_RETRY)
        # Opening a stream is a look, too: a client that is cut off and comes back at once is no faster than others.
        tier = self._tiers["look" if kind == "stream" else kind]
        if tier is not None:
            tier.pass_or_refuse(address, person)
        if kind == "data" and person is not None:
            return self._gather(person)
        return self.streams.held(address, person) if kind == "stream" else nullcontext()

    @contextmanager
    def _gather(self, person: str) -> Iterator[None]:
        """Let nobody's data be gathered twice at a time: each log of theirs is read for it."""
        self._gathering.add(person)
        try:
            yield
        finally:
            self._gathering.discard(person)

    async def _person(self, scope: Scope) -> str | None:
        """Who is counted: the person of an account on any device; until that can be told, whoever has the secret."""
        secret = secret_of(ASGIConnection(scope))
        return secret if secret is None or self.person_of is None else await self.person_of(secret)


def kind_of(scope: Scope) -> str:
    """Return what a request is counted as."""
    safe = scope.get("method", "GET") in {"GET", "HEAD", "OPTIONS"}
    kind = KINDS.get(scope["path_template"].rpartition("/")[2], "look" if safe else "act")
    return "look" if safe and kind == "table" else kind


def address_of(scope: Scope) -> str:
    """Return the client's address; of IPv6 its first 64 bits, for a client has all the others to choose from."""
    return _counted_address((scope.get("client") or ("", 0))[0])


@lru_cache(maxsize=1024)
def _counted_address(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(address) >> 64 << 64))
