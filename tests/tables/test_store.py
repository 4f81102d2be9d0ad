"""The contract of the store, on a real SQLite file and a real PostgreSQL server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.engine import Connection, make_url

from overtrick.tables.appending import Batch, LostRace
from overtrick.tables.events import Event, Freed, Logged, Sat
from overtrick.tables.fold import replay
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.listing import TableSummary, listing
from overtrick.tables.making import make
from overtrick.tables.store import Store
from tables.databases import do
from tables.setting import ANN, BEN, logged, making, playing

pytestmark = pytest.mark.anyio

DURABLE = {
    "sqlite": (["PRAGMA journal_mode", "PRAGMA synchronous"], ["wal", 2]),
    "postgresql": (["SHOW fsync", "SHOW synchronous_commit"], ["on", "on"]),
}
SAT = Sat(1, BEN.id, "Ben \u202e<b>雨")


@pytest.fixture
async def store(url: str, anyio_backend: str) -> AsyncIterator[Store]:
    store = await Store.open(url)
    yield store
    await store.close()


def first_batch(table_id: str, token: str = "", *, at: int = 1, **changes: object) -> Batch:
    """What making a table writes."""
    events = make(ANN, making(**changes))
    return Batch(
        table_id=table_id,
        at=at,
        after=0,
        events=events,
        rules_version=1,
        listing=listing(replay(table_id, logged(events))),
        token=token,
    )


def next_batch(first: Batch, after: int, *events: Event) -> Batch:
    """What comes after; the listing does not matter here."""
    return Batch(
        table_id=first.table_id, at=2, after=after, events=events, rules_version=1, listing=first.listing
    )


async def test_what_is_appended_is_read_in_order(store: Store) -> None:
    first = first_batch("t")
    made = len(first.events)
    await store.append(first)
    await store.append(next_batch(first, made, SAT, Freed(1)))
    log = await store.read("t")
    assert [entry.event for entry in log] == [*first.events, SAT, Freed(1)]
    assert [entry.at for entry in log] == [1] * made + [2, 2]
    assert await store.read("t", after=made + 1) == [Logged(2, Freed(1))]


async def test_a_table_that_is_not_there_has_no_events(store: Store) -> None:
    assert await store.read("t") == []
    assert await store.made_at("t") is None


@pytest.mark.parametrize("off", [-1, 1])
async def test_appending_at_another_number_loses_the_race(store: Store, off: int) -> None:
    first = first_batch("t")
    await store.append(first)
    with pytest.raises(LostRace):
        await store.append(next_batch(first, len(first.events) + off, SAT))
    assert await store.read("t") == logged(first.events)


async def test_of_many_writers_one_wins(store: Store) -> None:
    first = first_batch("t")
    await store.append(first)
    results = []

    async def write(seat: int) -> None:
        try:
            await store.append(next_batch(first, len(first.events), Freed(seat)))
            results.append(True)
        except LostRace:
            results.append(False)

    async with anyio.create_task_group() as tasks:
        for seat in range(10):
            tasks.start_soon(write, seat)
    assert sorted(results) == [False] * 9 + [True]
    assert len(await store.read("t")) == len(first.events) + 1


async def test_a_token_makes_one_table(store: Store) -> None:
    await store.append(first_batch("t1", "token", at=1))
    with pytest.raises(LostRace):
        await store.append(first_batch("t2", "token", at=2))
    assert await store.by_token("token") == "t1"
    assert await store.by_token("other") is None
    assert await store.read("t2") == []


async def test_batches_are_written_all_or_none(store: Store) -> None:
    first = first_batch("t1", "token")
    await store.append(first)
    with pytest.raises(LostRace):
        await store.append(next_batch(first, len(first.events), SAT), first_batch("t2", "token"))
    assert await store.read("t1") == logged(first.events)
    with pytest.raises(LostRace):
        await store.append(first_batch("t3", "other"), next_batch(first, 99, SAT))
    assert await store.read("t3") == []


async def test_another_process_reads_what_was_appended(store: Store, url: str) -> None:
    first = first_batch("t")
    await store.append(first)
    other = await Store.open(url)
    assert await other.read("t") == logged(first.events)
    await other.close()


async def test_the_lobby_lists_public_waiting_tables_with_free_seats(store: Store) -> None:
    await store.append(first_batch("open", public=True, dealer=1, at=10))
    await store.append(first_batch("later", public=True, at=20))
    await store.append(first_batch("private", at=30))
    full = ("me", "bot:uniform", "bot:uniform", "bot:uniform")
    await store.append(first_batch("full", public=True, seats=full, at=40))
    assert [table.id for table in await store.open_tables(since=0, most=9)] == ["later", "open"]
    assert [table.id for table in await store.open_tables(since=0, most=1)] == ["later"]
    assert [table.id for table in await store.open_tables(since=20, most=9)] == ["later"]
    assert (await store.open_tables(since=0, most=9))[1] == TableSummary(
        id="open",
        game="luz",
        options={"players": 4, "bead_supply": None},
        dealer=1,
        names=("Ann",),
        bots=2,
        free=1,
        made_at=10,
    )


async def test_a_table_leaves_the_lobby_once_it_plays(store: Store) -> None:
    first = first_batch("t", public=True)
    await store.append(first)
    started = Batch(
        table_id="t",
        at=2,
        after=len(first.events),
        events=(SAT,),
        rules_version=1,
        listing=listing(playing().table),
    )
    await store.append(started)
    assert await store.open_tables(since=0, most=9) == []
    assert await store.made_at("t") == 1


async def test_an_event_of_an_unknown_kind_is_an_error_to_read(store: Store) -> None:
    await store.append(first_batch("t", at=1))
    await do(store, "UPDATE events SET kind = 'chatted' WHERE seq = 2")
    with pytest.raises(UnknownEvent):
        await store.read("t")


async def test_rows_keep_the_rules_version_and_the_time(store: Store) -> None:
    await store.append(first_batch("t", at=1_800_000_000_123))
    rows = await store.rows(text("SELECT DISTINCT rules_version, at FROM events"))
    assert [tuple(row) for row in rows] == [(1, 1_800_000_000_123)]


async def test_a_commit_is_on_the_disk_before_it_is_answered(store: Store, url: str) -> None:
    asked, wanted = DURABLE[make_url(url).get_backend_name()]

    def settings(connection: Connection) -> list[Any]:
        return [connection.scalar(text(setting)) for setting in asked]

    assert await store.write(settings) == wanted


async def test_a_database_of_several_stores_is_made_once(url: str) -> None:
    stores = []

    async def open_one() -> None:
        stores.append(await Store.open(url))

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(open_one)
    await stores[0].append(first_batch("t", at=1))
    assert len(await stores[3].read("t")) == len(first_batch("t").events)
    for store in stores:
        await store.close()


async def test_appends_that_come_at_once_are_each_won_or_lost_by_themselves(store: Store) -> None:
    first = [first_batch(f"t{n}", f"token {n}") for n in range(8)]
    made = len(first[0].events)
    outcomes = await asyncio.gather(
        *(store.append(batch) for batch in first),
        store.append(first_batch("late", "token 3")),
        *(store.append(next_batch(batch, made, SAT)) for batch in first),
        *(store.append(next_batch(batch, made, Freed(1))) for batch in first),
        store.append(next_batch(first[0], made + 1, Freed(1)), next_batch(first[1], made, Freed(1))),
        return_exceptions=True,
    )
    lost = [isinstance(outcome, LostRace) for outcome in outcomes]
    assert lost == [False] * 8 + [True] + [False] * 8 + [True] * 8 + [True]
    for batch in first:
        assert [entry.event for entry in await store.read(batch.table_id)] == [*batch.events, SAT]
    assert await store.read("late") == []


async def test_of_two_appends_that_come_at_once_the_second_may_follow_the_first(store: Store) -> None:
    first = first_batch("t")
    made = len(first.events)
    await asyncio.gather(
        store.append(first),
        store.append(next_batch(first, made, SAT)),
        store.append(next_batch(first, made + 1, Freed(1))),
    )
    assert [entry.event for entry in await store.read("t")] == [*first.events, SAT, Freed(1)]


async def test_games_to_watch_are_those_that_everybody_may_watch(store: Store) -> None:
    first = first_batch("t")
    await store.append(first)
    for number, (table_id, watching) in enumerate([("a", "everybody"), ("b", "link"), ("c", "nobody")]):
        table = playing(watching=watching, public=True).table
        made = first_batch(table_id, table_id, public=True, watching=watching)
        await store.append(made)
        started = next_batch(made, len(made.events), SAT)
        await store.append(replace(started, at=number, listing=listing(table)))
    assert [table.id for table in await store.watched_by_all(since=0, most=9)] == ["a"]
    assert await store.watched_by_all(since=1, most=9) == []


async def test_a_game_from_before_there_was_a_choice_is_not_listed_to_be_watched(store: Store) -> None:
    await store.append(first_batch("t", public=True))
    ((summary,),) = await store.rows(text("SELECT summary FROM tables"))
    old = summary.replace(',"watching":"link"', "")
    assert old != summary
    await do(store, "UPDATE tables SET status = 'playing', summary = :old", old=old)
    assert await store.watched_by_all(since=0, most=9) == []
    await do(store, "UPDATE tables SET status = 'waiting'")
    assert [table.id for table in await store.open_tables(since=0, most=9)] == ["t"]
