"""Telling watchers that a table has changed, without ever waiting for one of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from overtrick.tables.seats import seat_of
from overtrick.tables.table import Table


class _Bell:
    """What one watcher waits for: an `asyncio.Event` for one, without the queue that each of those has."""

    __slots__ = ("_rung", "_waiting")

    def __init__(self) -> None:
        self._rung = False
        self._waiting: asyncio.Future[None] | None = None

    def ring(self) -> None:
        self._rung = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait(self) -> None:
        """Return once it has been rung since the last return."""
        if not self._rung:
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        self._rung = False


class Hub:
    """Fan-out of tables to watchers, within one event loop.

    Kept for a watched table: the newest state only. A watcher who is slow, or has stopped reading, costs
    one flag and finds the newest state when it comes back.
    """

    def __init__(self) -> None:
        self._bells: dict[str, set[_Bell]] = {}
        self._newest: dict[str, Table] = {}
        self._woken: dict[str, int] = {}
        self._closed = False

    def watched(self, table_id: str) -> bool:
        """Whether anybody watches that table."""
        return table_id in self._bells

    def watching(self) -> list[str]:
        """The tables that somebody watches."""
        return list(self._bells)

    def state(self, table_id: str) -> Table | None:
        """The state last told of a watched table; None for one that nobody watches."""
        return self._newest.get(table_id)

    def newest(self, table_id: str) -> float:
        """The number of events of the state last told of a watched table; infinite for one that nobody watches."""
        return self._newest[table_id].seq if table_id in self._newest else float("inf")

    def publish(self, table: Table) -> None:
        """Tell the watchers of `table`; a state older than the last one told is dropped."""
        if self.watched(table.id) and table.seq > self._newest[table.id].seq:
            self._newest[table.id] = table
            self._ring(table.id)

    def close(self) -> None:
        """Let every watcher's stream end."""
        self._closed = True
        for table_id in self._bells:
            self._ring(table_id)

    def wake(self, table_id: str) -> None:
        """Give the newest state of a table to its watchers once more, for who they are may have changed."""
        if self.watched(table_id):
            self._woken[table_id] = self._woken.get(table_id, 0) + 1
            self._ring(table_id)

    def wake_tables_of(self, person: str) -> None:
        """Do so at every table at which a person sits."""
        for table_id, table in self._newest.items():
            if seat_of(table.seats, person) is not None:
                self.wake(table_id)

    async def follow(self, table: Table) -> AsyncGenerator[Table, None]:
        """Give `table`, then the newest state each time there is a newer one; ends as the hub closes."""
        bell = _Bell()
        self._bells.setdefault(table.id, set()).add(bell)
        self._newest.setdefault(table.id, table)
        self.publish(table)
        try:
            shown, woken = 0, self._woken.get(table.id, 0)
            while not self._closed:
                newest = self._newest[table.id]
                if newest.seq > shown or woken != self._woken.get(table.id, 0):
                    shown, woken = newest.seq, self._woken.get(table.id, 0)
                    yield newest
                else:
                    await bell.wait()
        finally:
            self._forget(table.id, bell)

    def _ring(self, table_id: str) -> None:
        for bell in self._bells[table_id]:
            bell.ring()

    def _forget(self, table_id: str, bell: _Bell) -> None:
        self._bells[table_id].discard(bell)
        if not self._bells[table_id]:
            del self._bells[table_id], self._newest[table_id]
            self._woken.pop(table_id, None)
