"""The tables of a house by id: loaded from the log, kept while in use, changed by appending.

Log first, tell second: a change is on the disk before anybody hears of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from overtrick._cached import cached_property
from overtrick.tables import refusals
from overtrick.tables.appending import Batch, LostRace
from overtrick.tables.background import end
from overtrick.tables.events import Event, Logged, Moved
from overtrick.tables.fanout import Fanout, NoFanout
from overtrick.tables.fold import fold_all, replay
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.hub import Hub
from overtrick.tables.listing import listing
from overtrick.tables.outage import Unsure, is_outage
from overtrick.tables.refusals import Refused
from overtrick.tables.sitting import changed_sittings
from overtrick.tables.store import Store
from overtrick.tables.table import Table
from overtrick.tables.traces import Rewriting
from overtrick.tables.writes import Writes

LOG = logging.getLogger(__name__)
_AT_ONCE = 500

KEPT = 1000
"""Tables kept in memory beside those that are watched; one that drops out is read from the log when asked for."""

SETTLE_PAUSE = 0.5
"""Seconds between two looks whether the database is back."""


@dataclass(frozen=True)
class Change:
    """New events of a table: `before` is the table that the writer saw, None for a new one.

    `now`: Unix time in milliseconds. The clocks of several machines differ a little; a table's time never goes back.
    `rewriting`: what is to be otherwise in the log that is there.
    """

    table_id: str
    before: Table | None
    events: tuple[Event, ...]
    now: int
    token: str = ""
    rewriting: Rewriting | None = None

    @property
    def at(self) -> int:
        """When the events happened."""
        return self.now if self.before is None else max(self.now, self.before.at)

    @cached_property
    def after(self) -> Table:
        """The table that the change makes."""
        log = [Logged(self.at, event) for event in self.events]
        return replay(self.table_id, log) if self.before is None else fold_all(self.before, log)


class Ledger:
    """The store, what is kept of it in memory, and those who are to hear of changes."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        now: Callable[[], int],
        *,
        kept: int = KEPT,
        fanout: Fanout | None = None,
    ) -> None:
        self.store = store
        self.hub = hub
        self.now = now
        self._fanout = fanout or NoFanout(shared=False)
        self.alone = fanout is None
        """Whether no other process serves the same tables."""
        self._news: set[asyncio.Task[None]] = set()
        self._most = kept
        self._kept: OrderedDict[str, Table] = OrderedDict()
        self._listeners: list[Callable[[Table], None]] = [hub.publish]
        self._writes = Writes()
        self._settling: set[asyncio.Task[None]] = set()

    def on_change(self, listener: Callable[[Table], None]) -> None:
        """Call `listener` with each changed table, once it is on the disk."""
        self._listeners.append(listener)

    async def begin(self) -> None:
        """Hear of what other processes change."""
        self._fanout.begin(self._heard)
        self._start(self._keep_looking())

    async def close(self) -> None:
        """Stop hearing, and let the database go once nothing is being written."""
        await self._fanout.close()  # which starts news
        await end(*self._news)
        await self.drain()
        await self.store.close()

    async def table(self, table_id: str) -> Table:
        """The state of a table that its next reader should see: the newest, should others change it too.

        Raises Refused (kind "unknown").
        """
        if not self.alone and self._known(table_id) is not None:
            try:
                return await self.reload(table_id)
            except Refused as refused:
                if refused.kind != "unavailable":
                    raise  # else what is kept is better than nothing
        return await self.recent(table_id)

    async def recent(self, table_id: str) -> Table:
        """The newest state of a table that this process knows of, for those who find out if there is a newer one.

        As whoever appends does. Raises Refused (kind "unknown").
        """
        kept = self._known(table_id)
        if kept is None:
            return await self.reload(table_id)
        if table_id in self._kept:
            self._kept.move_to_end(table_id)
        return kept

    async def reload(self, table_id: str) -> Table:
        """Read what the log has beyond the state kept. Raises Refused (kind "unknown")."""
        kept = self._known(table_id)
        log = await self.store.read(table_id, after=kept.seq if kept else 0)
        if not log and (kept is None or await self._is_gone(kept)):
            raise refusals.UNKNOWN_TABLE()
        newest = self._keep(fold_all(kept, log) if kept else replay(table_id, log))
        self.hub.publish(newest)
        return newest

    async def _is_gone(self, kept: Table) -> bool:
        """Whether a table that waited was cleared away, by this process or another, since it was read."""
        if kept.status != "waiting" or await self.store.made_at(kept.id) is not None:
            return False
        self._drop(kept.id)
        return True

    async def commit(self, *changes: Change) -> None:
        """Append the changes, all or none, then tell. Raises LostRace, or Refused (kind "unavailable").

        Once begun it runs to its end even if the caller is cancelled, as when a browser goes away: what is
        in the log must be told.
        """
        appended = self.store.append(*map(_batch, changes))
        await self._writes.see_through(appended, partial(self._written, changes))

    async def drain(self) -> None:
        """Wait until no commit is under way; give up asking what became of those that broke off."""
        await self._writes.drain()
        await end(*self._settling)

    async def forget(self, table_id: str) -> None:
        """Delete a table for good."""
        await self.store.forget(table_id)
        self._drop(table_id)

    def let_go(self, table_id: str) -> None:
        """Drop a finished table from memory if nobody watches it."""
        kept = self._kept.get(table_id)
        if kept is not None and self._is_done_with(kept):
            self._drop(table_id)

    def _written(self, changes: tuple[Change, ...], written: asyncio.Future[None]) -> None:
        """Keep and tell what has been written, or find out whether it was."""
        if written.cancelled():
            return
        if error := written.exception():
            self._not_written(changes, error)
            return
        moved = sum(isinstance(event, Moved) for change in changes for event in change.events)
        self.store.figures.moves.inc(moved)
        for change in changes:
            self._keep(change.after)
            self._fanout.tell(change.after.id, change.after.seq)
            self._tell(change.after)

    def _not_written(self, changes: tuple[Change, ...], error: BaseException) -> None:
        if isinstance(error, LostRace):
            self.store.figures.lost_races.inc()
        elif isinstance(error, Unsure):
            task = asyncio.create_task(self._settle([change.table_id for change in changes]))
            self._settling.add(task)
            task.add_done_callback(self._settling.discard)

    def _tell(self, table: Table) -> None:
        for listener in self._listeners:
            try:
                listener(table)
            except Exception:  # what is written is written, and others are to be told all the same
                LOG.exception("table %s: a change could not be told", table.id)

    async def _settle(self, table_ids: list[str]) -> None:
        """Once the database answers again, tell what became of a commit that broke off, if it was made."""
        while table_ids:
            await asyncio.sleep(SETTLE_PAUSE)
            try:
                self._tell(await self.reload(table_ids[0]))
            except Refused as refused:
                if refused.kind == "unavailable":
                    continue
            except UnknownEvent:
                LOG.exception("table %s: the log cannot be read", table_ids[0])
            table_ids = table_ids[1:]

    def _heard(self, table_id: str, seq: int) -> None:
        """Fetch what another process has done at a table that is watched here."""
        if self.hub.newest(table_id) < seq:
            self._start(self._fetch(table_id))

    async def _keep_looking(self) -> None:
        while True:
            await self._fanout.pause()
            try:
                await self._look()
            except Exception as error:
                if not is_outage(error):
                    LOG.exception("looking for changes of other processes failed")

    async def _look(self) -> None:
        """Fetch what has changed at tables that are watched, or not read at each use, and was not heard of."""
        known = list({*self.hub.watching(), *(self._kept if self.alone else ())})
        for i in range(0, len(known), _AT_ONCE):
            for table_id, seq in (await self.store.lengths(known[i : i + _AT_ONCE])).items():
                if (table := self._known(table_id)) is not None and table.seq < seq:
                    await self._fetch(table_id)

    async def _fetch(self, table_id: str) -> None:
        with suppress(UnknownEvent, Refused):
            await self.reload(table_id)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._news.add(task)
        task.add_done_callback(self._told)

    def _told(self, task: asyncio.Task[None]) -> None:
        self._news.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOG.error("a change of another process could not be fetched", exc_info=error)

    def _keep(self, table: Table) -> Table:
        """Keep the newer of `table` and the state kept, and return it."""
        kept = self._kept.pop(table.id, table)
        newest = kept if kept.seq > table.seq else table
        if not self._is_done_with(newest):
            self._kept[table.id] = newest
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        self.store.figures.kept.set(len(self._kept))
        return newest

    def _known(self, table_id: str) -> Table | None:
        """The state kept; a watched table never drops out, for its watchers' newest state is one."""
        return self._kept.get(table_id) or self.hub.state(table_id)

    def _drop(self, table_id: str) -> None:
        self._kept.pop(table_id, None)
        self.store.figures.kept.set(len(self._kept))

    def _is_done_with(self, table: Table) -> bool:
        return table.status == "over" and not self.hub.watched(table.id)


def _batch(change: Change) -> Batch:
    table = change.after
    return Batch(
        table_id=change.table_id,
        at=change.at,
        after=change.before.seq if change.before else 0,
        events=change.events,
        rules_version=table.rules_version,
        listing=listing(table),
        token=change.token,
        sittings=changed_sittings(change.before, table),
        rewriting=change.rewriting,
    )
