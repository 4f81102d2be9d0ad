"""Work for the database that is done together: what comes while one transaction is under way shares the next.

Waiting for the disk is most of what a write costs, and one wait serves any number of tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Work = TypeVar("Work")

MOST = 100
"""Works in one transaction, so that a single one of them never takes long."""


class Together(Generic[Work]):
    """Hands works to `do`, at most MOST at a time and one group after the other, in the order in which they came.

    `do` does all of a group's works and returns for each None, or the error that it alone has met.
    """

    def __init__(self, do: Callable[[Sequence[Work]], Awaitable[Sequence[Exception | None]]]) -> None:
        self._do = do
        self._waiting: list[tuple[Work, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def __call__(self, work: Work) -> asyncio.Future[None]:
        """Have `work` done; the future raises its own error, or what kept the whole group from being done."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return done

    async def _run(self) -> None:
        # Between the last look at `_waiting` and the end of the task nothing else can run.
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                await self._do_group(group)
        finally:
            self._task = None

    async def _do_group(self, group: Sequence[tuple[Work, asyncio.Future[None]]]) -> None:
        errors: Sequence[Exception | None]
        try:
            errors = await self._do([work for work, _ in group])
        except Exception as failure:
            errors = [failure] * len(group)
        except BaseException:
            for _, done in group:
                done.cancel()
            raise
        for (_, done), error in zip(group, errors, strict=True):
            if done.done():
                continue  # whoever asked has gone
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)
