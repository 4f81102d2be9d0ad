"""Leases on what is due at tables, on both databases."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator

import pytest
from sqlalchemy import event

from overtrick.tables.appending import LEASE, Batch
from overtrick.tables.commands import Start
from overtrick.tables.events import Resumed
from overtrick.tables.leases import BEAT, GONE, Leases
from overtrick.tables.listing import listing
from overtrick.tables.store import Store
from tables.databases import engine_of
from tables.setting import ANN, Desk, waiting

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stores(url: str, anyio_backend: str) -> AsyncIterator[tuple[Store, Store]]:
    one, other = await Store.open(url, "one"), await Store.open(url, "other")
    yield one, other
    await one.close()
    await other.close()


async def write(store: Store, table_id: str, desk: Desk, *, at: int) -> None:
    """Put a table in the database as if it had come to be all at once."""
    shown = listing(desk.table)
    await store.append(
        Batch(table_id=table_id, at=at, after=0, events=(Resumed(0),), rules_version=1, listing=shown)
    )


def bots_only() -> Desk:
    """A game that has begun, in which a bot is to act."""
    desk = waiting(seats=("bot:uniform",) * 4)
    desk.ask(ANN, Start())
    return desk


async def test_who_makes_something_due_has_the_lease_until_it_ends(stores: tuple[Store, Store]) -> None:
    one, other = stores
    await write(one, "t", bots_only(), at=1_000)
    assert await Leases(other).claim(1000 + LEASE - 1, 9) == []
    assert await Leases(other).claim(1000 + LEASE, 9) == ["t"]
    assert await Leases(one).claim(1000 + LEASE, 9) == []


async def test_a_process_that_is_still_at_it_renews_its_lease(stores: tuple[Store, Store]) -> None:
    one, other = stores
    await write(one, "t", bots_only(), at=1_000)
    await Leases(one).renew(["t"], 1000 + LEASE - 1)
    assert await Leases(other).claim(1000 + LEASE, 9) == []
    await Leases(other).renew(["t"], 10**9)  # not its own: nothing happens
    assert await Leases(other).claim(1000 + 2 * LEASE, 9) == ["t"]


async def test_a_process_of_the_same_name_takes_its_work_up_at_once(
    stores: tuple[Store, Store], url: str
) -> None:
    one, _ = stores
    await write(one, "t", bots_only(), at=1_000)
    again = await Store.open(url, "one")
    await Leases(again).release()
    assert await Leases(again).claim(1000, 9) == ["t"]
    await again.close()


async def test_nothing_is_claimed_before_it_is_due(stores: tuple[Store, Store]) -> None:
    one, other = stores
    desk = waiting("duet", seats=("me", "bot:uniform"), dealer=1, timing={"kind": "move", "seconds": 60})
    desk.ask(ANN, Start())
    await write(one, "t", desk, at=desk.now)
    assert await Leases(other).claim(desk.now + 59_999, 9) == []
    assert await Leases(other).claim(desk.now + 60_000, 9) == ["t"]


async def test_many_due_tables_are_shared_out_and_none_twice(stores: tuple[Store, Store]) -> None:
    one, other = stores
    for number in range(10):
        await write(one, f"t{number}", bots_only(), at=1000 + number)
    late = 1000 + 10 + LEASE
    first, second = await Leases(one).claim(late, 6), await Leases(other).claim(late, 6)
    assert (len(first), len(second)) == (6, 4)
    assert sorted(first + second) == [f"t{number}" for number in range(10)]


async def test_an_outage_is_noticed_once_and_puts_off_what_is_due(stores: tuple[Store, Store]) -> None:
    one, other = stores
    desk = waiting("duet", seats=("me", "bot:uniform"), dealer=1, timing={"kind": "move", "seconds": 60})
    desk.ask(ANN, Start())
    await write(one, "t", desk, at=desk.now)
    assert await Leases(one).beat(desk.now) == 0
    assert await Leases(other).beat(desk.now + BEAT) == 0
    back = desk.now + BEAT + GONE + 70_000
    assert await Leases(one).beat(back) == GONE + 70_000
    assert await Leases(other).beat(back + 1) == 0
    assert await Leases(one).running() == ["t"]
    assert await Leases(one).claim(back, 9) == []
    assert await Leases(one).claim(desk.now + 60_000 + GONE + 70_000, 9) == ["t"]


async def test_the_first_start_of_all_is_no_outage(stores: tuple[Store, Store]) -> None:
    assert await Leases(stores[0]).beat(10**12) == 0


async def test_an_outage_puts_off_no_bots_turn(stores: tuple[Store, Store]) -> None:
    one, _ = stores
    assert await Leases(one).beat(1_000) == 0
    await write(one, "t", bots_only(), at=2_000)
    assert await Leases(one).beat(2_000 + GONE + LEASE) > 0
    assert await Leases(one).claim(2_000 + GONE + LEASE, 9) == ["t"]


@pytest.fixture
def no_collector() -> Iterator[None]:
    """What is left of a cancelled task stays where it is."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
async def test_a_sign_of_life_that_is_cancelled_in_the_middle_of_its_rows_locks_nobody_out(
    stores: tuple[Store, Store],
) -> None:
    one, other = stores
    loop = asyncio.get_running_loop()

    def cancel(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("SELECT"):
            loop.call_soon_threadsafe(beating.cancel)  # the rows are asked for, and nobody comes for them

    event.listen(engine_of(one), "before_cursor_execute", cancel)
    beating = asyncio.create_task(Leases(one).beat(1_000))
    done, _ = await asyncio.wait([beating], timeout=60)
    assert done
    assert beating.cancelled()
    assert await Leases(other).beat(2_000) == 0
