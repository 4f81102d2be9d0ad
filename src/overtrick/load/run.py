"""A whole measurement: tables are made, watched, played at; what that cost the server and how soon it answered."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from overtrick.load.people import GAMES, Desk, Party, Tally, percentiles
from overtrick.load.server import NoFigures, Server, allow_many_sockets, running, started

AT_ONCE = 16
"""Tables that are being made at once."""
WARM_MOVES = 20
"""Moves at a table that is not counted, before anything is."""
SPARE_SOCKETS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured.

    `streams`, `pages`: viewers a table by event stream and as the page; the first of either are the players, so
    there are at least as many streams as seats. `rate`: moves a second over all tables, each at its time whatever
    came of those before; None: each table moves as soon as it has been answered. `url` and `pid`: of a server
    that runs already; otherwise one is started.
    """

    game: str = "luz"
    tables: int
    streams: int = 4
    pages: int = 0
    seconds: float = 10.0
    rate: float | None = None
    url: str = ""
    pid: int = 0

    def __post_init__(self) -> None:
        """Raise NoFigures for a plan that cannot be carried out."""
        if self.game not in GAMES:
            raise NoFigures(f"game must be one of {', '.join(GAMES)}, not {self.game}.")
        if self.streams < GAMES[self.game][1]:
            raise NoFigures(
                f"Each of the {GAMES[self.game][1]} players of {self.game} follows the table, so "
                f"{self.streams} viewers a table are too few."
            )
        if bool(self.url) != bool(self.pid):
            raise NoFigures("A server that runs already is named by its address and its process: give both.")

    @property
    def viewers(self) -> int:
        """All viewers."""
        return self.tables * (self.streams + self.pages)

    def server(self) -> AbstractAsyncContextManager[Server]:
        """The server that is to be measured."""
        return running(self.url, self.pid) if self.url else started()


def measure(plan: Plan) -> dict[str, Any]:
    """Carry the plan out and return its figures; raises NoFigures."""
    allow_many_sockets(plan.viewers + 2 * plan.tables + SPARE_SOCKETS)
    try:
        with asyncio.Runner(loop_factory=_new_loop) as runner:
            return runner.run(_measure(plan))
    except BaseExceptionGroup as group:
        # Tables are tended side by side; what ended the first of them ends the measurement.
        first = _first(group)
        raise first if isinstance(first, NoFigures) else group from None


def _first(error: BaseException) -> BaseException:
    """The first error of those in a group, or the error itself."""
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _new_loop() -> asyncio.AbstractEventLoop:
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


async def _measure(plan: Plan) -> dict[str, Any]:
    async with plan.server() as server:
        desk = Desk(server.address)
        await _warm_up(desk, plan)
        await server.quiet()
        tally = Tally()
        parties = [Party(desk, tally, plan.game, number) for number in range(plan.tables)]
        memory = [server.memory()]
        await _some_at_once([party.sit_down for party in parties])
        memory.append(server.memory())
        await _some_at_once([partial(party.watch, plan.streams, plan.pages) for party in parties])
        memory.append(server.memory())
        used, own, began = server.cpu_seconds(), time.process_time(), time.monotonic()
        await (_at_rate(parties, plan) if plan.rate else _as_fast_as_answered(parties, plan))
        took = time.monotonic() - began
        cpu = server.cpu_seconds() - used
        for party in parties:
            party.count_lost()
        memory.append(server.memory())
        desk.close()
        for party in parties:
            party.go()
    return _times(tally, took, cpu) | {
        "generator_cpu_s": round(time.process_time() - own, 2),
        "memory": _memory(memory, plan),
        "games_over": tally.games_over,
        "errors": dict(tally.errors),
    }


async def _warm_up(desk: Desk, plan: Plan) -> None:
    """Have everything loaded that a table takes, so that it counts for none."""
    party = Party(desk, Tally(), plan.game, -1)
    await party.sit_down()
    await party.watch(plan.streams, plan.pages)
    for _ in range(WARM_MOVES):
        await party.move(None)
    await party.settle()
    party.go()


async def _some_at_once(works: Sequence[Callable[[], Awaitable[None]]]) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(work: Callable[[], Awaitable[None]]) -> None:
        async with gate:
            await work()

    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(one(work))


async def _as_fast_as_answered(parties: list[Party], plan: Plan) -> None:
    ends = time.monotonic() + plan.seconds

    async def play(party: Party) -> None:
        while time.monotonic() < ends:
            await party.move(None)
        await party.settle()

    async with asyncio.TaskGroup() as group:
        for party in parties:
            group.create_task(play(party))


async def _at_rate(parties: list[Party], plan: Plan) -> None:
    """The tables in turn, each move at its time; one whose table is still busy waits, and its wait counts."""
    assert plan.rate is not None
    due: list[asyncio.Queue[float | None]] = [asyncio.Queue() for _ in parties]

    async def play(party: Party, times: asyncio.Queue[float | None]) -> None:
        while (intended := await times.get()) is not None:
            await party.move(intended)
        await party.settle()

    async with asyncio.TaskGroup() as group:
        for party, times in zip(parties, due, strict=True):
            group.create_task(play(party, times))
        began = time.monotonic()
        for number in range(max(1, round(plan.seconds * plan.rate))):
            intended = began + number / plan.rate
            if (early := intended - time.monotonic()) > 0:
                await asyncio.sleep(early)
            due[number % len(due)].put_nowait(intended)
        for times in due:
            times.put_nowait(None)


def _times(tally: Tally, took: float, cpu: float) -> dict[str, Any]:
    moves = len(tally.answers)
    return {
        "moves": moves,
        "seconds": round(took, 3),
        "moves_per_s": round(moves / took, 1),
        "server_cpu_s": round(cpu, 2),
        "moves_per_cpu_s": round(moves / cpu, 1) if cpu > 0 else None,
        "answer_ms": percentiles(tally.answers),
        "last_viewer_ms": percentiles(tally.updates),
        "told": len(tally.updates),
    }


def _memory(taken: Sequence[int], plan: Plan) -> dict[str, float]:
    """Megabytes at four moments, kilobytes a table and a viewer."""
    ready, seated, watched, after = taken
    return {
        "ready_mb": round(ready / 1e6, 1),
        "tables_mb": round(seated / 1e6, 1),
        "viewers_mb": round(watched / 1e6, 1),
        "after_mb": round(after / 1e6, 1),
        "a_table_kb": round((seated - ready) / 1e3 / plan.tables, 1),
        "a_viewer_kb": round((watched - seated) / 1e3 / plan.viewers, 1),
    }
