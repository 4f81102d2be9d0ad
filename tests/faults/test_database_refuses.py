"""The database is there but does not write: it is read-only, locked by somebody else, or full."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import anyio
import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import Connection, make_url

from faults.people import Notes, assert_whole, first_move, play_on, seated
from overtrick.tables import House, Refused, database, transactions
from overtrick.tables.database import address_of, postgresql_engine
from servers import Postgres
from tables.databases import engine_of
from tables.setting import ANN, BEN, SeededEntropy, making, read_table

pytestmark = pytest.mark.anyio

Fault = AbstractAsyncContextManager[None]


@asynccontextmanager
async def pragma(house: House, fault: str, cure: str) -> AsyncIterator[None]:
    """A setting in each transaction in which the house writes, in SQLite."""
    setting = fault

    def begun(connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql(f"PRAGMA {setting}")

    event.listen(engine_of(house._ledger.store), "begin", begun)
    yield
    setting = cure


def read_only_sqlite(house: House) -> Fault:
    return pragma(house, "query_only = ON", "query_only = OFF")


def full_sqlite(house: House) -> Fault:
    """No page more than there are: SQLite takes the least that holds what is there."""
    return pragma(house, "max_page_count = 1", "max_page_count = 1000000")


@asynccontextmanager
async def read_only_postgres(postgres: Postgres, url: str) -> AsyncIterator[None]:
    """The user may not write any more; the sessions that it has are ended."""
    user = make_url(url).username
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{user}'"
    postgres.ask(f"ALTER ROLE {user} SET default_transaction_read_only = on; {end}")
    yield
    postgres.ask(f"ALTER ROLE {user} RESET default_transaction_read_only; {end}")


@asynccontextmanager
async def locked(url: str) -> AsyncIterator[None]:
    """Somebody else holds the lock that every writer needs."""
    address = address_of(url)
    if address.database and address.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(address.database, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            yield
        return
    engine = postgresql_engine(address)
    async with engine.begin() as connection:
        await connection.execute(text("LOCK TABLE events IN EXCLUSIVE MODE"))
        yield
    await engine.dispose()


@pytest.fixture
async def house(url: str, monkeypatch: pytest.MonkeyPatch, anyio_backend: str) -> AsyncIterator[House]:
    """A house that waits for locks for a second only."""
    for module in (database, transactions):
        monkeypatch.setattr(module, "BUSY_SECONDS", 1)
    house = await House.open(url, pace=0, entropy=SeededEntropy(1))
    yield house
    await house.close()


async def refuses_then_goes_on(house: House, url: str, fault: Callable[[], Fault]) -> None:
    """During the fault every command is refused and nothing is written; after it the game is played to its end."""
    table_id = await seated(house)
    move = first_move(await read_table(url, table_id))
    async with fault():
        for _ in range(2):
            with pytest.raises(Refused, match="could not be saved, so nothing has happened") as refused:
                await make_many(house)
            assert refused.value.kind == "unavailable"
        before = await read_table(url, table_id)
        assert (await house.look(table_id, ANN)).seq == before.seq
    assert (await read_table(url, table_id)).seq == before.seq
    if before.ply == 0:
        assert (await house.act(table_id, ANN, move)).ply == 1
    notes = Notes()
    await play_both(house, table_id, notes)
    assert (await assert_whole(url, table_id, notes)).status == "over"


async def make_many(house: House) -> None:
    """Make tables; in a database that is full there may be room for a few."""
    for number in range(200):
        await house.make(ANN, making("duet", token=f"more {number}"))


async def play_both(house: House, table_id: str, notes: Notes) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(play_on, house, table_id, ANN, notes)
        tasks.start_soon(play_on, house, table_id, BEN, notes)


@pytest.fixture
def read_only(house: House, url: str, request: pytest.FixtureRequest) -> Callable[[], Fault]:
    """What makes the database of the test read-only."""
    if url.startswith("sqlite"):
        return lambda: read_only_sqlite(house)
    postgres: Postgres = request.getfixturevalue("postgres")
    return lambda: read_only_postgres(postgres, url)


async def test_a_read_only_database(house: House, url: str, read_only: Callable[[], Fault]) -> None:
    await refuses_then_goes_on(house, url, read_only)


async def test_a_read_only_database_refuses_a_claim_as_clearly(
    house: House, read_only: Callable[[], Fault]
) -> None:
    async with read_only():
        with pytest.raises(Refused, match="could not be saved, so nothing has happened") as refused:
            await house.people.claim(ANN, "Ann", "a long password")
        assert refused.value.kind == "unavailable"
        assert await house.people.account(ANN) is None
    await house.people.claim(ANN, "Ann", "a long password")
    assert await house.people.account(ANN) is not None


async def test_a_database_that_somebody_else_has_locked(house: House, url: str) -> None:
    await refuses_then_goes_on(house, url, lambda: locked(url))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_full_database(house: House, url: str) -> None:
    await refuses_then_goes_on(house, url, lambda: full_sqlite(house))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("replaced", [False, True])
async def test_a_file_that_is_put_elsewhere_is_missed_by_all_who_write_and_whole_once_it_is_back(
    house: House, url: str, replaced: bool
) -> None:
    """SQLite would make an empty one in its place, which ends the journal of what was answered."""
    table_id = await seated(house)
    await house.people.claim(ANN, "Ann", "a long password")
    file = Path(url.removeprefix("sqlite:///"))
    file.rename(file.with_name("elsewhere"))
    if replaced:
        file.touch()
    readers = [house.people.devices(ANN) for _ in range(20)]
    await asyncio.gather(*readers, return_exceptions=True)  # more at once than there are connections
    for command in (house.make(BEN, making("duet")), house.people.claim(BEN, "Ben", "a long password")):
        with pytest.raises(Refused) as refused:
            await command
        assert refused.value.kind == "unavailable"
    assert file.exists() == replaced
    assert not replaced or file.stat().st_size == 0
    file.unlink(missing_ok=True)
    file.with_name("elsewhere").rename(file)
    await house.people.claim(BEN, "Ben", "a long password")
    notes = Notes()
    await play_both(house, table_id, notes)
    assert (await assert_whole(url, table_id, notes)).status == "over"
    for person in (ANN, BEN):
        assert await house.people.account(person) is not None


async def test_an_outage_is_told_once_in_the_log_with_no_statement_and_no_value(
    house: House, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    table_id = await seated(house)
    caplog.clear()
    with caplog.at_level(logging.WARNING, "overtrick"):
        async with locked(url):
            for _ in range(2):
                with pytest.raises(Refused):
                    await house.make(ANN, making("duet", token="x", name="Annabel"))
        await house.act(table_id, ANN, first_move(await read_table(url, table_id)))
    began, ended = (record.getMessage() for record in caplog.records)
    assert began.startswith("The database cannot be written to: ")
    assert ended == "The database can be written to again"
    assert not any(hidden in began for hidden in ("INSERT", "Annabel", table_id, "\n"))
