"""Transactions as plain functions, each run whole: on the event loop with PostgreSQL, in a thread with SQLite.

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

Result = TypeVar("Result")


class Writer(Protocol):
    """Does work in a transaction and commits it; raises what `work` raises, or Unsure if the commit breaks off."""

    async def __call__(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`."""

    async def close(self) -> None:
        """Finish what is under way and close the connections that are its own."""


def writer_of(engine: AsyncEngine) -> Writer:
    """Return the writer for the database of `engine`."""
    return ThreadWriter(engine) if engine.dialect.name == "sqlite" else LoopWriter(engine)


class LoopWriter:
    """Writes by connections of the engine given."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def __call__(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`."""
        async with self._engine.connect() as connection, connection.begin() as transaction:
            result = await connection.run_sync(work)
            with unsure():
                await transaction.commit()
            return result

    async def close(self) -> None:
        """Nothing: the connections are the engine's."""


class ThreadWriter:
    """Writes one transaction after the other in a thread, by a connection of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = connect_in_thread(engine.url)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")

    async def __call__(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, work)

    async def close(self) -> None:
        """Finish what is under way and close the connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()

    def _do(self, work: Callable[[Connection], Result]) -> Result:
        with self._engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin() as transaction:
                result = work(connection)
                with unsure():
                    transaction.commit()
                return result
