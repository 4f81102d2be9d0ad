"""Leases: which process does what is due at a table, and how long the processes have been gone.

A lease is a mark in the table's row. It saves work and decides nothing: should two processes hold one for the same
table, one of them loses the race to append. So a lease may end by itself when its holder has died.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from overtrick.tables.appending import LEASE
from overtrick.tables.schema import PROCESSES, TABLES
from overtrick.tables.store import Store

BEAT = 5_000
"""Milliseconds between two signs of life of a process."""
GONE = 3 * BEAT
"""Milliseconds without a sign of life of any process that count as an outage."""


_RUNNING = (TABLES.c.status == "playing", TABLES.c.due_at > TABLES.c.changed_at)
"""Tables whose clocks run: something will be due there later; a bot's turn is due as soon as its table has changed."""


class Leases:
    """The leases of one process, by its name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._name = store.holder

    async def claim(self, now: int, most: int) -> list[str]:
        """Take the lease of tables where something is due and nobody is at it; returns them, the longest due first."""
        if not await self._store.rows(select(TABLES.c.id).where(*_unclaimed(now)).limit(1)):
            return []
        due = select(TABLES.c.id).where(*_unclaimed(now)).order_by(TABLES.c.due_at).limit(most)
        taken = (
            update(TABLES)
            .where(TABLES.c.id.in_(due.with_for_update(skip_locked=True)))
            .values(holder=self._name, held_until=now + LEASE)
            .returning(TABLES.c.id, TABLES.c.due_at)
        )
        rows = await self._store.write(lambda connection: connection.execute(taken).all())
        return [row.id for row in sorted(rows, key=lambda row: row.due_at)]

    async def renew(self, table_ids: Sequence[str], now: int) -> None:
        """Hold on to tables at which this process is still at work."""
        if table_ids:
            mine = (TABLES.c.holder == self._name, TABLES.c.id.in_(table_ids))
            await self._write(update(TABLES).where(*mine).values(held_until=now + LEASE))

    async def release(self) -> None:
        """Let go of every lease in this name, one's own or of a process of that name which has died."""
        mine = (TABLES.c.holder == self._name, TABLES.c.held_until > 0)
        await self._write(update(TABLES).where(*mine).values(holder="", held_until=0))

    async def beat(self, now: int) -> int:
        """Give a sign of life; returns for how many milliseconds there has been none of any process, 0 if not long.

        What falls due by a clock moves on by as much, so that no other process acts before the clocks are right.
        """
        return await self._store.write(lambda connection: self._beat(connection, now))

    async def running(self) -> list[str]:
        """The tables whose clocks run."""
        return [row.id for row in await self._store.rows(select(TABLES.c.id).where(*_RUNNING))]

    async def _write(self, statement: Any) -> None:
        await self._store.write(lambda connection: connection.execute(statement))

    def _beat(self, connection: Connection, now: int) -> int:
        latest = connection.scalar(select(func.max(PROCESSES.c.seen_at)))
        connection.execute(delete(PROCESSES).where(PROCESSES.c.name == self._name))
        connection.execute(insert(PROCESSES).values(name=self._name, seen_at=now))
        gap = 0 if latest is None else now - int(latest)
        if gap < GONE:
            return 0
        late = (*_RUNNING, TABLES.c.due_at > latest)
        connection.execute(update(TABLES).where(*late).values(due_at=TABLES.c.due_at + gap))
        return gap


def _unclaimed(now: int) -> tuple[ColumnElement[bool], ...]:
    return TABLES.c.due_at <= now, TABLES.c.held_until <= now
