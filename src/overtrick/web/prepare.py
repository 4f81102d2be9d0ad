"""Getting the engine ready while the server already answers.

Importing the engine takes about a second and, at the very first start, compiling its kernels takes
several. Both happen in a thread: until they are done, pages say that the engine is being prepared and
the API answers 503. Nothing in `web` may import the engine before that.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from overtrick.web.problems import Preparing
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from overtrick.tables import Entropy, House

logger = logging.getLogger(__name__)


class Engine:
    """The house with its tables, once it is ready.

    If it cannot be made ready, `failed` holds the error and `on_failure` is called.
    """

    def __init__(self, settings: Settings, entropy: Entropy | None = None) -> None:
        self._settings = settings
        self._entropy = entropy
        self._house: House | None = None
        self._done = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.failed: Exception | None = None
        self.on_failure: Callable[[], None] = lambda: None

    @property
    def ready(self) -> bool:
        """True once there is a house."""
        return self._house is not None

    async def house(self, patience: float = 0.0) -> House:
        """Return the house, after waiting for it for at most `patience` seconds; raises Preparing."""
        if self._house is None and patience > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await self._done.wait()
        if self._house is None:
            raise self.failed or Preparing()
        return self._house

    def begin(self) -> None:
        """Start getting ready, in the background."""
        self._task = asyncio.create_task(self._prepare())

    async def close(self) -> None:
        """Stop getting ready, or close the house."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._house is not None:
            await self._house.close()

    async def _prepare(self) -> None:
        try:
            await asyncio.to_thread(warm)
            self._house = await self._open()
        except Exception as error:
            self.failed = error
            logger.exception("The engine could not be made ready")
            self.on_failure()
        finally:
            self._done.set()

    async def _open(self) -> House:
        from overtrick.tables import House, SystemEntropy

        self._settings.folder.mkdir(parents=True, exist_ok=True)
        entropy = self._entropy or SystemEntropy()
        return await House.open(self._settings.database, pace=self._settings.pace, entropy=entropy)


def warm() -> None:
    """Import the engine and run every kernel that a table needs, so that none compiles during a game."""
    import overtrick.tables  # noqa: F401
    from overtrick.bots import BOTS, Budget, make_bot
    from overtrick.games import warm as warm_games

    for position in warm_games():
        for bot in BOTS:
            make_bot(bot).choose(position.view(position.to_act), seed=0, budget=Budget())
