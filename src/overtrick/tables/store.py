"""The event log in a database: append with an expected number, read from a number on.

`events` is the truth: `(table_id, seq)` is unique, so of two writers who saw the same table one loses the
race and looks again. `tables` and `seats` are derived from it in the same transaction: for the lobby, for one-time
tokens, for what is due at tables (`leases`), and for the tables of one person.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Select, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from overtrick.tables import refusals
from overtrick.tables.database import BUSY_SECONDS, connect, is_lost_race, settle
from overtrick.tables.events import Event, Logged
from overtrick.tables.figures import Figures
from overtrick.tables.front_page import games_to_watch, open_tables, to_join, to_watch
from overtrick.tables.listing import Listing, TableSummary
from overtrick.tables.migrate import ensure
from overtrick.tables.mine import MyTables
from overtrick.tables.outage import Outage, Result, Unsure
from overtrick.tables.rows import event_of, event_rows, to_text
from overtrick.tables.schema import EVENTS, SEATS, TABLES, TRACES
from overtrick.tables.sitting import Sitting, tables_of, write_sittings
from overtrick.tables.together import Together
from overtrick.tables.traces import Rewriting, rewrite, write_traces
from overtrick.tables.writer import writer_of

LEASE = 15_000
"""Milliseconds for which a process that has made something due at a table has the right to do it."""
_UPDATE = update(TABLES).where(TABLES.c.id == bindparam("old_id"))


class LostRace(Exception):  # noqa: N818 - it names what happened
    """Somebody else appended first, or used the token first: look again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """New events of one table, to be written all or none; `at`: Unix time in milliseconds.

    `after`: the number of events that the writer saw. `token`: for a new table (`after` 0), what made it.
    `sittings`: who sits where, if that has changed or the game has ended; else None. `rewriting`: what stands in
    the log already and is to be otherwise.
    """

    table_id: str
    at: int
    after: int
    events: tuple[Event, ...]
    rules_version: int
    listing: Listing
    token: str = ""
    sittings: tuple[Sitting, ...] | None = None
    rewriting: Rewriting | None = None


class _Append:
    """Batches that are written all or none, and the rows of their events."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches
        self.events = [row for batch in batches for row in event_rows(batch)]

    def fits(self, lengths: dict[str, int]) -> bool:
        """Whether every batch follows the last event of its table; if so, `lengths` become those after it."""
        grown = dict(lengths)
        for batch in self.batches:
            if grown[batch.table_id] != batch.after:
                return False
            grown[batch.table_id] += len(batch.events)
        lengths.update(grown)
        return True


class Store:
    """The log and its listings; safe to use from many tasks of one event loop."""

    def __init__(self, engine: AsyncEngine, holder: str, figures: Figures) -> None:
        self._engine = engine
        self.holder = holder
        self._writer = writer_of(engine)
        self.figures = figures
        self._appends = Together(self._append)
        self._reading = Outage("be read", refusals.UNREADABLE, figures.reading_fails)
        self._saving = Outage("be written to", refusals.UNSAVED, figures.saving_fails)
        # SQLite has one writer at a time and waits for its lock by sleeping and trying again: with 20 busy
        # tables the unluckiest move took 2.5 s. In line, it took under 0.4 s.
        self._one_writer = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    async def open(cls, url: str, holder: str = "server", figures: Figures | None = None) -> Self:
        """Connect, and make the schema of an empty database. `holder`: the name under which this process has leases.

        Raises InvalidDatabase for an address that cannot be, Unusable for a database that cannot be worked with.
        """
        store = cls(connect(url), holder, figures or Figures())
        try:
            await ensure(store._engine, url)
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        """Close all connections."""
        await self._writer.close()
        await self._engine.dispose()

    async def append(self, *batches: Batch) -> None:
        """Write the batches in one transaction, which serves whatever else is waiting to be appended.

        Raises LostRace or Refused (kind "unavailable"), and then none of them is written, or Unsure.
        """
        await self._appends(_Append(batches))

    async def _append(self, asked: Sequence[_Append]) -> list[Exception | None]:
        """Write several appends in one transaction; return for each None, or the error that it has met."""
        try:
            with self.figures.saving.time():
                return await self._saving.over(lambda: self._write(asked))
        except LostRace as lost:
            # Another process was faster at one of them; which one shows when each is written by itself.
            if len(asked) == 1:
                return [lost]
            return [found for one in asked for found in await self._append([one])]
        except Exception as error:
            return [error] * len(asked)

    async def read(self, table_id: str, *, after: int = 0) -> list[Logged]:
        """A table's events in order, those numbered above `after`; raises UnknownEvent."""
        if not table_id.isprintable():  # as none is; PostgreSQL cannot even be asked for some of these
            return []
        columns = (EVENTS.c.at, EVENTS.c.kind, EVENTS.c.version, EVENTS.c.data)
        query = select(*columns).where(EVENTS.c.table_id == table_id, EVENTS.c.seq > after)
        rows = await self.rows(query.order_by(EVENTS.c.seq))
        return [Logged(row.at, event_of(row)) for row in rows]

    async def made_at(self, table_id: str) -> int | None:
        """When a table was made, Unix time in milliseconds; None if there is none."""
        rows = await self.rows(select(TABLES.c.made_at).where(TABLES.c.id == table_id))
        return rows[0].made_at if rows else None

    async def by_token(self, token: str) -> str | None:
        """The table that a token has made, if it has."""
        rows = await self.rows(select(TABLES.c.id).where(TABLES.c.token == token))
        return rows[0].id if rows else None

    async def open_tables(self, *, since: int, most: int) -> list[TableSummary]:
        """Public tables that wait with free seats and changed at or after `since`, newest first."""
        return open_tables(await self.rows(to_join(since, most)))

    async def watched_by_all(self, *, since: int, most: int) -> list[TableSummary]:
        """Games under way that everybody may watch and that changed at or after `since`, newest first."""
        return games_to_watch(await self.rows(to_watch(since, most)))

    async def tables_of(self, person: str, *, before: str | None, most: int) -> MyTables:
        """The tables at which a person sits: see `sitting.tables_of`."""
        return await self._read(lambda line: tables_of(line, person, before=before, most=most))

    async def lengths(self, table_ids: Sequence[str]) -> dict[str, int]:
        """The number of events of each of these tables."""
        query = select(TABLES.c.id, TABLES.c.seq).where(TABLES.c.id.in_(table_ids))
        return {row.id: row.seq for row in await self.rows(query)}

    async def tables_with(self, person: str) -> list[str]:
        """The ids of all tables at which a person sits."""
        return [
            row.table_id for row in await self.rows(select(SEATS.c.table_id).where(SEATS.c.person == person))
        ]

    async def settle(self) -> None:
        """Let nothing that was overwritten lie about in the files of the database."""
        await settle(self._engine)

    async def forget(self, table_id: str) -> None:
        """Delete a table, its log and all."""
        async with self.writing() as connection:
            for rows, column in (
                (EVENTS, EVENTS.c.table_id),
                (SEATS, SEATS.c.table_id),
                (TRACES, TRACES.c.table_id),
                (TABLES, TABLES.c.id),
            ):
                await connection.execute(delete(rows).where(column == table_id))

    async def _read(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        """Ask the database by `work`; raises Refused (kind "unavailable")."""

        async def read() -> Result:
            async with self._engine.connect() as connection:
                return await work(connection)

        return await self._reading.over(read)

    async def _write(self, asked: Sequence[_Append]) -> list[Exception | None]:
        try:
            async with self._turn():
                return await self._writer(lambda connection: _append(connection, asked, self.holder))
        except Unsure as error:
            self._saving.begin(error.__cause__ or error)
            raise
        except DBAPIError as error:
            if is_lost_race(error):
                raise LostRace from error
            raise

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait in line to write; raises TimeoutError if those in front are stuck."""
        if self._one_writer is None:
            yield
            return
        async with asyncio.timeout(BUSY_SECONDS):
            await self._one_writer.acquire()
        try:
            yield
        finally:
            self._one_writer.release()

    # For `leases` and `sitting`, which have statements of their own.

    async def rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        """What a query finds; raises Refused (kind "unavailable")."""

        async def found(connection: AsyncConnection) -> Sequence[Row[Any]]:
            rows: Sequence[Row[Any]] = (await connection.execute(query)).all()
            return rows

        return await self._read(found)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes, and is committed at its end; raises the database's own errors, or Unsure."""
        async with self._turn(), self._engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin() as transaction:
                yield connection
                await self._saving.commit(transaction)


def _append(connection: Connection, asked: Sequence[_Append], holder: str) -> list[Exception | None]:
    lengths = _lengths(connection, {batch.table_id for one in asked for batch in one.batches})
    won = [one for one in asked if one.fits(lengths)]
    # In one order for everybody, so that no two processes wait for each other.
    batches = sorted((batch for one in won for batch in one.batches), key=lambda batch: batch.table_id)
    if batches:
        rows = [row for one in won for row in one.events]
        connection.execute(insert(EVENTS), sorted(rows, key=lambda row: row["table_id"]))
    if new := [_new_row(batch, holder) for batch in batches if batch.after == 0]:
        connection.execute(insert(TABLES), new)
    if old := [_old_row(batch, holder) for batch in batches if batch.after > 0]:
        connection.execute(_UPDATE, old)
    for batch in batches:
        if batch.sittings is not None:
            write_sittings(connection, batch.table_id, batch.sittings, batch.at)
        if batch.rewriting is not None:
            rewrite(connection, batch.table_id, batch.rewriting)
        write_traces(connection, batch.table_id, batch.events)
    return [None if one in won else LostRace() for one in asked]


def _lengths(connection: Connection, table_ids: set[str]) -> dict[str, int]:
    """The number of events of each table."""
    latest = select(EVENTS.c.table_id, func.max(EVENTS.c.seq)).where(EVENTS.c.table_id.in_(table_ids))
    found = connection.execute(latest.group_by(EVENTS.c.table_id))
    return dict.fromkeys(table_ids, 0) | {row[0]: row[1] for row in found}


def _new_row(batch: Batch, holder: str) -> dict[str, Any]:
    new = {"id": batch.table_id, "token": batch.token or batch.table_id, "made_at": batch.at}
    return new | _listing_row(batch, holder)


def _old_row(batch: Batch, holder: str) -> dict[str, Any]:
    return {"old_id": batch.table_id} | _listing_row(batch, holder)


def _listing_row(batch: Batch, holder: str) -> dict[str, Any]:
    """What is due at once is for the process that writes this: it holds the table's lease from now on."""
    listing = batch.listing
    is_due = listing.due_at is not None and listing.due_at <= batch.at
    summary = {
        "game": listing.game,
        "options": listing.options,
        "dealer": listing.dealer,
        "names": listing.names,
        "bots": listing.bots,
        "sitters": listing.sitters,
        "awaits": listing.awaits,
        "stand_ins": listing.stand_ins,
        "result": listing.result,
        "watching": listing.watching,
    }
    return {
        "status": listing.status,
        "public": listing.listed,
        "free": listing.free,
        "changed_at": batch.at,
        "seq": batch.after + len(batch.events),
        "due_at": listing.due_at,
        "holder": holder if is_due else "",
        "held_until": batch.at + LEASE if is_due else 0,
        "summary": to_text(summary),
    }
