"""Transactions as plain functions, each run whole: on the event loop with PostgreSQL, in threads with SQLite.

An asynchronous driver of SQLite goes to its thread and back for each step of each statement, seventeen times for a
move, which cost more than SQLite itself. And whoever is cancelled leaves a transaction in a thread to its end, whole.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from overtrick.tables.database import BUSY_SECONDS, address_of, postgresql_engine, sqlite_engine
from overtrick.tables.outage import unsure
from overtrick.tables.turns import Turns

Result = TypeVar("Result")
_READERS = 4
_SETTLE_SECONDS = 1


class Transactions(Protocol):
    """Does work in a transaction of its own; raises what `work` raises.

    `work` reads all rows of what it asks for, and returns nothing that needs its connection.
    """

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`, which changes nothing."""

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` and commit it; raises Unsure if the commit breaks off."""

    async def settle(self) -> bool:
        """Let nothing that was overwritten lie about in the files of the database; whether that was done."""

    async def close(self) -> None:
        """Finish what is under way and close all connections."""


def transactions_of(url: str) -> Transactions:
    """Return how transactions are run in the database at `url`; the first one connects. Raises InvalidDatabase."""
    address = address_of(url)
    if address.get_backend_name() == "sqlite":
        return InThreads(sqlite_engine(address))
    return OnLoop(postgresql_engine(address))


class OnLoop:
    """By connections of the engine's, each used for one transaction at a time."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` and commit it."""
        async with self._engine.connect() as connection, connection.begin() as transaction:
            result = await connection.run_sync(work)
            with unsure():
                await transaction.commit()
            return result

    async def settle(self) -> bool:
        """Nothing: PostgreSQL's own clean-up sees to that."""
        return True

    async def close(self) -> None:
        """Close the connections."""
        await self._engine.dispose()


class InThreads:
    """By one connection that writes, for SQLite has one writer at a time, and some that read beside it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._line: Connection | None = None
        """The one that writes, once it has; what went wrong on it may be its own fault, and then the next is new."""
        # SQLite waits for its lock by sleeping and trying again: with 20 busy tables the unluckiest move took 2.5 s.
        # In line, it took under 0.4 s.
        self._writing = asyncio.Lock()
        self._turns = Turns(engine.url.database or "")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` and commit it."""
        async with self._in_line():
            return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def settle(self) -> bool:
        """Write the journal into the file; somebody who reads just then, or holds a lock for long, prevents it."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._settle)

    async def close(self) -> None:
        """Finish what is under way and close the connections."""
        await asyncio.to_thread(self._close)

    @asynccontextmanager
    async def _in_line(self) -> AsyncIterator[None]:
        """Wait in line to write; raises TimeoutError if those in front are stuck."""
        async with asyncio.timeout(BUSY_SECONDS):
            await self._writing.acquire()
        try:
            yield
        finally:
            self._writing.release()

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        with self._engine.connect() as connection:
            return work(connection)

    def _write(self, work: Callable[[Connection], Result]) -> Result:
        with self._turns:
            return self._written(work)

    def _written(self, work: Callable[[Connection], Result]) -> Result:
        line, self._line = self._line or self._engine.connect().execution_options(writes=True), None
        try:
            with line.begin() as transaction:
                result = work(line)
                with unsure():
                    transaction.commit()
        except BaseException:
            line.invalidate()
            line.close()
            raise
        self._line = line
        return result

    def _settle(self) -> bool:
        with self._engine.connect() as connection:
            driver = connection.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)
            driver.execute(f"PRAGMA busy_timeout = {_SETTLE_SECONDS * 1000}")
            try:
                ((prevented, *_),) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.OperationalError:
                return False
            finally:
                driver.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
            return not prevented

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        if self._line is not None:
            self._line.close()
        self._engine.dispose()
