"""The real server on a free port, and the people who use it: browsers by HTTP, clients by JSON."""

from __future__ import annotations

import asyncio
import dataclasses
import html
import json
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from overtrick.tables import Entropy
from overtrick.web.app import Site, create_app
from overtrick.web.server import listen, server_for
from overtrick.web.settings import Settings

ACTS = (
    "sit",
    "leave",
    "bot",
    "start",
    "move",
    "remove",
    "host",
    "propose-end",
    "agree-end",
    "decline-end",
    "step-out",
    "come-back",
    "pause",
    "resume",
    "say",
    "propose",
    "again",
)
"""What can be asked of a table by a POST to an address below its own, on the page as by the API."""
PATIENCE = 30.0
"""Seconds after which a test gives up waiting."""
NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients that speak plain HTTP: to read the certificates of all authorities takes each 20 ms of a core."""

UNLIMITED = {entry.name: 0 for entry in dataclasses.fields(Settings) if entry.name.startswith("limit_")}


class Served:
    """One running server: its address, its application, and the loop it runs in."""

    def __init__(self, site: Site, server: uvicorn.Server, port: int) -> None:
        self.site = site
        self.server = server
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = threading.Thread()
        self._visitors: list[Browser | Client] = []

    def browser(self, **options: Any) -> Browser:
        browser = Browser(self, **options)
        self._visitors.append(browser)
        return browser

    def client(self, secret: str | None = None) -> Client:
        client = Client(self, secret)
        self._visitors.append(client)
        return client

    def see_out(self) -> None:
        """Close what visitors have left open."""
        while self._visitors:
            self._visitors.pop().http.close()

    def await_ready(self) -> None:
        assert self.loop is not None
        house = self.site.services.engine.house_in_time()
        asyncio.run_coroutine_threadsafe(house, self.loop).result(PATIENCE)


@contextmanager
def serving(settings: Settings, *, entropy: Entropy | None = None, ready: bool = True) -> Iterator[Served]:
    """Run a server in a thread until the block ends; `ready`: wait for its engine."""
    site = create_app(settings, entropy=entropy)
    listener = listen(settings)
    server = server_for(site, settings)
    served = Served(site, server, listener.getsockname()[1])
    running = threading.Event()

    async def serve() -> None:
        served.loop = asyncio.get_running_loop()
        served.loop.call_soon(running.set)
        await server.serve(sockets=[listener])

    served.thread = threading.Thread(target=asyncio.run, args=(serve(),))
    served.thread.start()
    try:
        assert running.wait(PATIENCE)
        if ready:
            wait_for_start(served)
            served.await_ready()
        yield served
    finally:
        served.see_out()
        server.should_exit = True
        served.thread.join(PATIENCE)
        assert not served.thread.is_alive()


def wait_for_start(served: Served) -> None:
    """The listener's backlog holds the request until the server is up."""
    httpx.get(f"{served.url}/health", timeout=PATIENCE, verify=NO_AUTHORITIES)


def settings_for(folder: Path, **changes: Any) -> Settings:
    """Settings for a test: a free port, bots that do not wait, and no limits, as all visitors share an address."""
    own = {"data": str(folder), "port": 0, "pace": 0.0, "bot_processes": 1}
    return Settings(**{**own, **UNLIMITED, **changes})


class Browser:
    """A browser with its own cookies; every answer is kept as a page."""

    def __init__(self, served: Served, *, cookies: dict[str, str] | None = None, **headers: str) -> None:
        self.served = served
        self.http = httpx.Client(
            base_url=served.url,
            headers=headers,
            timeout=PATIENCE,
            follow_redirects=False,
            verify=NO_AUTHORITIES,
        )
        for name, value in (cookies or {}).items():
            self.http.cookies.set(name, value, domain="127.0.0.1", path="/")

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def token(self) -> str:
        """The form token that this browser holds, from any page."""
        held = [value for name, value in self.http.cookies.items() if name.startswith("overtrick-csrf-")]
        if not held:
            self.get("/")
            return self.token()
        return held[0]

    def post(self, path: str, *, htmx: bool = False, **fields: object) -> httpx.Response:
        """Send a form, its token included; a field given as None is left out."""
        form = {"_csrf_token": self.token(), **fields}
        sent = {name.replace("_dash_", "-"): str(value) for name, value in form.items() if value is not None}
        return self.http.post(path, data=sent, headers={"hx-request": "true"} if htmx else {})

    def make(self, game: str = "duet", *seats: str, **fields: object) -> str:
        """Make a table by the lobby's form and return its path."""
        answer = self.post("/tables", **make_fields(game, *seats, **fields))
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @contextmanager
    def live(self, path: str, **headers: str | None) -> Iterator[ClientConnection]:
        """Open the live line of a table's page."""
        sent = {"Origin": self.served.url, "Cookie": self.cookie_header(), **headers}
        with connect(
            f"{self.served.url.replace('http', 'ws')}{path}/live",
            additional_headers={name: value for name, value in sent.items() if value is not None},
            open_timeout=PATIENCE,
        ) as socket:
            yield socket


def make_fields(game: str = "duet", *seats: str, **fields: object) -> dict[str, object]:
    """The fields of the lobby's form for a game; the first seat is mine, unless they are given."""
    count = int(str(fields.get("players", 4))) if game == "luz" else 2
    seats = seats or ("me", *("friend",) * (count - 1))
    common = {"token": "a-token", "game": game, "name": "Ann", "dealer": "0"}
    own = {"players": count, "bead_supply": ""} if game == "luz" else {"level": 1}
    return {
        **common, **own, **{f"seat_dash_{n}": seat for n, seat in enumerate(seats)}, **fields
    }  # fmt: skip


class Client:
    """A program that speaks JSON; without a secret, it gets one."""

    def __init__(self, served: Served, secret: str | None = None) -> None:
        self.http = httpx.Client(base_url=f"{served.url}/api", timeout=PATIENCE, verify=NO_AUTHORITIES)
        self.secret = secret or self.http.post("/guests").json()["secret"]
        self.http.headers["authorization"] = f"Bearer {self.secret}"

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def post(self, path: str, **body: object) -> httpx.Response:
        return self.http.post(path, json=body) if body else self.http.post(path)

    def make(self, game: str = "duet", *seats: str, **body: object) -> str:
        """Make a table and return its path below /api."""
        options = {"players": 4} if game == "luz" else {"level": 1}
        count = 4 if game == "luz" else 2
        seats = seats or ("me", *("friend",) * (count - 1))
        asked = {"game": game, "options": options, "seats": seats, "name": "Ann", "dealer": 0, **body}
        answer = self.post("/tables", **asked)
        assert answer.status_code == 201, answer.text
        return f"/tables/{answer.json()['id']}"

    def look(self, path: str) -> dict[str, Any]:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    @contextmanager
    def events(self, path: str, **headers: str) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
        """Follow a table: pairs of event id and the table as JSON."""
        with self.http.stream("GET", f"{path}/events", headers=headers) as answer:
            assert answer.status_code == 200
            yield read_events(answer.iter_lines())


def read_events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read server-sent events; comments and `retry` are passed over."""
    event_id, patient_until = "", time.monotonic() + PATIENCE
    for line in lines:
        assert time.monotonic() < patient_until, "signs of life come, and no event"
        name, _, value = line.partition(": ")
        if name == "id":
            event_id = value
        elif name == "data":
            yield event_id, json.loads(value)
            patient_until = time.monotonic() + PATIENCE


def play_json(*clients: Client, path: str) -> dict[str, Any]:
    """Let the persons of a table, by seat, play legal moves by JSON until the game is over."""
    table = clients[0].look(path)
    while table["status"] != "over":
        mover = clients[table["view"]["to_act"]]
        legal = mover.look(path)["view"]["legal"]
        answer = mover.post(f"{path}/move", ply=table["ply"], move=legal[table["ply"] * 7 % len(legal)])
        assert answer.status_code == 200, answer.text
        table = answer.json()
    return table


class Page(HTMLParser):
    """What a test asks of a page: its elements with their attributes, and its alert."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def attributes(self, tag: str, name: str) -> list[str]:
        return [
            value for kind, attrs in self.elements if kind == tag and (value := attrs.get(name)) is not None
        ]


def alert(text: str) -> str:
    """The sentence of a page's alert, or "" without one."""
    plain = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    found = re.findall(r'role="alert"[^>]*>(.*?)</p>', plain, re.DOTALL)
    sentences = [html.unescape(re.sub(r"<[^>]+>", "", inner)).strip() for inner in found]
    return next((sentence for sentence in sentences if sentence), "")


def give_up(path: str, first: Browser | Client, second: Browser | Client) -> None:
    """Let two persons end their game by agreement; nothing has been proposed there before."""
    assert first.post(f"{path}/propose-end", after=0).status_code in (200, 303)
    assert second.post(f"{path}/agree-end", number=1).status_code in (200, 303)
