"""Telling other processes that a table has changed: by Redis where there is one, else they look into the log.

What is sent is a table's id and the number of its last event; whoever watches it reads the rest from the log. So a
message that is lost costs time and nothing else: everybody who watches also looks by themselves, seldom while Redis
answers and often while it does not.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol

LOG = logging.getLogger(__name__)

CHANNEL = "overtrick:changes"
ALONE = 10.0
"""Seconds between looks into the log while this process is the only one, as far as it knows."""
HEARING = 5.0
"""The same while Redis answers."""
LOOKING = 0.25
"""The same without it."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 5.0
_ANSWER = 2.0


class Fanout(Protocol):
    """How processes hear of each other's changes."""

    @property
    def look_every(self) -> float:
        """Seconds between two looks into the log for what was not heard of."""

    def begin(self, heard: Callable[[str, int], None]) -> None:
        """Call `heard` with each table that another process has changed and its number of events."""

    def tell(self, table_id: str, seq: int) -> None:
        """Say that this process has changed a table; never waits."""

    async def close(self) -> None:
        """Stop hearing."""


class NoFanout:
    """Nothing is said; `shared`: whether other processes serve the same tables."""

    def __init__(self, *, shared: bool) -> None:
        self.look_every = LOOKING if shared else ALONE

    def begin(self, heard: Callable[[str, int], None]) -> None:
        """Nothing is ever heard."""

    def tell(self, table_id: str, seq: int) -> None:
        """There is nobody to tell."""

    async def close(self) -> None:
        """There is nothing to stop."""


class RedisFanout:
    """Publishes and hears changes on one channel of a Redis server."""

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis

        self._redis: Any = Redis.from_url(
            url, socket_connect_timeout=_ANSWER, socket_timeout=_ANSWER, health_check_interval=1
        )
        self._up = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def look_every(self) -> float:
        """Often while Redis does not answer."""
        return HEARING if self._up else LOOKING

    def begin(self, heard: Callable[[str, int], None]) -> None:
        """Listen from now on, and again whenever Redis has come back."""
        self._start(self._listen(heard))

    def tell(self, table_id: str, seq: int) -> None:
        """Publish in the background; while Redis is gone nothing is queued for it."""
        if self._up:
            self._start(self._publish(f"{table_id} {seq}"))

    async def close(self) -> None:
        """Stop hearing and let the connections go."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, message: str) -> None:
        from redis.exceptions import RedisError

        try:
            await self._redis.publish(CHANNEL, message)
        except (RedisError, OSError) as error:
            self._lost(error)

    async def _listen(self, heard: Callable[[str, int], None]) -> None:
        from redis.exceptions import RedisError

        pause = _FIRST_PAUSE
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as line:
                    await line.subscribe(CHANNEL)
                    while True:
                        message = await line.get_message(timeout=1.0)
                        if not self._up:
                            LOG.warning("Redis answers: changes are heard of at once")
                        self._up, pause = True, _FIRST_PAUSE
                        if message is not None:
                            table_id, _, seq = message["data"].decode().partition(" ")
                            heard(table_id, int(seq))
                        else:
                            await line.ping()
            except (RedisError, OSError, ValueError) as error:
                self._lost(error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _lost(self, error: Exception) -> None:
        if self._up:
            LOG.warning("Redis does not answer (%s): looking into the log instead", type(error).__name__)
        self._up = False
