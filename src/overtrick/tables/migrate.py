"""The schema of a database: made when there is none, looked at by each start, brought up to date by a command.

A start makes the schema of an empty database and otherwise only looks, so that no server changes what others still
work with; `overtrick migrate` changes it. Each is one transaction under a lock: of several processes that come at
once one does the work, and the others find it done.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Literal

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from overtrick.errors import N_, OvertrickError
from overtrick.tables.database import address_of, in_short
from overtrick.tables.outage import Unsure
from overtrick.tables.transactions import Transactions, transactions_of

FIRST = "0001"
"""The schema of databases from before there were migrations, which do not say what they have."""
_FIRST_COLUMNS = {
    "events": {"table_id", "seq", "kind", "version", "rules_version", "at", "data"},
    "tables": {
        "id", "token", "status", "public", "bot_turn", "free", "made_at", "changed_at", "summary"
    },
}  # fmt: skip
_OVERWRITES = "0005"
"""The first schema of which every version overwrites what it deletes."""
_TO_WRITE_ANEW = 1  # SQLite's `user_version` until a file of before that has been written anew
_LOCK = 0x6F766572  # "over": the number of PostgreSQL's advisory lock on the schema
_ONE_AT_A_TIME = threading.Lock()  # Alembic keeps what it is about in globals

OLDER = N_(
    "The database has schema %(found)s and this version of Overtrick needs %(newest)s: "
    "stop all servers, make a backup and run overtrick migrate."
)
NEWER = N_(
    "The database has schema %(found)s, which this version of Overtrick does not know; its newest is %(newest)s. "
    "Run the version that the database was brought up to, or a later one."
)
FOREIGN = N_("The database has tables of other programs by the names of ours; give Overtrick one of its own.")
REMAINS = N_(
    "The schema is the newest now, but the file still holds what earlier versions deleted: it could not be written "
    "anew (%(reason)s). Stop all servers, make room for a copy of the file and run overtrick migrate again."
)
UNREACHABLE = N_("The database cannot be used: %(reason)s")
_REFUSALS = {"older": OLDER, "newer": NEWER, "foreign": FOREIGN}


class Unusable(OvertrickError):  # noqa: N818 - it names what is the matter
    """A database that this version of Overtrick cannot work with; the message says what to do about it."""

    kind = "unavailable"


@dataclass(frozen=True, slots=True)
class Schema:
    """What a database has: the number of its schema ("" for none) and how that stands to this code."""

    number: str
    state: Literal["empty", "older", "newest", "newer", "foreign"]
    marked: bool = True

    def refuse_unless(self, *states: str) -> None:
        """Raise Unusable if it stands otherwise."""
        if self.state not in states:
            raise Unusable(_REFUSALS[self.state], found=self.number, newest=newest())


def newest() -> str:
    """The number of the newest schema."""
    return str(_scripts().get_current_head())


async def ensure(transactions: Transactions, url: str) -> None:
    """Make the schema of an empty database, the one at `url`; raises Unusable for a database without the newest one."""
    with _reachable():
        found = await transactions.read(_look)
        if found.state == "empty":
            found = await asyncio.to_thread(_change, url, only_empty=True)
    found.refuse_unless("empty", "newest")


def migrate(url: str) -> Schema:
    """Bring a database to the newest schema and return what it had; raises Unusable, and then it has it still.

    Where only its last step fails, for want of room for a copy of an SQLite file, the schema is the newest already,
    and the next call does that step. Not to be called from a running event loop.
    """
    with _reachable():
        found = _change(url, only_empty=False)
    found.refuse_unless("empty", "older", "newest")
    try:
        _without_remains(url)
    except sqlite3.Error as error:
        raise Unusable(REMAINS, reason=in_short(error)) from error
    return found


@contextmanager
def _reachable() -> Iterator[None]:
    """Raise Unusable if the database fails in the block."""
    try:
        yield
    except (DBAPIError, OSError, Unsure) as error:
        cause = error.__cause__ if isinstance(error, Unsure) else None
        raise Unusable(UNREACHABLE, reason=in_short(cause or error)) from error


def leaves_remains(found: Schema) -> bool:
    """Whether what was deleted from a database with that schema may still lie about in its file."""
    return found.state == "older" and found.number < _OVERWRITES


def _without_remains(url: str) -> None:
    """Write an SQLite file anew where that is still to be done: earlier versions left what was deleted in it."""
    address = address_of(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        return
    with closing(sqlite3.connect(address.database, isolation_level=None)) as file:
        if file.execute("PRAGMA user_version").fetchone()[0] == _TO_WRITE_ANEW:
            file.execute("VACUUM")
            if file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise sqlite3.OperationalError("somebody else is reading it")
            file.execute("PRAGMA user_version = 0")


def _change(url: str, *, only_empty: bool) -> Schema:
    """Look again under the lock and do what there is to do; return what was found."""

    async def run() -> Schema:
        transactions = transactions_of(url)
        try:
            return await transactions.write(lambda connection: _changed(connection, only_empty))
        finally:
            await transactions.close()

    with _ONE_AT_A_TIME:
        return asyncio.run(run())


def _changed(connection: Connection, only_empty: bool) -> Schema:
    if connection.dialect.name == "postgresql":  # SQLite's writer is alone as it is
        connection.execute(text("SELECT set_config('lock_timeout', '0', true)"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    found = _look(connection)
    if found.state == "empty" or (found.state == "older" and not only_empty):
        config = config_for(connection)
        if found.state == "older" and not found.marked:
            command.stamp(config, FIRST)
        command.upgrade(config, "head")
        if leaves_remains(found) and connection.dialect.name == "sqlite":
            connection.execute(text(f"PRAGMA user_version = {_TO_WRITE_ANEW}"))
    return found


def _look(connection: Connection) -> Schema:
    number = MigrationContext.configure(connection).get_current_revision()
    if number is None:
        return _unmarked(connection)
    if number == newest():
        return Schema(number, "newest")
    known = {script.revision for script in _scripts().walk_revisions()}
    return Schema(number, "older" if number in known else "newer")


def _unmarked(connection: Connection) -> Schema:
    inspector = inspect(connection)
    here = _FIRST_COLUMNS.keys() & set(inspector.get_table_names())
    if not here:
        return Schema("", "empty")
    found = {name: {column["name"] for column in inspector.get_columns(name)} for name in here}
    return Schema(FIRST, "older", marked=False) if found == _FIRST_COLUMNS else Schema("", "foreign")


def config_for(connection: Connection | None = None) -> Config:
    """Return what Alembic wants to know: where the migrations are, and on which connection they run."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "overtrick.tables:migrations")
    return config


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(config_for())
