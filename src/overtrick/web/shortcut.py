"""The short way of a move by the API: what is asked most, past most of what looks at every request.

Only a request that is as plain as can be goes it, and only to a success: it passes the same door, limits and checks of
its body, and gets the same answer to the byte. Whatever is otherwise goes the long way as if it had just come, and so
does what the table refuses, to be told there as every refusal is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from msgspec import convert

from overtrick.errors import OvertrickError
from overtrick.web.bounds import read_json
from overtrick.web.limits import address_of
from overtrick.web.problems import Problem
from overtrick.web.security import DEFAULT_HEADERS
from overtrick.web.visitor import person_of
from overtrick.web.wishes import MakeMove

if TYPE_CHECKING:
    from litestar.types import HTTPReceiveMessage, HTTPScope, Receive, Send

    from overtrick.tables import Person
    from overtrick.web.security import Door
    from overtrick.web.services import Services

ROUTE = "/api/tables/{table_id}/move"
"""The template of the route that is made shorter."""

_PATH = re.compile(r"/api/tables/([a-z0-9]{1,40})/move")
_SECRET = re.compile(rb"Bearer ([A-Za-z0-9_-]{43})")
_LONGEST = 200
"""Bytes of a body that goes the short way; no move needs as many."""
_PLAIN = frozenset({b"host", b"authorization", b"content-type", b"content-length"})
"""The headers that are looked at; what others say makes no difference to a move, but for those in `_TELLING`."""
_TELLING = frozenset({b"origin", b"transfer-encoding", b"expect"})
_JSON = (b"content-type", b"application/json")


class Shortcut:
    """The short way, for one server."""

    def __init__(self, services: Services, door: Door) -> None:
        self._services = services
        self._door = door

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Receive | None:
        """Answer a plain move and return None; else return what gives the request's body to the long way."""
        found = _PATH.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        person = None if found is None or scope["query_string"] else self._person(scope)
        if found is None or person is None:
            return receive
        try:
            message = cast("HTTPReceiveMessage", await receive())
        except Problem:  # which comes again
            return receive
        try:
            answer = await self._moved(scope, found[1], person, message)
        except OvertrickError as refused:
            return _raising(refused)
        if answer is None:
            return _again(message, receive)
        scope["path_template"] = ROUTE
        headers = [_JSON, (b"content-length", b"%d" % len(answer)), *DEFAULT_HEADERS]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer, "more_body": False})
        return None

    def _person(self, scope: HTTPScope) -> Person | None:
        """Who asks, if the head of the request is a plain one."""
        sent: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in _TELLING or name in sent:
                return None
            if name in _PLAIN:
                sent[name] = value
        secret = _SECRET.fullmatch(sent.get(b"authorization", b""))
        if secret is None or sent.get(b"content-type") != b"application/json":
            return None
        if not self._door.knows(sent.get(b"host", b"").decode("latin-1")) or not self._services.engine.ready:
            return None
        return person_of(secret[1].decode())

    async def _moved(
        self, scope: HTTPScope, table_id: str, device: Person, message: HTTPReceiveMessage
    ) -> bytes | None:
        """Make the move and return the table as JSON; None for what is not plain or fails. Raises what refuses it."""
        body = cast("bytes", message.get("body", b""))
        if message["type"] != "http.request" or message.get("more_body") or not 0 < len(body) <= _LONGEST:
            return None
        from overtrick.tables.commands import Move  # brings the engine with it; see `prepare`

        try:
            wish = convert(read_json(body), MakeMove, strict=True)
            house = await self._services.house()
            counted = address_of(scope), (await house.people.who(device)).id
            with self._services.limits.act(*counted):
                return (await house.act(table_id, device, Move(wish.ply, wish.move))).json
        except OvertrickError:
            raise
        except Exception:  # the long way meets it again, and says it
            return None


def _again(message: HTTPReceiveMessage, receive: Receive) -> Receive:
    """Return what gives a message that was taken once more, and then what comes."""
    taken = [message]

    async def replayed() -> Any:
        return taken.pop() if taken else await receive()

    return replayed


def _raising(refused: OvertrickError) -> Receive:
    """Return what raises the refusal as the body is read, where any route's refusals are caught and told."""

    async def raising() -> Any:
        raise refused

    return raising
