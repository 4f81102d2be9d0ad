"""The bots' turns: one task for each table whose next move is a bot's; they think in processes of their own."""

from __future__ import annotations

import asyncio
import logging
import time

from overtrick.bots import Choice
from overtrick.bots.pool import Pool
from overtrick.tables.decide import play_bot
from overtrick.tables.entropy import Entropy
from overtrick.tables.events import UnknownEvent
from overtrick.tables.ledger import Change, Ledger
from overtrick.tables.pacing import least_time, still_to_wait
from overtrick.tables.store import LostRace
from overtrick.tables.table import Table

LOG = logging.getLogger(__name__)

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0


class BotTurns:
    """Makes the moves of bots; `pace`: seconds that a move takes at least at a table of normal pace."""

    def __init__(self, ledger: Ledger, entropy: Entropy, pool: Pool, *, pace: float) -> None:
        self._ledger = ledger
        self._entropy = entropy
        self._pace = pace
        self._due: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closed = False
        self._pool = pool

    def wake(self, table: Table) -> None:
        """See to it that a bot whose turn it is moves; harmless to call at any change."""
        if table.bot_to_act is not None:
            self.see_to(table.id)

    def is_preparing(self, table: Table) -> bool:
        """Whether a bot is to act there that searches, and the search is still being compiled or read."""
        bot = table.bot_to_act
        return bot is not None and self._pool.is_preparing(bot)

    def see_to(self, table_id: str) -> None:
        """Look whether a bot is to move at that table, and go on until none is; nothing once closed."""
        if self._closed:
            return
        self._due.add(table_id)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id))

    async def close(self) -> None:
        """Stop for good. A move that is being thought about is dropped; the next start thinks again."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._pool.close)

    async def _run(self, table_id: str) -> None:
        pause = _FIRST_PAUSE
        try:
            # Between the last look at `_due` and the end of the task nothing else can run.
            while table_id in self._due:
                try:
                    await self._turn(table_id)
                    pause = _FIRST_PAUSE
                except UnknownEvent:
                    LOG.exception(
                        "table %s: the log cannot be read, so its bots stay away",
                        table_id,
                        extra=of(table_id),
                    )
                    return
                except Exception:
                    LOG.exception(
                        "table %s: a bot's turn failed; again in %.1f s", table_id, pause, extra=of(table_id)
                    )
                    self._due.add(table_id)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
        finally:
            self._due.discard(table_id)
            del self._tasks[table_id]

    async def _turn(self, table_id: str) -> None:
        """Make one move, if a bot is to act; the change that it causes makes the next turn due."""
        self._due.discard(table_id)
        table = await self._ledger.table(table_id)
        seat, bot = table.to_act, table.bot_to_act
        if seat is None or bot is None:
            return
        choice = await self._choose(table, seat, bot)
        events = play_bot(table, seat, choice, self._entropy.rng())
        try:
            await self._ledger.commit(Change(table_id, table, events, self._ledger.now()))
        except LostRace:
            self.wake(await self._ledger.reload(table_id))

    async def _choose(self, table: Table, seat: int, bot: str) -> Choice:
        position = table.position
        assert position is not None
        asked = self._pool.choose(bot, position.view(seat), self._entropy.bot_seed())
        thought = await asyncio.wrap_future(asked)
        if thought.fault:
            LOG.error("table %s: bot %s %s", table.id, bot, thought.fault, extra=of(table.id))
        # From when its turn came in the queue, which is as long for a forced move: waiting tells nothing.
        taken = time.monotonic() - thought.began
        await asyncio.sleep(still_to_wait(taken, least_time(table, self._pace)))
        return thought.choice


def of(table_id: str) -> dict[str, str]:
    """Return what tells a line's formatter which table it is about."""
    return {"table": table_id}
