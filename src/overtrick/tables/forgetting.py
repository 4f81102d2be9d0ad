"""Deleting what is kept of a person: at once as far as it goes, and to its end whatever stops a process meanwhile.

First one transaction ends the account and every device, and notes that the person is to be forgotten. Then table by
table, a transaction each, whatever names them is blanked. A minute later somebody looks whether a process that still
took one of their devices for them has written anything since; then the note says no more who it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from overtrick.tables.appending import ATTEMPTS, LostRace
from overtrick.tables.background import end
from overtrick.tables.fold import replay
from overtrick.tables.forgotten import blanked, forget, people_of
from overtrick.tables.ledger import Change, Ledger
from overtrick.tables.outage import is_outage
from overtrick.tables.people import REMEMBERED_FOR, People
from overtrick.tables.seats import Person
from overtrick.tables.traces import Rewriting, tables_naming

LOG = logging.getLogger(__name__)

LOOK_EVERY = 5.0
"""Seconds between two looks for people who are to be forgotten."""
AGAIN = 2 * int(1000 * REMEMBERED_FOR)
"""Milliseconds after which remains are looked for, or somebody else takes up what a process has left undone."""
FAILED_AGAIN = 3_600_000
"""Milliseconds after which a table at which it failed, as where the log cannot be read, is tried again."""
PATIENCE = 5.0
"""Seconds for which whoever asked waits; with thousands of tables it goes on behind their back."""


class Forgetting:
    """What one process does of it."""

    def __init__(self, ledger: Ledger, people: People) -> None:
        self._ledger = ledger
        self._people = people
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._settle_at: int | None = 0  # what an earlier process may have left in the files

    def begin(self) -> None:
        """Take up what was left undone, and go on looking."""
        self._start(self._keep_looking())

    async def close(self) -> None:
        """Stop; whoever comes next goes on."""
        self._closed = True
        await end(*self._tasks)

    async def ask(self, device: Person, password: str) -> bool:
        """Forget the person for whom a device stands; whether all of it is done already, not only begun.

        Raises Refused for the wrong password of an account, or if the database fails, and then nothing has happened.
        """
        person = await self._people.leave(device, password, self._ledger.now() + AGAIN)
        if person is None:
            return True
        self._ledger.hub.wake_tables_of(person.id)
        if self._closed:
            return False
        task = self._start(self._first(person))
        await asyncio.wait({task}, timeout=PATIENCE)
        return task.done() and not task.cancelled() and task.exception() is None and task.result()

    async def look(self) -> None:
        """Go on with everybody who is due, whoever is due for longest first."""
        began = self._ledger.now()
        while person := await self._people.next_to_clear(began, self._ledger.now() + AGAIN):
            named, failed = await self._clear(person)
            if failed:
                await self._look_again(person, self._ledger.now() + FAILED_AGAIN)
            else:
                await self._look_again(person, self._ledger.now() + AGAIN if named else None)
        if self._settle_at is not None and self._settle_at <= began:
            await self._settle()

    async def forget_at(self, table_id: str, person: Person) -> None:
        """Blank what one table's log says of a person, if it names them yet, and tell everybody there."""
        for _ in range(ATTEMPTS):
            log = await self._ledger.store.read(table_id)
            if person.id not in people_of(one.event for one in log):
                return  # somebody else was faster, or it was cleared away meanwhile, its traces with it
            table, blank = replay(table_id, log), blanked(log, person.id)
            events = forget(table, log, person.id)
            left = {seq: one.event for seq, one in enumerate(log, 1)} | dict(blank)
            rewriting = Rewriting(blank, frozenset(people_of([*left.values(), *events])))
            # A finished game keeps the time of its end: when somebody goes is nobody's business.
            now = table.at if table.status == "over" else self._ledger.now()
            try:
                await self._ledger.commit(Change(table_id, table, events, now, rewriting=rewriting))
                return
            except LostRace:
                continue
        raise LostRace

    async def _first(self, person: Person) -> bool:
        """Clear all tables; whether that was done at every one. Those where it failed are soon tried once more."""
        _, failed = await self._clear(person)
        await self._look_again(person, self._ledger.now() + AGAIN)
        return not failed

    async def _clear(self, person: Person) -> tuple[int, int]:
        """Forget a person at every table that names them; return how many did, and at how many of them it failed.

        A failing database ends it at once, and nothing else. As long as it goes on nobody else takes it up.
        """
        tables, failed = await tables_naming(self._ledger.store, person.id), 0
        put_off_at = self._ledger.now() + AGAIN // 2
        for table_id in tables:
            if self._ledger.now() >= put_off_at:
                put_off_at = self._ledger.now() + AGAIN // 2
                await self._people.put_off(person, self._ledger.now() + AGAIN)
            try:
                await self.forget_at(table_id, person)
            except Exception as error:
                if is_outage(error):
                    raise
                failed += 1
                LOG.exception("table %s: deleting somebody's data failed, so it is still there", table_id)
        return len(tables), failed

    async def _look_again(self, person: Person, due_at: int | None) -> None:
        await self._people.look_again(person, due_at)
        await self._settle()

    async def _settle(self) -> None:
        """Let nothing that was blanked lie about in the files; should it fail, a later look makes up for it."""
        self._settle_at = self._ledger.now() + AGAIN
        if await self._ledger.store.settle():
            self._settle_at = None

    async def _keep_looking(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:
                if not is_outage(error):  # the store has told of it
                    LOG.exception("deleting people's data failed; again in %.0f s", LOOK_EVERY)
            await asyncio.sleep(LOOK_EVERY)

    def _start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not is_outage(error):
            LOG.error("deleting somebody's data failed; it is tried again", exc_info=error)
