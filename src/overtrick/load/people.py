"""A table, the scripted people who play at it, and those who watch: who moves when is up to `run`."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from overtrick.load.server import NoFigures
from overtrick.load.wire import Address, Asker, EventsViewer, PageViewer, Viewer
from overtrick.web.visitor import SECRET_COOKIE

PATIENCE = 60.0
"""Seconds after which an answer or a look counts as lost."""
GAMES: dict[str, tuple[dict[str, Any], int]] = {"luz": ({"players": 4}, 4), "duet": ({"level": 1}, 2)}
"""What is played: the options and the number of seats."""


class Played(msgspec.Struct):
    """The part of a game's view that a scripted person reads."""

    to_act: int | None
    legal: list[str]


class Look(msgspec.Struct):
    """The part of a look at a table that a scripted person reads."""

    id: str
    seq: int
    ply: int
    status: str
    next_table: str | None
    view: Played | None


_LOOK = msgspec.json.Decoder(Look)


@dataclass(slots=True)
class Tally:
    """What came of it: seconds to answers and to the last viewer's update, games played to the end, errors by kind."""

    answers: list[float] = field(default_factory=list)
    updates: list[float] = field(default_factory=list)
    games_over: int = 0
    errors: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Awaited:
    """A move that some viewers have not been told of: `seq` shows it."""

    seq: int
    began: float
    left: int


class Desk:
    """Where requests go out, on as many connections as are in use at once."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._free: list[Asker] = []

    async def ask(self, method: str, path: str, secret: str = "", body: object = None) -> tuple[int, bytes]:
        """Send a request and return its status and body, trying once more if the connection had just ended."""
        sent = b"" if body is None else msgspec.json.encode(body)
        async with asyncio.timeout(PATIENCE):
            for last in (False, True):
                asker = await self._asker()
                try:
                    answer = await asker.ask(method, path, secret, sent)
                except ConnectionError:
                    if last:
                        raise
                else:
                    self._free.append(asker)
                    return answer
        raise AssertionError("unreachable")

    async def need(self, method: str, path: str, secret: str = "", body: object = None) -> bytes:
        """Send a request without whose success nothing can be measured; raises NoFigures."""
        status, answer = await self.ask(method, path, secret, body)
        if status >= 400:
            raise NoFigures(f"{method} {path} was refused: {status} {answer.decode(errors='replace')}")
        return answer

    def close(self) -> None:
        """Hang up."""
        while self._free:
            self._free.pop().close()

    async def _asker(self) -> Asker:
        while self._free:
            asker = self._free.pop()
            if asker.open:
                return asker
        return await Asker.connect(self.address)


class Party:
    """The people of one table: seat by seat those who play, each following their own stream, then the watchers."""

    def __init__(self, desk: Desk, tally: Tally, game: str, number: int) -> None:
        self._desk = desk
        self._tally = tally
        self._game = game
        self._rng = random.Random(number)
        self._secrets: list[str] = []
        self._viewers: list[Viewer] = []
        self._awaited: list[_Awaited] = []
        self._bell = asyncio.Event()
        self._streams = self._pages = 0
        self._look: Look | None = None

    @property
    def look(self) -> Look:
        """The table as it was answered last."""
        assert self._look is not None
        return self._look

    async def sit_down(self) -> None:
        """Make the table, sit down and start; raises NoFigures."""
        options, seats = GAMES[self._game]
        for _ in range(seats):
            guest = msgspec.json.decode(await self._desk.need("POST", "/api/guests"))
            self._secrets.append(guest["secret"])
        made = {"game": self._game, "options": options, "name": "Seat 0", "dealer": 0}
        made["seats"] = ["me", *["friend"] * (seats - 1)]
        host = self._secrets[0]
        self._look = _LOOK.decode(await self._desk.need("POST", "/api/tables", host, made))
        for seat in range(1, seats):
            sitting = {"seat": seat, "name": f"Seat {seat}"}
            await self._desk.need("POST", self._path("sit"), self._secrets[seat], sitting)
        self._look = _LOOK.decode(await self._desk.need("POST", self._path("start"), host))

    async def watch(self, streams: int, pages: int) -> None:
        """Let so many follow by event stream and so many as pages, those who play first, till each sees the table."""
        self._streams, self._pages = streams, pages
        address, table, hears = self._desk.address, self.look.id, self._hears
        secrets = [*self._secrets, *[""] * max(streams, pages)]
        cookies = [f"{SECRET_COOKIE}={secret}" if secret else "" for secret in secrets]
        self._viewers = [EventsViewer(address, table, secret, hears) for secret in secrets[:streams]]
        self._viewers += [PageViewer(address, table, cookie, hears) for cookie in cookies[:pages]]
        for viewer in self._viewers:
            await viewer.connect()
        await self._until(lambda: all(viewer.seq for viewer in self._viewers))

    def go(self) -> None:
        """Let the viewers hang up."""
        for viewer in self._viewers:
            viewer.close()
        self._viewers = []

    async def move(self, began: float | None) -> None:
        """Make the next move; in a game that is over, go on to the next first. Raises NoFigures.

        began: when it was meant to be made (monotonic seconds); None for now.
        """
        if self.look.status == "over":
            await self._next_game()
        seat, seq = self._seat_to_act(), self.look.seq
        stream = self._viewers[seat]
        assert isinstance(stream, EventsViewer)
        await self._until(lambda: stream.seq >= seq)
        seen = _LOOK.decode(stream.look)
        assert seen.view is not None
        asked = {"ply": seen.ply, "move": self._rng.choice(seen.view.legal)}
        began = time.monotonic() if began is None else began
        # Whoever has a look later than the one before the move has seen the move.
        self._awaited.append(_Awaited(seq + 1, began, len(self._viewers)))
        status, answer = await self._desk.ask("POST", self._path("move"), self._secrets[seat], asked)
        if status != 200:
            self._tally.errors[f"{status} {answer[:200].decode(errors='replace')}"] += 1
            self._awaited.pop()
            self._look = _LOOK.decode(await self._desk.need("GET", self._path(), self._secrets[seat]))
            return
        self._tally.answers.append(time.monotonic() - began)
        self._look = _LOOK.decode(answer)
        self._tally.games_over += self.look.status == "over"

    async def settle(self) -> None:
        """Wait until every viewer has been told of every move; raises NoFigures."""
        await self._until(lambda: not self._awaited)

    def count_lost(self) -> None:
        """Add viewers whose stream has broken off to the errors."""
        if lost := sum(viewer.lost for viewer in self._viewers):
            self._tally.errors["stream broken off"] += lost

    def _seat_to_act(self) -> int:
        view = self.look.view
        assert view is not None
        assert view.to_act is not None
        return view.to_act

    async def _next_game(self) -> None:
        await self.settle()
        self.count_lost()
        host = self._secrets[0]
        table = _LOOK.decode(await self._desk.need("POST", self._path("again"), host)).next_table
        self.go()
        self._look = _LOOK.decode(await self._desk.need("POST", f"/api/tables/{table}/start", host))
        await self.watch(self._streams, self._pages)

    def _path(self, what: str = "") -> str:
        return f"/api/tables/{self.look.id}" + (f"/{what}" if what else "")

    def _hears(self, viewer: Viewer, before: int, seq: int, at: float) -> None:
        for awaited in self._awaited:
            if before < awaited.seq <= seq:
                awaited.left -= 1
                if awaited.left == 0:
                    self._tally.updates.append(at - awaited.began)
        self._awaited = [awaited for awaited in self._awaited if awaited.left > 0]
        self._bell.set()

    async def _until(self, holds: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    if any(viewer.lost for viewer in self._viewers):
                        raise NoFigures("The server refused a viewer, or broke a stream off.")
                    self._bell.clear()
                    await self._bell.wait()
        except TimeoutError as error:
            raise NoFigures(f"A viewer was told nothing for {PATIENCE:.0f} s.") from error


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the most, in milliseconds."""
    ordered = sorted(seconds)
    if not ordered:
        return {"p50": 0.0, "p99": 0.0, "most": 0.0}
    at = {"p50": 0.50, "p99": 0.99, "most": 1.0}
    last = len(ordered) - 1
    return {name: round(1000 * ordered[round(share * last)], 2) for name, share in at.items()}
