"""How large a request may be: its head, its address, its cookies, its fields, its JSON.

What is too large in its head never reaches the application: the connection gets a plain answer and is closed, before
anything of it is decoded, let alone kept. Bodies have their size from the settings and their shape from here.
"""

from __future__ import annotations

import json
import math
import re
from http import HTTPStatus
from typing import Any

from litestar.exceptions import ClientException
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from overtrick.errors import N_
from overtrick.web.problems import Problem

MOST_HEAD = 16_384
"""Bytes of a request's address and headers together, and of the trailers that may follow its body."""
MOST_HEADERS = 100
MOST_ADDRESS = 2_048
"""Bytes of a path with its query."""
MOST_PARTS = 100
"""Parameters of a query, and cookies."""
MOST_FIELDS = 100
"""Fields of a form; the lobby's has some thirty."""
MOST_NESTED = 64
"""Objects and arrays in a body of JSON."""
MOST_WIRE = 16
"""How many times its largest size a body may take on the wire: sent in pieces of a byte it is six times as large."""

TOO_MANY_FIELDS = N_("That form has more fields than any form here.")
TOO_NESTED = N_("That JSON holds more objects and arrays than anything that can be asked here.")
TWICE = N_("That JSON names the same field twice.")

_REFUSALS = {
    400: "That request is not well formed.",
    413: "The request goes on for longer than any body that is read here.",
    414: f"The address is too long: at most {MOST_ADDRESS} bytes and {MOST_PARTS} parameters.",
    431: f"The headers are too large: at most {MOST_HEAD} bytes, {MOST_HEADERS} headers and {MOST_PARTS} cookies.",
}
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


class _TooLarge(Exception):  # noqa: N818 - it says what is wrong
    """Ends the parser's work on a request."""


class BoundedHttp(HttpToolsProtocol):
    """Uvicorn's HTTP, which bounds nothing of what comes before a body and goes on reading what nobody wants.

    `max_body` is set on a class of its own for each server (`lines.http_for`).
    """

    max_body = 0
    _begun_here = False
    _in_head = False
    _head = 0
    _unfinished = 0
    _refused = 0

    def data_received(self, data: bytes) -> None:
        """Read on; cut off what has gone on for too long without an end."""
        super().data_received(data)
        # What came in the same piece as a request's beginning may be others' before it, and is in memory anyhow.
        self._unfinished += 0 if self._begun_here else len(data)
        self._begun_here = False
        if self.transport.is_closing():
            return
        if self._unfinished > (MOST_HEAD if self._in_head else MOST_HEAD + MOST_WIRE * self.max_body):
            self._refuse(431 if self._in_head else 413)

    def on_message_begin(self) -> None:
        """Begin to count."""
        super().on_message_begin()
        self._begun_here, self._in_head = True, True
        self._head = self._unfinished = 0

    def on_url(self, url: bytes) -> None:
        """Take the address, or a part of it."""
        super().on_url(url)
        self._head += len(url)
        if len(self.url) > MOST_ADDRESS or self.url.count(b"&") >= MOST_PARTS:
            self._end(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, or a trailer."""
        self._head += len(name) + len(value)
        if self._head > MOST_HEAD or len(self.headers) >= MOST_HEADERS:
            self._end(431)
        if name.lower() == b"cookie" and value.count(b";") >= MOST_PARTS:
            self._end(431)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Hand the request to the application."""
        self._in_head = False
        self._unfinished = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count no further until the next begins."""
        self._unfinished = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read, or is too large to be."""
        if self._refused:
            self._refuse(self._refused)
        else:
            super().send_400_response(msg)

    def _end(self, status: int) -> None:
        self._refused = status
        raise _TooLarge

    def _refuse(self, status: int) -> None:
        """Say so, unless that would get into another answer or after this request's own, and close."""
        # As long as a head is being read, what there is of a cycle is the request's before it.
        if self._in_head:
            free = self.cycle is None or self.cycle.response_complete
        else:
            free = self.cycle is not None and not self.cycle.response_started
        if free:
            self.transport.write(plain_problem(status))
        self.transport.close()


def plain_problem(status: int) -> bytes:
    """Return a whole answer of HTTP, for a request that the application never sees."""
    problem = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "kind": "malformed" if status == 400 else "too_large",
        "detail": _REFUSALS[status],
    }
    body = json.dumps(problem).encode()
    head = (
        f"content-type: application/problem+json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return STATUS_LINE[status] + head.encode() + body


def check_form(body: bytes) -> None:
    """Raise Problem (413) for a form of too many fields, before they are taken apart."""
    if body.count(b"&") >= MOST_FIELDS:
        raise Problem(TOO_MANY_FIELDS, status=413, kind="too_large")


def read_json(body: bytes) -> Any:
    """Return what a body of JSON holds.

    Raises Problem for JSON of too many parts (413) or with a field that is there twice (422): readers differ in which
    of two they take, so that one would act on what another has not seen. Raises ClientException (400) for what is no
    JSON or holds a number that is none, or half a character.
    """
    opened = body.count(b"{") + body.count(b"[")
    if opened > MOST_NESTED:
        bare = _TEXTS.sub(b"", body)
        opened = bare.count(b"{") + bare.count(b"[")
    if opened > MOST_NESTED:
        raise Problem(TOO_NESTED, status=413, kind="too_large")
    try:
        found = _JSON.decode(body.decode())
        if b"\\u" in body:  # then a text may hold one surrogate of two
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except ValueError as error:  # not UTF-8 either
        raise ClientException from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Problem(TWICE, status=422, kind="invalid")
    return found


def _number(text: str) -> int | float:
    """Read 3.0 as the whole number that it is."""
    number = float(text)
    if not math.isfinite(number):
        _no_number(text)
    return int(number) if number.is_integer() else number


def _no_number(text: str) -> None:
    raise ValueError(text)


_JSON = json.JSONDecoder(object_pairs_hook=_once, parse_float=_number, parse_constant=_no_number)
"""Made once, for `json.loads` makes one at each call that asks for anything."""
