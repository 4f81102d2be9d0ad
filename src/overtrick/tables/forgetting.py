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

from overtrick.tables.appending import LostRace
from overtrick.tables.events import UnknownEvent
from overtrick.tables.forgotten import blanked, forget, people_of
from overtrick.tables.ledger import Change, Ledger
from overtrick.tables.outage import is_outage
from overtrick.tables.people import REMEMBERED_FOR, People
from overtrick.tables.seats import Person
from overtrick.tables.table import replay
from overtrick.tables.traces import Rewriting, tables_naming

LOG = logging.getLogger(__name__)

LOOK_EVERY = 5.0
"""Seconds between two looks for people who are to be forgotten."""
AGAIN = 2 * int(1000 * REMEMBERED_FOR)
"""Milliseconds after which remains are looked for, or somebody else takes up what a process has left undone."""
UNREADABLE_AGAIN = 3_600_000
"""Milliseconds after which a log that could not be read is tried again."""
PATIENCE = 5.0
"""Seconds for which whoever asked waits; with thousands of tables it goes on behind their back."""
ATTEMPTS = 50
"""Lost races in a row after which something else must be wrong."""


class Forgetting:
    """What one process does of it."""

    def __init__(self, ledger: Ledger, people: People) -> None:
        self._ledger = ledger
        self._people = people
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Take up what was left undone, and go on looking."""
        self._start(self._keep_looking())

    async def close(self) -> None:
        """Stop; whoever comes next goes on."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(self, device: Person, password: str) -> bool:
        """Forget the person for whom a device stands; whether all of it is done already, not only begun.

        Raises Refused for the wrong password of an account, or if the database fails, and then nothing has happened.
        """
        person = await self._people.leave(device, password, self._ledger.now() + AGAIN)
        if person is None:
            return True
        task = self._start(self._first(person))
        await asyncio.wait({task}, timeout=PATIENCE)
        return task.done() and not task.cancelled() and task.exception() is None

    async def _first(self, person: Person) -> None:
        await self._clear(person)
        await self._look_again(person, self._ledger.now() + AGAIN)

    async def _look_again(self, person: Person, due_at: int | None) -> None:
        await self._people.look_again(person, due_at)
        await self._ledger.store.settle()

    async def _keep_looking(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:
                if not is_outage(error):  # the store has told of it
                    LOG.exception("deleting people's data failed; again in %.0f s", LOOK_EVERY)
            await asyncio.sleep(LOOK_EVERY)

    async def look(self) -> None:
        """Go on with everybody who is due."""
        now = self._ledger.now()
        for person in await self._people.to_clear(now, now + AGAIN):
            try:
                found = await self._clear(person)
            except UnknownEvent:
                LOG.exception("the log of a table cannot be read, so somebody's data is still there")
                await self._look_again(person, now + UNREADABLE_AGAIN)
            else:
                await self._look_again(person, self._ledger.now() + AGAIN if found else None)

    async def _clear(self, person: Person) -> int:
        """Forget a person at every table that names them; returns how many did. Raises UnknownEvent at the end."""
        tables, unread = await tables_naming(self._ledger.store, person.id), None
        for table_id in tables:
            try:
                await self.forget_at(table_id, person)
            except UnknownEvent as error:
                unread = error
        if unread is not None:
            raise unread
        return len(tables)

    async def forget_at(self, table_id: str, person: Person) -> None:
        """Blank what one table's log says of a person, and tell everybody there. Raises UnknownEvent."""
        for _ in range(ATTEMPTS):
            log = await self._ledger.store.read(table_id)
            if not log:
                return  # it was cleared away meanwhile, its traces with it
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

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not is_outage(error):
            LOG.error("deleting somebody's data failed; it is tried again", exc_info=error)
