"""Getting the engine ready while the server already answers.

Importing the engine takes about half a second and, at the very first start, compiling its kernels takes
several. Both happen in a thread: until they are done, pages say that the engine is being prepared and the API
answers 503. Nothing in `web` may import the engine before that.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from overtrick.errors import OvertrickError
from overtrick.web.problems import Preparing
from overtrick.web.security import link_key, server_key
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from overtrick.tables import Entropy, House

logger = logging.getLogger(__name__)


SOON = 1.5
"""Seconds that a page waits for an engine whose kernels are compiled already, rather than say "being prepared"."""
PATIENT = 30.0
"""Seconds that an act, or a stream, waits: a click right after a restart should count."""


class Engine:
    """The house with its tables, once it is ready.

    If it cannot be made ready, `failed` holds the error and `on_failure` is called; else each of `on_ready` is.
    `registry`: where the tables' figures are read.
    """

    def __init__(
        self,
        settings: Settings,
        entropy: Entropy | None = None,
        slot: int = 0,
        registry: CollectorRegistry | None = None,
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._slot = slot
        self._entropy = entropy
        self._house: House | None = None
        self._done = asyncio.Event()
        self._no_hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None
        self.failed: Exception | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self.on_ready: list[Callable[[], None]] = []

    @property
    def ready(self) -> bool:
        """True once there is a house."""
        return self._house is not None

    async def house(self) -> House:
        """Return the house; raises Preparing if there is none soon."""
        if self._house is None:
            await _at_most(SOON, self._no_hurry)
        return self._found()

    async def house_in_time(self) -> House:
        """Return the house, however long its kernels compile; raises Preparing if that takes too long."""
        if self._house is None:
            await _at_most(PATIENT, self._done)
        return self._found()

    def _found(self) -> House:
        if self._house is None:
            raise self.failed or Preparing()
        return self._house

    def begin(self) -> None:
        """Start getting ready, in the background."""
        self._task = asyncio.create_task(self._prepare())

    async def close(self) -> None:
        """Stop getting ready, or close the house. The thread that compiles cannot be stopped: see `busy`."""
        if self._task is not None:
            if self.busy:
                self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._house is not None:
            await self._house.close()

    @property
    def busy(self) -> bool:
        """True while the engine is imported and compiled."""
        return self._thread is not None and self._thread.is_alive()

    async def _prepare(self) -> None:
        try:
            await self._in_a_thread(self._make_ready)
            self._house = await self._open()
            for call in self.on_ready:
                call()
        except Exception as error:
            self.failed = error
            if not isinstance(error, OvertrickError):  # whoever runs the server tells a sentence
                logger.exception("The engine could not be made ready")
            self.on_failure()
        finally:
            self._done.set()
            self._no_hurry.set()

    def _make_ready(self, loop: asyncio.AbstractEventLoop) -> None:
        if must_compile():
            loop.call_soon_threadsafe(self._no_hurry.set)
        warm()

    async def _in_a_thread(self, work: Callable[[asyncio.AbstractEventLoop], None]) -> None:
        """Run `work` in a thread that does not keep the process alive, as those of asyncio do."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[None] = loop.create_future()

        def finish(error: Exception | None) -> None:
            if not result.done():
                result.set_exception(error) if error else result.set_result(None)

        def run() -> None:
            error = None
            try:
                work(loop)
            except Exception as raised:
                error = raised
            with contextlib.suppress(RuntimeError):  # the loop may be closed by now
                loop.call_soon_threadsafe(finish, error)

        self._thread = threading.Thread(target=run, name="prepare", daemon=True)
        self._thread.start()
        await result

    async def _open(self) -> House:
        from overtrick.bots.pool import Pool, processes_to_use
        from overtrick.tables import Among, House, SystemEntropy
        from overtrick.tables.figures import Figures

        settings = self._settings
        settings.folder.mkdir(parents=True, exist_ok=True)
        entropy = self._entropy or SystemEntropy()
        pool = Pool(max(1, processes_to_use(settings.bot_processes) // settings.workers))
        among = None
        if settings.workers > 1 or settings.redis_url or not settings.database.startswith("sqlite"):
            # The same name after a restart, so that what was left undone is taken up at once.
            among = Among(f"{socket.gethostname()[:40]}:{settings.port}:{self._slot}", settings.redis_url)
        house = await House.open(
            settings.database,
            pace=settings.pace,
            entropy=entropy,
            pool=pool,
            among=among,
            key=link_key(server_key(settings.folder)),
            figures=Figures(self._registry),
        )
        pool.begin_all()
        return house


async def _at_most(seconds: float, event: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def must_compile() -> bool:
    """Return whether kernels have to be compiled first, after importing what tells."""
    from overtrick._jit import CACHE_FOLDER

    return CACHE_FOLDER is None or not any(CACHE_FOLDER.rglob("*.nbi"))


def warm() -> None:
    """Import the engine and play a game of each kind, so that no kernel compiles during a person's game."""
    import overtrick.tables  # noqa: F401
    from overtrick.bots import Budget, make_bot
    from overtrick.games import load

    chance, bot = random.Random(0), make_bot("rules_of_thumb")
    for name in ("luz", "duet"):
        game = load(name)
        position = game.start()
        while not position.over:
            if position.needs_deal:
                position = position.deal(game.random_deal(chance))
            assert position.to_act is not None
            view = position.view(position.to_act)
            view.why_not("play:#1" if name == "luz" else "play:D1")
            position.view(None).to_json()
            move = bot.choose(view, seed=0, budget=Budget()).move
            position = position.play(position.record_move(position.to_act, move))
