"""Telling watchers: the newest state, never a queue, and none of them waited for."""

from __future__ import annotations

import anyio
import pytest
from msgspec import structs

from overtrick.tables.hub import AT_ONCE, Hub
from overtrick.tables.table import Table
from tables.setting import waiting

pytestmark = pytest.mark.anyio


def at(seq: int) -> Table:
    return structs.replace(waiting().table, seq=seq)


class Watcher:
    def __init__(self) -> None:
        self.told: list[int] = []
        self.ended = 0

    def tell(self, table: Table) -> None:
        self.told.append(table.seq)

    def end(self, error: Exception | None = None) -> None:
        self.ended += 1


def watching(hub: Hub, table: Table) -> Watcher:
    watcher = Watcher()
    hub.follow(table, watcher)
    return watcher


async def soon() -> None:
    for _ in range(10):
        await anyio.lowlevel.checkpoint()


async def test_a_watcher_gets_the_present_state_first() -> None:
    assert watching(Hub(), at(4)).told == [4]


async def test_of_many_changes_in_a_row_a_watcher_gets_the_newest_alone() -> None:
    hub = Hub()
    watcher = watching(hub, at(1))
    for seq in range(2, 500):
        hub.publish(at(seq))
    await soon()
    assert watcher.told == [1, 499]


async def test_an_older_state_is_never_told() -> None:
    hub = Hub()
    watcher = watching(hub, at(5))
    hub.publish(at(3))
    hub.publish(at(6))
    hub.publish(at(5))
    await soon()
    assert watcher.told == [5, 6]


async def test_a_state_told_before_the_watcher_came_is_not_missed() -> None:
    hub = Hub()
    watching(hub, at(1))
    hub.publish(at(3))
    assert watching(hub, at(2)).told == [3]


async def test_who_brings_a_newer_state_tells_the_others_of_it() -> None:
    hub = Hub()
    first = watching(hub, at(1))
    watching(hub, at(4))
    await soon()
    assert first.told == [1, 4]


async def test_others_run_while_many_are_told() -> None:
    hub = Hub()
    crowd = [watching(hub, at(1)) for _ in range(3 * AT_ONCE)]
    hub.publish(at(2))
    assert all(watcher.told == [1] for watcher in crowd)
    await anyio.lowlevel.checkpoint()
    assert sum(watcher.told == [1, 2] for watcher in crowd) == AT_ONCE
    hub.publish(at(3))
    await soon()
    assert all(watcher.told[-1] == 3 for watcher in crowd)
    assert sum(watcher.told == [1, 3] for watcher in crowd) == 2 * AT_ONCE


async def test_who_came_first_is_told_first_and_nobody_waits_for_ever_where_much_happens() -> None:
    hub = Hub()
    told: list[int] = []
    crowd = [watching(hub, at(1)) for _ in range(3 * AT_ONCE)]
    for number, watcher in enumerate(crowd):
        watcher.tell = lambda _, number=number: told.append(number)  # type: ignore[method-assign,misc]
    for seq in range(2, 8):
        hub.publish(at(seq))
        await anyio.lowlevel.checkpoint()
    assert told == [*range(3 * AT_ONCE)] * 2


async def test_who_has_gone_while_the_others_are_told_is_told_nothing() -> None:
    hub = Hub()
    crowd = [watching(hub, at(1)) for _ in range(3)]
    hub.publish(at(2))
    hub.let_go("t", crowd[1])
    await soon()
    assert [watcher.told for watcher in crowd] == [[1, 2], [1], [1, 2]]


async def test_nothing_is_kept_of_a_table_that_nobody_watches() -> None:
    hub = Hub()
    watcher = watching(hub, at(1))
    assert hub.watched("t")
    hub.publish(at(2))
    hub.let_go("t", watcher)
    await soon()
    assert not hub.watched("t")
    assert hub._watched == {}
    assert watcher.told == [1]


async def test_watchers_end_when_the_hub_closes_and_so_do_those_who_come_later() -> None:
    hub = Hub()
    early = watching(hub, at(1))
    hub.close()
    late = watching(hub, at(1))
    assert (early.ended, late.ended, late.told) == (1, 1, [])
