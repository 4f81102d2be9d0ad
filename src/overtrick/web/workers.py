"""Several processes that serve one address: a supervisor that starts them, and starts anew whichever dies.

Uvicorn has a supervisor too, but it knows its own server only; ours ends its streams before it waits for them.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING

from overtrick.errors import OvertrickError
from overtrick.web.logs import set_up_logging
from overtrick.web.neighbours import Neighbours
from overtrick.web.server import run
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

logger = logging.getLogger(__name__)

CANNOT_START = 3
"""The exit status of a worker that could not get ready, as none of the others could."""
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable, named by its library, that tells workers where to keep what they count (`metrics`)."""
PATIENCE = 10.0
"""Seconds that workers get to end by themselves."""
_SPAWN = multiprocessing.get_context("spawn")
_QUICK_DEATH, _LONGEST_PAUSE = 10.0, 5.0


class Supervisor:
    """Keeps `settings.workers` processes serving on one listening socket until it is told to stop."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        self._settings = settings
        self._listener = listener
        self._stopping = False
        self._meeting = ""
        self._woken, self._waking = os.pipe()
        os.set_blocking(self._waking, False)
        self._workers: list[SpawnProcess] = []
        self._begun = [0.0] * settings.workers
        self._pause = [0.0] * settings.workers

    def run(self) -> int:
        """Serve until a signal comes; return the exit status."""
        set_up_logging(self._settings)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stop())
        # Each worker counts in files of its own there, and any of them can add all of them up.
        with (
            tempfile.TemporaryDirectory(prefix="overtrick-metrics-") as metrics,
            tempfile.TemporaryDirectory(prefix="overtrick-workers-") as self._meeting,
        ):
            os.environ[SHARED_FOLDER] = metrics
            self._workers = [self._start(slot) for slot in range(self._settings.workers)]
            status = self._keep_running()
            self._end_all()
        return status

    def _keep_running(self) -> int:
        """Replace whichever worker dies until told to stop; return the exit status."""
        while not self._stopping:
            wait([self._woken, *(worker.sentinel for worker in self._workers)])
            if self._replace_the_dead():
                self._stopping = True
                return 1
        return 0

    def _stop(self) -> None:
        # In a signal's handler, and so in the middle of anything, itself included: nothing here takes a lock.
        self._stopping = True
        with suppress(BlockingIOError):  # so many signals have been sent that the pipe is full
            os.write(self._waking, b"!")

    def _start(self, slot: int) -> SpawnProcess:
        self._begun[slot] = time.monotonic()
        worker = _SPAWN.Process(
            target=work,
            args=(self._settings, self._listener, slot, self._meeting),
            name=f"overtrick-{slot}",
        )
        worker.start()
        return worker

    def _replace_the_dead(self) -> bool:
        """Start anew whichever has died; returns whether one could not start, so that it makes no sense."""
        for slot, worker in enumerate(self._workers):
            if worker.exitcode is None or self._stopping:
                continue
            if worker.exitcode == CANNOT_START:
                return True
            lived = time.monotonic() - self._begun[slot]
            self._pause[slot] = (
                0.0 if lived > _QUICK_DEATH else min(_LONGEST_PAUSE, 2 * self._pause[slot] + 0.1)
            )
            logger.error("worker %d ended with status %d; it is started anew", slot, worker.exitcode)
            wait([self._woken], self._pause[slot])
            if not self._stopping:
                self._workers[slot] = self._start(slot)
        return False

    def _end_all(self) -> None:
        for worker in self._workers:
            worker.terminate()
        deadline = time.monotonic() + PATIENCE
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.exitcode is None:
                worker.kill()
                worker.join()


def work(settings: Settings, listener: socket.socket, slot: int, meeting: str) -> None:
    """Serve as one of the workers, who meet in the folder `meeting`; ends with its supervisor, however that ends."""
    threading.Thread(target=_end_with_the_supervisor, daemon=True).start()
    # Elsewhere connections stay where they come.
    neighbours = Neighbours(Path(meeting), slot, settings.workers) if sys.platform == "linux" else None
    try:
        status = run(settings, listener, slot=slot, neighbours=neighbours)
    except (OSError, OvertrickError) as error:
        if slot == 0:
            print(error, file=sys.stderr)  # noqa: T201 - one sentence for whoever started it, not one for each worker
        status = CANNOT_START
    sys.exit(CANNOT_START if status else 0)


def _end_with_the_supervisor() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)  # this thread ends with the process, if that ends in time
        os._exit(1)
