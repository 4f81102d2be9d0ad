"""The event log in a database: append with an expected number, read from a number on.

`events` is the truth: `(table_id, seq)` is unique, so of two writers who saw the same table one loses the
race and looks again. `tables` and `seats` are derived from it in the same transaction: for the lobby, for one-time
tokens, for what is due at tables (`leases`), and for the tables of one person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Self

from sqlalchemy import Executable, delete, select
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError

from overtrick.tables import refusals
from overtrick.tables.appending import Append, Batch, LostRace, append
from overtrick.tables.database import is_lost_race
from overtrick.tables.events import Logged
from overtrick.tables.figures import Figures
from overtrick.tables.front_page import games_to_watch, open_tables, to_join, to_watch
from overtrick.tables.listing import TableSummary
from overtrick.tables.migrate import ensure
from overtrick.tables.mine import MyTables
from overtrick.tables.outage import Outage, Result
from overtrick.tables.rows import event_of
from overtrick.tables.schema import EVENTS, SEATS, TABLES, TRACES
from overtrick.tables.sitting import tables_of
from overtrick.tables.together import Together
from overtrick.tables.transactions import Transactions, transactions_of


class Store:
    """The log and its listings; safe to use from many tasks of one event loop."""

    def __init__(self, transactions: Transactions, holder: str, figures: Figures) -> None:
        self._transactions = transactions
        self.holder = holder
        self.figures = figures
        self._appends = Together(self._append)
        self._reading = Outage("be read", refusals.UNREADABLE, figures.reading_fails)
        self._saving = Outage("be written to", refusals.UNSAVED, figures.saving_fails)

    @classmethod
    async def open(cls, url: str, holder: str = "server", figures: Figures | None = None) -> Self:
        """Connect, and make the schema of an empty database. `holder`: the name under which this process has leases.

        Raises InvalidDatabase for an address that cannot be, Unusable for a database that cannot be worked with.
        """
        store = cls(transactions_of(url), holder, figures or Figures())
        try:
            await ensure(store._transactions, url)
        except BaseException:
            await store.close()
            raise
        return store

    @property
    def failing(self) -> bool:
        """Whether the database failed when it was read or written to last."""
        return self._reading.failing or self._saving.failing

    async def close(self) -> None:
        """Close all connections."""
        await self._transactions.close()

    def append(self, *batches: Batch) -> asyncio.Future[None]:
        """Write the batches in one transaction, which serves whatever else is waiting to be appended.

        The future raises LostRace or Refused (kind "unavailable"), and then none of them is written, or Unsure.
        """
        return self._appends(Append(batches))

    async def _append(self, asked: Sequence[Append]) -> list[Exception | None]:
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

    async def settle(self) -> bool:
        """Let nothing that was overwritten lie about in the files of the database; whether that was done."""
        return await self._transactions.settle()

    async def forget(self, table_id: str) -> None:
        """Delete a table, its log and all."""
        await self.write(partial(_forget, table_id))

    async def _read(self, work: Callable[[Connection], Result]) -> Result:
        """Ask the database by `work`; raises Refused (kind "unavailable")."""
        return await self._reading.over(lambda: self._transactions.read(work))

    async def _write(self, asked: Sequence[Append]) -> list[Exception | None]:
        try:
            return await self._transactions.write(lambda line: append(line, asked, self.holder))
        except DBAPIError as error:
            if is_lost_race(error):
                raise LostRace from error
            raise

    # For those who have statements of their own: `leases`, `people`, `traces`.

    async def rows(self, query: Executable, asked: Mapping[str, Any] | None = None) -> Sequence[Row[Any]]:
        """What a query finds, with what is `asked` of it by name; raises Refused (kind "unavailable")."""

        def found(connection: Connection) -> Sequence[Row[Any]]:
            rows: Sequence[Row[Any]] = connection.execute(query, asked).all()
            return rows

        return await self._read(found)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` in a transaction; raises what `work` raises, Refused (kind "unavailable"), or Unsure.

        It is done once more if its connection turned out to be dead before the commit.
        """
        return await self._saving.over(lambda: self._transactions.write(work))


def _forget(table_id: str, connection: Connection) -> None:
    for rows, column in (
        (EVENTS, EVENTS.c.table_id),
        (SEATS, SEATS.c.table_id),
        (TRACES, TRACES.c.table_id),
        (TABLES, TABLES.c.id),
    ):
        connection.execute(delete(rows).where(column == table_id))
