"""Redis is gone for a while, hangs, or is restarted, while two processes serve one table: the game goes on.

Whoever watches at the other process sees each move all the same, by a look into the log, and once Redis is back by
Redis again. OVERTRICK_FAULTS=long: it is gone for 30 s each time.
"""

from __future__ import annotations

import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
import pytest

from faults.people import LONG
from overtrick.tables import House, fanout
from overtrick.tables.commands import Move
from overtrick.tables.runner import Among
from servers import Postgres, Redis
from tables.setting import ANN, BEN, SeededEntropy, until
from tables.test_many import table_of_two

pytestmark = pytest.mark.anyio

GONE = 30.0 if LONG else 2.5
"""Seconds for which it is gone."""
PATIENCE = 60.0

Fault = Callable[[Redis, Callable[[], Awaitable[None]]], Awaitable[None]]


@pytest.fixture
async def houses(
    postgres: Postgres, own_redis: Redis, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[list[House]]:
    # While Redis answers nobody looks into the log: what is seen then has been heard of.
    monkeypatch.setattr(fanout, "HEARING", 3600.0)
    url, made = postgres.new_url(), []
    for number in range(2):
        among = Among(f"p{number}", own_redis.url)
        made.append(await House.open(url, pace=0, entropy=SeededEntropy(number), among=among))
    yield made
    for house in made:
        with anyio.fail_after(PATIENCE):
            await house.close()


async def hear(houses: list[House]) -> None:
    """Wait until both processes hear by Redis."""
    for house in houses:
        with anyio.fail_after(PATIENCE):
            while not house._ledger._fanout._up:
                await anyio.sleep(0.02)


async def gone(redis: Redis, meanwhile: Callable[[], Awaitable[None]]) -> None:
    redis.stop(signal.SIGKILL)
    await meanwhile()
    redis.start()


async def hung(redis: Redis, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """It says nothing, and does not hang up either, as when a network swallows everything."""
    redis.send(signal.SIGSTOP)
    try:
        await meanwhile()
    finally:
        redis.send(signal.SIGCONT)


async def restarted(redis: Redis, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """It is back before anybody can have looked, and knows of no subscription."""
    redis.stop(signal.SIGKILL)
    redis.start()
    await meanwhile()


async def one_move(houses: list[House], table_id: str) -> None:
    """Whoever is to act makes a move at their process, and a spectator at the other one sees it."""
    ply = (await houses[0].look(table_id, None)).ply
    for house, other, person in ((houses[0], houses[1], ANN), (houses[1], houses[0], BEN)):
        view = await house.look(table_id, person)
        if view.view is not None and view.view.legal:
            async with anyio.create_task_group() as tasks, anyio.create_task_group():
                tasks.start_soon(until, other, table_id, None, lambda seen: seen.ply > ply)
                await house.act(table_id, person, Move(view.ply, view.view.legal[0]))
            return


@pytest.mark.parametrize("fault", [gone, hung, restarted])
async def test_the_table_goes_on_and_viewers_at_the_other_process_see_every_move(
    houses: list[House], own_redis: Redis, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    table_id, moves = await table_of_two(houses[0], dealer=1), 0

    async def play_on() -> None:
        nonlocal moves
        end = time.monotonic() + (0 if fault is restarted else GONE)
        while moves < 2 or time.monotonic() < end:
            await one_move(houses, table_id)
            moves += 1
            await anyio.sleep(GONE / 20)

    await hear(houses)
    began = time.monotonic()
    with anyio.fail_after(GONE + PATIENCE):
        await one_move(houses, table_id)
        await fault(own_redis, play_on)
    await hear(houses)
    with anyio.fail_after(PATIENCE):
        for _ in range(2):
            await one_move(houses, table_id)
    for house in houses:
        assert (await house.look(table_id, None)).ply == moves + 3
    taken = time.monotonic() - began
    print(f"{fault.__name__}: {moves} moves seen in {taken:.0f} s")  # noqa: T201 - shown with -s
    assert "Redis does not answer" in caplog.text
    assert caplog.messages[-1] == "Redis answers: changes are heard of at once"
    assert "Traceback" not in caplog.text


async def test_an_idle_line_is_no_broken_one(
    houses: list[House], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await hear(houses)
    monkeypatch.setattr(fanout, "_SILENCE", 0.05)
    signs: list[None] = []
    monkeypatch.setattr(houses[0]._ledger._fanout, "_found", lambda: signs.append(None))
    with anyio.fail_after(PATIENCE):
        while len(signs) < 10:
            await anyio.sleep(0.02)
    assert "does not answer" not in caplog.text


async def test_a_house_opens_and_closes_while_redis_is_gone(postgres: Postgres, own_redis: Redis) -> None:
    own_redis.stop()
    with anyio.fail_after(PATIENCE):
        house = await House.open(postgres.new_url(), pace=0, among=Among("p", own_redis.url))
        table_id = await table_of_two(house)
        assert (await house.look(table_id, BEN)).status == "playing"
        await house.close()
    own_redis.start()
