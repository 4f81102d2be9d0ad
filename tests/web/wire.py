"""One viewer of a table with every way to look and to act open, and all that comes to them kept byte by byte.

What is drawn for one answer alone, a fresh secret or the mark of a fresh form, is veiled by as many dashes.
"""

from __future__ import annotations

import http.client
import json
import re
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from litestar.middleware.csrf import generate_csrf_token
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from web.serving import PATIENCE

Viewer = int | None
"""Whose knowledge somebody has: a seat's, or the public's."""
Kept = tuple[object, ...]
Sent = dict[str, Kept]

ORIGIN = "http://table.example"
KEY = "0123456789abcdef" * 4
FORM_TOKEN = generate_csrf_token(KEY)
IDLE = 2.0
"""Seconds after which a line is opened anew; the server closes one that is idle for five."""
NOT_COMPARED = {"date", "sec-websocket-accept"}
FRESH = (
    re.compile(rb'(?<=name="token" value=")[A-Za-z0-9_-]{22}'),
    re.compile(rb'(?<="secret":")[A-Za-z0-9_-]{43}'),
)
FRESH_COOKIE = re.compile("(?<=overtrick=)[A-Za-z0-9_-]{43}")


class Answer(NamedTuple):
    """What the server answers: `headers` as they came, but for those that are never the same."""

    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


@dataclass
class Watcher:
    """A viewer, by name. `secret`: None for a browser that brings no valid one.

    `sent`: what came, by moment and way; `pushes` and `events`: what the streams brought, by the table's seq.
    """

    name: str
    port: int
    csrf_cookie: str
    secret: str | None
    sent: dict[str, Sent] = field(default_factory=dict)
    pushes: dict[int, str] = field(default_factory=dict)
    events: dict[int, str] = field(default_factory=dict)
    legal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self._used = 0.0
        self._live: ClientConnection | None = None
        self._stream: http.client.HTTPResponse | None = None
        self._streams = ExitStack()

    def page(self, method: str, path: str, form: dict[str, Any] | None = None, **head: str) -> Answer:
        """Ask as a browser does; a form brings its token and its origin."""
        said = {"cookie": self.cookies, **head}
        if form is None:
            return self.ask(method, path, said, None)
        said = {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded", **said}
        return self.ask(method, path, said, urlencode({"_csrf_token": FORM_TOKEN, **form}).encode())

    def api(self, method: str, path: str, body: Any = None, **head: str) -> Answer:
        """Ask as a program does."""
        said = {"authorization": f"Bearer {self.secret}"} if self.secret else {}
        if body is None:
            return self.ask(method, f"/api{path}", {**said, **head}, None)
        said = {"content-type": "application/json", **said, **head}
        return self.ask(method, f"/api{path}", said, json.dumps(body).encode())

    def ask(self, method: str, path: str, head: dict[str, str], body: bytes | None) -> Answer:
        if time.monotonic() - self._used > IDLE:
            self._line.close()
        self._line.request(method, path, body, {"host": "table.example", **head})
        response = self._line.getresponse()
        content = response.read()
        self._used = time.monotonic()
        return Answer(response.status, compared(response.getheaders()), content)

    @property
    def cookies(self) -> str:
        return f"overtrick={self.secret or 'expired'}; {self.csrf_cookie}={FORM_TOKEN}"

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = self.api("GET", "/tables/thetable").json()
        return found

    def watch(self) -> None:
        """Open both streams; how that is answered counts as sent before all else. Who may not look gets no more."""
        live = connect(
            f"ws://127.0.0.1:{self.port}/t/thetable/live",
            additional_headers={"Origin": ORIGIN, "Cookie": self.cookies},
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        self._live = self._streams.enter_context(live)
        assert self._live.response is not None
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self._streams.enter_context(closing(line))
        head = {"host": "table.example"} | ({"authorization": f"Bearer {self.secret}"} if self.secret else {})
        line.request("GET", "/api/tables/thetable/events", None, head)
        self._stream = self._streams.enter_context(closing(line.getresponse()))
        self.sent["watching"] = {
            "live": compared(self._live.response.headers.raw_items()),
            "events": (self._stream.status, compared(self._stream.getheaders())),
        }
        if self._stream.status != 200:
            self.sent["watching"]["refused"] = (self._stream.read(), self.last_word())

    def last_word(self) -> int | None:
        """How the live line of somebody who may not look ends; nothing comes before."""
        assert self._live is not None
        try:
            self._live.recv(PATIENCE)
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code
        raise AssertionError("something was pushed to who may not look")

    def look(self, moment: str) -> Sent:
        """Keep what this viewer is sent on asking for the table, as page and as JSON, and what both streams brought."""
        answer = self.api("GET", "/tables/thetable")
        sent = self.sent[moment] = {
            "page": self.kept(self.page("GET", "/t/thetable")),
            "json": self.kept(answer),
        }
        self.legal = ()
        if answer.status == 200 and self._live is not None:
            table = answer.json()
            self.legal = tuple((table["view"] or {"legal": ()})["legal"])
            self._catch_up(table["seq"])
        return sent

    def _catch_up(self, seq: int) -> None:
        """Read both streams until they are as new as the table was; a stream may leave out what was overtaken."""
        assert self._live is not None
        while max(self.pushes, default=0) < seq:
            text = self._live.recv(PATIENCE)
            assert isinstance(text, str)
            if not text:  # a sign of life
                continue
            self.pushes[int(text.partition('data-seq="')[2].partition('"')[0])] = text
        while max(self.events, default=0) < seq:
            number, data = self._event()
            self.events[number] = data

    def _event(self) -> tuple[int, str]:
        assert self._stream is not None
        said: dict[str, str] = {}
        while "data" not in said:
            line = self._stream.readline()
            assert line, "the stream has ended"
            name, _, value = line.decode().rstrip("\n").partition(": ")
            said[name] = value
        return int(said["id"]), said["data"]

    def kept(self, answer: Answer) -> Kept:
        """What is kept of an answer to this viewer."""
        headers = tuple((name, FRESH_COOKIE.sub("-" * 43, value)) for name, value in answer.headers)
        content = answer.content
        for fresh in FRESH:
            content = fresh.sub(lambda found: b"-" * len(found[0]), content)
        return (answer.status, headers, content)

    @property
    def watches(self) -> bool:
        return self._live is not None

    def unwatch(self) -> None:
        """Close the streams: one that is not read holds the server up."""
        self._streams.close()
        self._live = self._stream = None

    def close(self) -> None:
        self.unwatch()
        self._line.close()


def compared(headers: Any) -> tuple[tuple[str, str], ...]:
    return tuple((name.lower(), value) for name, value in headers if name.lower() not in NOT_COMPARED)


def same(seen: Watcher, true: Watcher) -> int:
    """Return how many things were sent to a viewer in both runs of a game; each must be the same to the byte."""
    compared = 0
    for moment, sent in seen.sent.items():
        for way, kept in sent.items():
            assert kept == true.sent[moment][way], (seen.name, moment, way)
            compared += 1
    for one, other in ((seen.pushes, true.pushes), (seen.events, true.events)):
        for seq in one.keys() & other.keys():
            assert one[seq] == other[seq], (seen.name, seq)
            compared += 1
    return compared
