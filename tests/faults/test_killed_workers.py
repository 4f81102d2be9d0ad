"""Workers of the real server are killed again and again while people and bots play at many tables.

No move that was answered is lost or made twice, every game ends, and every record replays clean. OVERTRICK_FAULTS=long
plays at 50 tables, as a night's run does; the short form is for every run of the tests.
"""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from faults.people import LONG
from overtrick.games import Record
from servers import Postgres, Redis

pytestmark = pytest.mark.anyio

TABLES = 50 if LONG else 6
KILLS = 40 if LONG else 4
PATIENCE = 1200 if LONG else 240
"""Seconds for the whole of it: the games, the kills, the records."""
ENDED = 60.0
"""Seconds in which the server ends on a busy machine."""
GAMES: tuple[dict[str, Any], ...] = (
    {"game": "duet", "options": {"level": 1}, "seats": ["me", "bot:rules_of_thumb"]},
    {"game": "luz", "options": {"players": 3}, "seats": ["me", "bot:uniform", "bot:rules_of_thumb"]},
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Running:
    """The server as people start it, and the workers that it has at the moment."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process = process
        self.url = url

    def workers(self) -> list[psutil.Process]:
        """Its own children that serve; what multiprocessing starts beside them is none."""
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@asynccontextmanager
async def serving(folder: Path, *options: str) -> AsyncIterator[Running]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "overtrick",
        "serve",
        "--port",
        str(port),
        "--data",
        str(folder),
        "--pace",
        "0",
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, "--workers", "2", *options], stdout=log, stderr=log)
    running = Running(process, f"http://127.0.0.1:{port}")
    try:
        await ready(running)
        yield running
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, ENDED) == 0
    finally:
        process.kill()
        process.wait(ENDED)


async def ready(running: Running) -> None:
    async with httpx.AsyncClient(base_url=running.url, timeout=30) as client, asyncio.timeout(PATIENCE):
        while True:
            try:
                if (await client.get("/health")).status_code == 200:
                    return
            except httpx.TransportError:
                assert running.process.poll() is None
            await asyncio.sleep(0.2)


class Person:
    """Plays one game by the API; asks again whenever the server was gone before it answered."""

    def __init__(self, url: str, number: int) -> None:
        self._client = httpx.AsyncClient(base_url=f"{url}/api", timeout=20)
        self._rng = random.Random(number)
        self._number = number
        self.answered: dict[int, str] = {}
        self.again = 0
        """How often a request was sent again for want of an answer."""

    async def ask(self, method: str, path: str, **body: Any) -> Any:
        while True:  # until the time of the whole test is up
            try:
                answer = await self._client.request(method, path, json=body or None)
            except httpx.TransportError:
                answer = None
            if answer is None or answer.status_code == 503:
                self.again += 1
                await asyncio.sleep(0.2)
                continue
            assert answer.status_code in (200, 201), answer.text
            return answer.json()

    async def play(self) -> dict[str, Any]:
        """Play a game to its end and return its record."""
        secret = (await self.ask("POST", "/guests"))["secret"]
        self._client.headers["authorization"] = f"Bearer {secret}"
        wish = {**GAMES[self._number % 2], "name": f"P{self._number}", "token": "one"}
        path = f"/tables/{(await self.ask('POST', '/tables', **wish))['id']}"
        await self.ask("POST", f"{path}/start")
        while True:
            table = await self.ask("GET", path)
            if table["status"] == "over":
                break
            if legal := table["view"]["legal"]:
                move = self._rng.choice(legal)
                answer = await self.ask("POST", f"{path}/move", ply=table["ply"], move=move)
                assert answer["ply"] > table["ply"]
                self.answered[table["ply"]] = move
            else:
                await asyncio.sleep(0.02)
        record: dict[str, Any] = await self.ask("GET", f"{path}/record")
        await self._client.aclose()
        return record


async def kill_now_and_then(running: Running, rng: random.Random) -> int:
    """Kill a random worker, wait until the server is ready again, and so on; returns how many died."""
    for _ in range(KILLS):
        await asyncio.sleep(rng.uniform(0.5, 2.0))
        victim = rng.choice(running.workers())
        victim.kill()
        await ready(running)
    return KILLS


async def play_through(folder: Path, *options: str) -> None:
    seed, began = random.randrange(10**6), time.monotonic()
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    async with serving(folder, *options) as running:
        people = [Person(running.url, number) for number in range(TABLES)]
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            games = [tasks.create_task(person.play()) for person in people]
            killing = tasks.create_task(kill_now_and_then(running, random.Random(seed)))
    assert killing.result() == KILLS
    for person, game in zip(people, games, strict=True):
        assert_nothing_is_lost(person, game.result())
    answered, asked_again = (sum(len(person.answered) for person in people), sum(p.again for p in people))
    print(  # noqa: T201 - the figures of a long run
        f"{KILLS} kills, {TABLES} tables, {answered} moves answered, {asked_again} requests sent again,"
        f" none lost or doubled, {time.monotonic() - began:.0f} s"
    )


def assert_nothing_is_lost(person: Person, record: dict[str, Any]) -> None:
    """The record replays to the game's end, and each answered move stands in it at its place."""
    replayed = Record.of(record).replay()
    assert replayed.error is None
    assert replayed.position.over
    for ply, said in person.answered.items():
        kind = said.partition(":")[0]
        assert record["moves"][ply].startswith(f"{kind}:")
        if "#" not in said:
            assert record["moves"][ply] == said


async def test_nothing_is_lost_when_workers_are_killed_over_sqlite(tmp_path: Path) -> None:
    await play_through(tmp_path)


async def test_nothing_is_lost_when_workers_are_killed_over_postgresql_and_redis(
    tmp_path: Path, postgres: Postgres, redis: Redis
) -> None:
    await play_through(tmp_path, "--database-url", postgres.new_url(), "--redis-url", redis.url)
