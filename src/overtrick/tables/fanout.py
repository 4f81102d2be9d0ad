"""Telling other processes that a table has changed: by Redis where there is one, else they look into the log.

What is sent is a table's id and the number of its last event; whoever watches it reads the rest from the log. So a
message that is lost costs time and nothing else: everybody who watches also looks by themselves, seldom while Redis
answers and often while it does not.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Any, Protocol

from overtrick.tables.background import end

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
"""Seconds that Redis may take over what it is asked."""
_SILENCE = 1.0
"""Seconds without news after which it is asked whether it is there; as many again, and it counts as gone."""


class Fanout(Protocol):
    """How processes hear of each other's changes."""

    async def pause(self) -> None:
        """Wait until it is time to look into the log for what was not heard of."""

    def begin(self, heard: Callable[[str, int], None]) -> None:
        """Call `heard` with each table that another process has changed and its number of events."""

    def tell(self, table_id: str, seq: int) -> None:
        """Say that this process has changed a table; never waits."""

    async def close(self) -> None:
        """Stop hearing."""


class NoFanout:
    """Nothing is said; `shared`: whether other processes serve the same tables."""

    def __init__(self, *, shared: bool) -> None:
        self._look_every = LOOKING if shared else ALONE

    async def pause(self) -> None:
        """Wait for as long as always."""
        await asyncio.sleep(self._look_every)

    def begin(self, heard: Callable[[str, int], None]) -> None:
        """Nothing is ever heard."""

    def tell(self, table_id: str, seq: int) -> None:
        """There is nobody to tell."""

    async def close(self) -> None:
        """There is nothing to stop."""


class RedisFanout:
    """Publishes and hears changes on one channel of a Redis server.

    A line on which nothing comes for a while is asked for an answer, so that a server that hangs, or a network that
    swallows everything, is noticed as well as one that hangs up.
    """

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        # No second try behind our back: whoever knows that the line has broken looks into the log for what was missed.
        never = Retry(NoBackoff(), 0)
        self._redis: Any = Redis.from_url(
            url, socket_connect_timeout=_ANSWER, socket_timeout=_ANSWER, retry=never
        )
        self._up = False
        self._changed = asyncio.Event()
        self._untold: dict[str, int] = {}
        self._telling: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def pause(self) -> None:
        """Wait a while, and a short while only as long as Redis does not answer; not at all when that has changed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARING if self._up else LOOKING):
                await self._changed.wait()
        self._changed.clear()

    def begin(self, heard: Callable[[str, int], None]) -> None:
        """Listen from now on, and again whenever Redis has come back."""
        self._listening = asyncio.create_task(self._keep_listening(heard))

    def tell(self, table_id: str, seq: int) -> None:
        """Publish in the background, a table's newest change only; while Redis is gone nothing is kept for it."""
        if self._up:
            self._untold[table_id] = seq
            if self._telling is None:
                self._telling = asyncio.create_task(self._tell())

    async def close(self) -> None:
        """Tell what is still untold, stop hearing and let the connections go."""
        if self._telling is not None:
            await asyncio.wait({self._telling}, timeout=_ANSWER)
        await end(self._listening, self._telling)
        await self._redis.aclose()

    async def _tell(self) -> None:
        from redis.exceptions import RedisError

        try:
            while self._untold:
                news, self._untold = self._untold, {}
                try:
                    await self._publish(news)
                except (RedisError, OSError):
                    # A connection kept may have died with a server that is back, and only the others would miss it.
                    await self._redis.connection_pool.disconnect(inuse_connections=False)
                    await self._publish(news)
        except (RedisError, OSError) as error:
            self._lost(error)
        finally:
            self._telling = None

    async def _publish(self, news: dict[str, int]) -> None:
        # In one message: to take one costs every process much more than to read another line of it.
        await self._redis.publish(CHANNEL, "\n".join(f"{table_id} {seq}" for table_id, seq in news.items()))

    async def _keep_listening(self, heard: Callable[[str, int], None]) -> None:
        from redis.exceptions import RedisError

        pause = _FIRST_PAUSE
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as line:
                    await line.subscribe(CHANNEL)
                    async for news in self._news(line):
                        pause = _FIRST_PAUSE
                        for table_id, seq in news:
                            heard(table_id, seq)
            except (RedisError, OSError, ValueError) as error:
                self._lost(error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    async def _news(self, line: Any) -> AsyncGenerator[list[tuple[str, int]], None]:
        """Give what comes on a line, no news for a sign of life; raises TimeoutError if there is none."""
        asked = False
        while True:
            message = await line.get_message(timeout=_SILENCE)
            if message is None:
                if asked:
                    raise TimeoutError
                asked = True
                await line.ping()
                continue
            asked = False
            self._found()
            news = message["data"].decode().splitlines() if message["type"] == "message" else []
            yield [(table_id, int(seq)) for table_id, _, seq in (told.partition(" ") for told in news)]

    def _found(self) -> None:
        if not self._up:
            LOG.warning("Redis answers: changes are heard of at once")
            self._changed.set()  # what was told before is to be looked for
        self._up = True

    def _lost(self, error: Exception) -> None:
        if self._up:
            LOG.warning("Redis does not answer (%s): looking into the log instead", type(error).__name__)
            self._changed.set()
        self._up = False
        self._untold.clear()
