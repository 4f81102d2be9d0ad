"""Connecting to SQLite or PostgreSQL, and whose fault it is when a statement fails.

SQLite is in WAL mode with `synchronous = FULL`, PostgreSQL with `synchronous_commit = on`: a commit has reached the
disk when it returns, so what was answered survives both a killed process and a power cut.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from typing import Any
from weakref import WeakSet

import aiosqlite
from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from overtrick.errors import N_, OvertrickError

BUSY_SECONDS = 10
"""Seconds that a statement waits for a lock of somebody else's."""
_SETTLE_SECONDS = 1
_CONNECT_SECONDS = 10
_ANSWER_SECONDS = 30
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_OUR_FAULT = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
_LOST_TO_ANOTHER = {"40001", "40P01"}  # PostgreSQL's serialization failure and deadlock


class InvalidDatabase(OvertrickError, ValueError):  # noqa: N818 - named as its siblings are
    """The address of a database that cannot be used; the message says what was expected."""


def address_of(url: str) -> URL:
    """Return the address with the asynchronous driver of its kind of database; raises InvalidDatabase."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        address = URL.create("")
    address = address.set(drivername=_DRIVERS.get(address.drivername, address.drivername))
    if address.drivername not in _DRIVERS.values():
        # The address may hold a password, so it is not repeated.
        raise InvalidDatabase(
            N_("database_url must look like sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE")
        )
    return address


def connect(url: str, **options: Any) -> AsyncEngine:
    """Return an engine for the database at `url`; it connects when it is first asked. Raises InvalidDatabase."""
    address = address_of(url)
    # What fails is logged; the values of a statement may be somebody's cards.
    options["hide_parameters"] = True
    if address.drivername == "sqlite+aiosqlite":
        engine = create_async_engine(address, connect_args={"async_creator_fn": _open_sqlite}, **options)
        _prepare_sqlite(engine.sync_engine)
        return engine
    settings = {
        "application_name": "overtrick",
        "lock_timeout": f"{BUSY_SECONDS}s",
        "statement_timeout": f"{_ANSWER_SECONDS}s",
        "synchronous_commit": "on",
    }
    arguments = {
        "timeout": _CONNECT_SECONDS,
        "command_timeout": _ANSWER_SECONDS + 5,
        "server_settings": settings,
    }
    return create_async_engine(address, connect_args=arguments, **options)


def connect_in_thread(address: URL) -> Engine:
    """Return an engine for the SQLite database at `address` whose connections are used in threads."""
    engine = create_engine(address.set(drivername="sqlite"), hide_parameters=True)
    _prepare_sqlite(engine)
    return engine


async def settle(engine: AsyncEngine) -> bool:
    """Let nothing lie in SQLite's journal that is no longer in the tables; PostgreSQL's own clean-up sees to that.

    Returns whether it was done: somebody who reads just then, or holds a lock for long, prevents it.
    """
    if engine.dialect.name != "sqlite":
        return True
    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.execute(f"PRAGMA busy_timeout = {_SETTLE_SECONDS * 1000}")
        try:
            ((prevented, *_),) = await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError:
            return False
        finally:
            await driver.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    return not prevented


def is_fault(error: BaseException) -> bool:
    """Whether the database failed, rather than what was asked of it: full, read-only, locked, gone."""
    if isinstance(error, DBAPIError):
        bad_value = _sqlstate(error).startswith("22")
        return not (isinstance(error, _OUR_FAULT) or bad_value)
    return isinstance(error, OSError | PoolTimeout)  # OSError: it could not even be reached


def is_lost_line(error: BaseException) -> bool:
    """Whether a connection turned out to be dead, as after a restart of the database: a new one may do."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def is_lost_race(error: BaseException) -> bool:
    """Whether somebody else wrote the same row first."""
    if isinstance(error, IntegrityError):
        return True
    return isinstance(error, DBAPIError) and _sqlstate(error) in _LOST_TO_ANOTHER


def _sqlstate(error: DBAPIError) -> str:
    """PostgreSQL's code of what went wrong, if it is PostgreSQL."""
    return getattr(error.orig, "sqlstate", None) or ""


def in_short(error: BaseException) -> str:
    """Return what the database said, in one line, without the statement."""
    said = (error.orig or error) if isinstance(error, DBAPIError) else error
    return (str(said).splitlines() or [type(said).__name__])[0]


class _File(sqlite3.Connection):
    """A connection that lets go of its locks as it closes.

    SQLite keeps a closed connection, and its locks, for as long as somebody is in the middle of its rows: so would
    one whose task was cancelled there, until the garbage collector finds what is left of the task.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()

    def cursor(self, *arguments: Any, **options: Any) -> Any:
        """Return a cursor that ends with the connection."""
        made = super().cursor(*arguments, **options)
        self._cursors.add(made)
        return made

    def close(self) -> None:
        """Close the cursors, then the connection."""
        for cursor in list(self._cursors):
            with suppress(sqlite3.Error):
                cursor.close()
        super().close()


async def _open_sqlite(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    """Open a file; the thread of one that cannot be opened must end before the loop that it reports to."""
    opening = aiosqlite.connect(*arguments, factory=_File, **options)
    opening._thread.daemon = True  # as SQLAlchemy does it
    try:
        return await opening
    except sqlite3.Error:
        await asyncio.to_thread(opening._thread.join)
        raise


def _prepare_sqlite(engine: Engine) -> None:
    """Set each connection up, and let SQLAlchemy rather than the driver say when a transaction begins."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        # What is deleted is overwritten, so that no name outlives its person in a page that is free.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # A writer takes the lock at once: upgrading a reader's lock later can fail without waiting.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
