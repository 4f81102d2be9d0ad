"""Connecting to SQLite or PostgreSQL, and whose fault it is when a statement fails.

SQLite is in WAL mode with `synchronous = FULL`, PostgreSQL with `synchronous_commit = on`: a commit has reached the
disk when it returns, so what was answered survives both a killed process and a power cut. What fails is logged
without the values of its statement, for they may be somebody's cards.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from errno import ENOENT
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Dialect, Engine, make_url
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
_BUSY_PAUSE = 0.01
_CONNECT_SECONDS = 10
_ANSWER_SECONDS = 30
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",  # as earlier versions wrote it
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_OUR_FAULT = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
_LOST_TO_ANOTHER = {"40001", "40P01"}  # PostgreSQL's serialization failure and deadlock


class InvalidDatabase(OvertrickError, ValueError):  # noqa: N818 - named as its siblings are
    """The address of a database that cannot be used; the message says what was expected."""


def address_of(url: str) -> URL:
    """Return the address with the driver that is used for its kind of database; raises InvalidDatabase."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        address = URL.create("")
    address = address.set(drivername=_DRIVERS.get(address.drivername, address.drivername))
    file = address.database or ""
    is_no_file = address.drivername == "sqlite" and (file in ("", ":memory:") or file.startswith("file:"))
    if address.drivername not in _DRIVERS.values() or is_no_file:
        # The address may hold a password, so it is not repeated.
        raise InvalidDatabase(
            N_("database_url must look like sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE")
        )
    return address


class _SameFile:
    """An SQLite file, as long as it is the one that was opened first.

    The system lets a process write to a file that has been deleted or put elsewhere, and then all that is lost. And who
    connects to an empty one in the place of one that is away ends the journal of that one.
    """

    def __init__(self, name: str) -> None:
        self.path = Path(name).absolute()
        self.opened: tuple[int, int] | None = None

    def make(self) -> None:
        """Make it, for this user alone as it holds hands, if there is none; SQLite tells why there can be none."""
        with suppress(OSError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def must_be_there(self) -> None:
        """Raise OSError if there is no file, or another than at the first call."""
        found = self.path.stat()
        identity = (found.st_dev, found.st_ino)
        self.opened = self.opened or identity
        if identity != self.opened:
            raise FileNotFoundError(
                ENOENT, "another file is in the place of the one that was opened", str(self.path)
            )


def sqlite_engine(address: URL) -> Engine:
    """Return an engine for the SQLite file at `address`; its connections are used in threads.

    Its first connection makes the file if there is none. Later ones, and who writes, want the same file.
    """
    engine = create_engine(address, hide_parameters=True)
    file = _SameFile(address.database or "")

    @event.listens_for(engine, "do_connect")
    def connecting(dialect: Dialect, _record: object, _name: object, options: dict[str, Any]) -> Any:
        if file.opened is None:
            file.make()
            return None  # as SQLAlchemy does it
        file.must_be_there()
        return dialect.connect(f"{file.path.as_uri()}?mode=rw", uri=True, **options)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
        _write_ahead(cursor)
        cursor.execute("PRAGMA synchronous = FULL")
        # What is deleted is overwritten, so that no name outlives its person in a page that is free.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.close()
        file.must_be_there()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # SQLAlchemy rather than the driver says when a transaction begins. A writer takes the lock at once:
        # upgrading a reader's lock later can fail without waiting.
        writes = connection.get_execution_options().get("writes")
        if writes:
            file.must_be_there()
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Have changes written ahead in a journal; a file that is new becomes one of that sort.

    Where several make it so at once, SQLite refuses without waiting for as long as it says that it will.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_BUSY_PAUSE)
        else:
            return


def postgresql_engine(address: URL) -> AsyncEngine:
    """Return an engine for the PostgreSQL database at `address`."""
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
    return create_async_engine(address, connect_args=arguments, hide_parameters=True)


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
