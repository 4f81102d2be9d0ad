"""The tables of a house by id: loaded from the log, kept while in use, changed by appending.

Log first, tell second: a change is on the disk before anybody hears of it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from overtrick.tables import refusals
from overtrick.tables.events import Event, Logged
from overtrick.tables.hub import Hub
from overtrick.tables.listing import listing
from overtrick.tables.sitting import changed_sittings
from overtrick.tables.store import Batch, Store
from overtrick.tables.table import Table, fold_all, replay

KEPT = 1000
"""Tables kept in memory; a table that drops out is read from the log again when it is asked for."""


@dataclass(frozen=True, slots=True)
class Change:
    """New events of a table: `before` is the table that the writer saw, None for a new one.

    `now`: Unix time in milliseconds. The clocks of several machines differ a little; a table's time never goes back.
    """

    table_id: str
    before: Table | None
    events: tuple[Event, ...]
    now: int
    token: str = ""

    @property
    def at(self) -> int:
        """When the events happened."""
        return self.now if self.before is None else max(self.now, self.before.at)

    def after(self) -> Table:
        """The table that the change makes."""
        log = [Logged(self.at, event) for event in self.events]
        return replay(self.table_id, log) if self.before is None else fold_all(self.before, log)


class Ledger:
    """The store, what is kept of it in memory, and those who are to hear of changes."""

    def __init__(self, store: Store, hub: Hub, now: Callable[[], int], *, kept: int = KEPT) -> None:
        self.store = store
        self.hub = hub
        self.now = now
        self._most = kept
        self._kept: OrderedDict[str, Table] = OrderedDict()
        self._listeners: list[Callable[[Table], None]] = [hub.publish]
        self._writes: set[asyncio.Task[None]] = set()

    def on_change(self, listener: Callable[[Table], None]) -> None:
        """Call `listener` with each changed table, once it is on the disk."""
        self._listeners.append(listener)

    async def table(self, table_id: str) -> Table:
        """The newest state known of a table. Raises Refused (kind "unknown")."""
        kept = self._kept.get(table_id)
        if kept is None:
            return await self.reload(table_id)
        self._kept.move_to_end(table_id)
        return kept

    async def reload(self, table_id: str) -> Table:
        """Read what the log has beyond the state kept. Raises Refused (kind "unknown")."""
        kept = self._kept.get(table_id)
        log = await self.store.read(table_id, after=kept.seq if kept else 0)
        if kept is None and not log:
            raise refusals.UNKNOWN_TABLE()
        newest = self._keep(fold_all(kept, log) if kept else replay(table_id, log))
        self.hub.publish(newest)
        return newest

    async def commit(self, *changes: Change) -> None:
        """Append the changes, all or none, then tell. Raises LostRace.

        Once begun it runs to its end even if the caller is cancelled, as when a browser goes away: what is
        in the log must be told.
        """
        await self._to_the_end(self._commit(changes))

    async def drain(self) -> None:
        """Wait until no commit is under way."""
        while self._writes:
            await asyncio.gather(*self._writes, return_exceptions=True)

    def let_go(self, table_id: str) -> None:
        """Drop a finished table from memory if nobody watches it."""
        kept = self._kept.get(table_id)
        if kept is not None and self._is_done_with(kept):
            del self._kept[table_id]

    async def _commit(self, changes: tuple[Change, ...]) -> None:
        tables = [change.after() for change in changes]
        batches = [_batch(change, table) for change, table in zip(changes, tables, strict=True)]
        await self.store.append(*batches)
        for table in tables:
            self._keep(table)
            for listener in self._listeners:
                listener(table)

    async def _to_the_end(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._writes.add(task)
        task.add_done_callback(self._written)
        await asyncio.shield(task)

    def _written(self, task: asyncio.Task[None]) -> None:
        self._writes.discard(task)
        if not task.cancelled():
            task.exception()  # looked at here in case the caller has gone

    def _keep(self, table: Table) -> Table:
        """Keep the newer of `table` and the state kept, and return it."""
        kept = self._kept.pop(table.id, table)
        newest = kept if kept.seq > table.seq else table
        if not self._is_done_with(newest):
            self._kept[table.id] = newest
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return newest

    def _is_done_with(self, table: Table) -> bool:
        return table.status == "over" and not self.hub.watched(table.id)


def _batch(change: Change, table: Table) -> Batch:
    return Batch(
        table_id=change.table_id,
        at=change.at,
        after=change.before.seq if change.before else 0,
        events=change.events,
        rules_version=table.rules_version,
        listing=listing(table),
        token=change.token,
        sittings=changed_sittings(change.before, table),
    )
