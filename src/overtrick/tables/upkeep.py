"""What a process does at tables by itself: bots' moves, clocks that have run out, seats of people who are away.

One task for each table at which something is due; bots think in processes of their own. A process looks again and
again for tables at which something is due and for which no other process has a lease; so it also finds, after a
restart, what it had left undone.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress

from overtrick.bots import Choice
from overtrick.bots.pool import Pool
from overtrick.tables.appending import LEASE, LostRace
from overtrick.tables.background import end
from overtrick.tables.decide import play_bot
from overtrick.tables.duties import due, is_forgotten, overdue
from overtrick.tables.entropy import Entropy
from overtrick.tables.events import Event, Outage
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.leases import BEAT, Leases
from overtrick.tables.ledger import Change, Ledger
from overtrick.tables.outage import is_outage
from overtrick.tables.pacing import least_time, still_to_wait
from overtrick.tables.refusals import Refused
from overtrick.tables.table import Table

LOG = logging.getLogger(__name__)

SWEEP = 0.5
"""Seconds between two looks for what is due."""
_MOST_AT_ONCE = 200
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_LONGEST_OUTAGE_PAUSE = 4.0


class Upkeep:
    """Does what is due at tables; `pace`: seconds that a bot's move takes at least at a table of normal pace."""

    def __init__(self, ledger: Ledger, entropy: Entropy, pool: Pool, *, pace: float) -> None:
        self._ledger = ledger
        self._entropy = entropy
        self._pool = pool
        self._pace = pace
        self._leases = Leases(ledger.store)
        self._due: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sweeping: asyncio.Task[None] | None = None
        self._beaten = 0
        self._renewed = 0
        self._closed = False

    async def begin(self) -> None:
        """Take up what is due, one's own leases of before a restart included, and go on doing so."""
        await self._leases.release()
        await self._sweep()
        self._sweeping = asyncio.create_task(self._keep_sweeping())

    def wake(self, table: Table) -> None:
        """See to it that what is due now at a table that this process has changed is done; harmless at any change."""
        time_due = due(table)
        if time_due is not None and time_due <= table.at:
            self.see_to(table.id)

    def is_preparing(self, table: Table) -> bool:
        """Whether a bot is to act there that searches, and the search is still being compiled or read."""
        bot = table.bot_to_act
        return bot is not None and self._pool.is_preparing(bot)

    def see_to(self, table_id: str) -> None:
        """Look what is due at that table, and go on until nothing is; nothing once closed."""
        if self._closed:
            return
        self._due.add(table_id)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id))

    async def close(self) -> None:
        """Stop for good, and leave what is due to others. A thought is dropped; whoever comes next thinks again."""
        self._closed = True
        await end(self._sweeping, *self._tasks.values())
        await asyncio.to_thread(self._pool.close)

    async def release(self) -> None:
        """Let other processes do at once what this one leaves undone; after `close`, once nothing is being written."""
        with suppress(Exception):  # the leases end by themselves
            await self._leases.release()

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self._sweep()
            except Exception as error:
                if not is_outage(error):  # the store has told of it
                    LOG.exception("looking for what is due failed; again in %.1f s", SWEEP)

    async def _sweep(self) -> None:
        now = self._ledger.now()
        if now - self._beaten >= BEAT or now < self._beaten:
            self._beaten = now
            if gap := await self._leases.beat(now):
                await self._give_back(gap)
        if now - self._renewed >= LEASE // 3:
            self._renewed = now
            await self._leases.renew(list(self._tasks), now)
        for table_id in await self._leases.claim(now, _MOST_AT_ONCE):
            self.see_to(table_id)

    async def _give_back(self, gap: int) -> None:
        """Take the time for which no process was there off the clocks that ran."""
        LOG.warning("no server for %.0f s: that time does not count on any clock", gap / 1000)
        for table_id in await self._leases.running():
            with suppress(UnknownEvent, Refused):
                table = await self._ledger.reload(table_id)
                if table.bot_to_act is None and due(table) is not None:
                    await self._commit(table, (Outage(gap),))

    async def _run(self, table_id: str) -> None:
        pause = _FIRST_PAUSE
        try:
            # Between the last look at `_due` and the end of the task nothing else can run.
            while table_id in self._due:
                try:
                    await self._turn(table_id)
                    pause = _FIRST_PAUSE
                except Exception as error:
                    if is_outage(error):
                        pause = min(pause, _LONGEST_OUTAGE_PAUSE)
                    elif isinstance(error, UnknownEvent | Refused):
                        LOG.exception("table %s: the log cannot be read, so nothing is done there", table_id)
                        return
                    else:
                        LOG.exception("table %s: what is due there failed; again in %.1f s", table_id, pause)
                    self._due.add(table_id)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
        finally:
            self._due.discard(table_id)
            del self._tasks[table_id]

    async def _turn(self, table_id: str) -> None:
        """Do one thing, if one is due; the change that it causes makes the next one due."""
        self._due.discard(table_id)
        table, now = await self._ledger.table(table_id), self._ledger.now()
        if is_forgotten(table, now):
            await self._ledger.forget(table_id)
        elif table.bot_to_act is not None:
            await self._bots_move(table, table.bot_to_act)
        elif events := overdue(table, now):
            await self._commit(table, events)

    async def _commit(self, table: Table, events: tuple[Event, ...]) -> None:
        try:
            await self._ledger.commit(Change(table.id, table, events, self._ledger.now()))
        except LostRace:
            await self._ledger.reload(table.id)  # whoever was faster sees to what follows

    async def _bots_move(self, table: Table, bot: str) -> None:
        seat, turn = table.to_act, (table.ply, bot)
        assert seat is not None
        choice = await self._choose(table, seat, bot)
        # What happens meanwhile and is no move (talk, somebody who steps out) leaves the thought as good as it was.
        while (table.ply, table.bot_to_act) == turn:
            events = play_bot(table, seat, choice, self._entropy.rng())
            try:
                await self._ledger.commit(Change(table.id, table, events, self._ledger.now()))
                return
            except LostRace:
                table = await self._ledger.reload(table.id)

    async def _choose(self, table: Table, seat: int, bot: str) -> Choice:
        position = table.position
        assert position is not None
        asked = self._pool.choose(bot, position.view(seat), self._entropy.bot_seed())
        thought = await asyncio.wrap_future(asked)
        figures = self._ledger.store.figures
        if thought.fault:
            figures.bot_faults.inc()
            LOG.error("table %s: bot %s %s", table.id, bot, thought.fault)
        # From when its turn came in the queue, which is as long for a forced move: waiting tells nothing.
        taken = time.monotonic() - thought.began
        await asyncio.sleep(still_to_wait(taken, least_time(table, self._pace)))
        figures.bot_moves.inc()  # only now: nobody shall see how long it thought
        return thought.choice
