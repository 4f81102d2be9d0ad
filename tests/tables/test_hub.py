"""Telling watchers: the newest state, never a queue."""

from __future__ import annotations

import dataclasses

import anyio
import pytest

from overtrick.tables.hub import Hub
from overtrick.tables.table import Table
from tables.setting import waiting

pytestmark = pytest.mark.anyio


def at(seq: int) -> Table:
    return dataclasses.replace(waiting().table, seq=seq)


async def test_a_watcher_gets_the_present_state_first() -> None:
    states = Hub().follow(at(4))
    assert (await anext(states)).seq == 4
    await states.aclose()


async def test_a_slow_watcher_gets_the_newest_state_only() -> None:
    hub = Hub()
    states = hub.follow(at(1))
    await anext(states)
    for seq in range(2, 500):
        hub.publish(at(seq))
    assert (await anext(states)).seq == 499
    await states.aclose()


async def test_an_older_state_is_never_told() -> None:
    hub = Hub()
    states = hub.follow(at(5))
    await anext(states)
    hub.publish(at(3))
    hub.publish(at(6))
    hub.publish(at(5))
    assert (await anext(states)).seq == 6
    await states.aclose()


async def test_a_state_told_before_the_watcher_read_its_own_is_not_missed() -> None:
    hub = Hub()
    first = hub.follow(at(1))
    await anext(first)
    hub.publish(at(3))
    late = hub.follow(at(2))
    assert (await anext(late)).seq == 3
    await first.aclose()
    await late.aclose()


async def test_each_watcher_waits_for_news() -> None:
    hub = Hub()
    seen: list[int] = []

    async def watch() -> None:
        async for table in hub.follow(at(1)):
            seen.append(table.seq)
            if table.seq == 2:
                return

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        tasks.start_soon(watch)
        await anyio.wait_all_tasks_blocked()
        hub.publish(at(2))
    assert sorted(seen) == [1, 1, 2, 2]


async def test_nothing_is_kept_of_a_table_that_nobody_watches() -> None:
    hub = Hub()
    states = hub.follow(at(1))
    await anext(states)
    assert hub.watched("t")
    await states.aclose()
    assert not hub.watched("t")
    assert (hub._bells, hub._newest) == ({}, {})


async def test_streams_end_when_the_hub_closes() -> None:
    hub = Hub()
    ended = []

    async def watch() -> None:
        async for _ in hub.follow(at(1)):
            pass
        ended.append(True)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            await anyio.wait_all_tasks_blocked()
            hub.close()
    assert ended == [True]
