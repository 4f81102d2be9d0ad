"""What is being written, seen to its end even if whoever asked for it has gone, as when a browser goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from overtrick.tables import refusals
from overtrick.tables.outage import Result, Unsure


class Writes:
    """The writes that are under way."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Future[Any]] = set()

    def __len__(self) -> int:
        return len(self._under_way)

    async def see_through(
        self, writing: Awaitable[Result], ended: Callable[[asyncio.Future[Result]], None]
    ) -> Result:
        """Wait for a write, which goes on to its end though the caller is cancelled.

        `ended` is called with it once it has ended, before the caller goes on. Raises what the write raises, and
        Refused (kind "unavailable") where its commit broke off.
        """
        future = asyncio.ensure_future(writing)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        future.add_done_callback(ended)
        await asyncio.wait((future,))  # which, if cancelled, does not cancel that
        try:
            return future.result()
        except Unsure as error:
            raise refusals.UNSURE() from error

    async def drain(self) -> None:
        """Wait until none is under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)
