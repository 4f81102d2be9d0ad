"""Transactions as plain functions, each run whole: on the event loop with PostgreSQL, in threads with SQLite.

The asynchronous driver of SQLite goes to its thread and back for each step of each statement, seventeen times for a
move, which cost more than SQLite itself. And whoever is cancelled leaves a transaction in a thread to its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from overtrick.tables.database import connect_in_thread
from overtrick.tables.outage import unsure
from overtrick.tables.turns import Turns

Result = TypeVar("Result")
_READERS = 4


class Transactions(Protocol):
    """Does work in a transaction of its own; raises what `work` raises."""

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`, which changes nothing."""

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` and commit it; raises Unsure if the commit breaks off."""

    async def close(self) -> None:
        """Finish what is under way and close the connections that are its own."""


def transactions_of(engine: AsyncEngine) -> Transactions:
    """Return how transactions are run in the database of `engine`."""
    return InThreads(engine) if engine.dialect.name == "sqlite" else OnLoop(engine)


class OnLoop:
    """By connections of the engine given."""

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

    async def close(self) -> None:
        """Nothing: the connections are the engine's."""


class InThreads:
    """By connections of its own: one writes, for SQLite has one writer at a time, and some read beside it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = connect_in_thread(engine.url)
        self._line: Connection | None = None
        """The one that writes, once it has; what went wrong on it may be its own fault, and then the next is new."""
        self._turns = Turns(engine.url.database)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` and commit it."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def close(self) -> None:
        """Finish what is under way and close the connections."""
        await asyncio.to_thread(self._close)

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

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        if self._line is not None:
            self._line.close()
        self._engine.dispose()
