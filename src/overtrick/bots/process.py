"""A process of the pool as the server sees it: started, got ready for a bot, asked, and ended if it goes wrong."""

from __future__ import annotations

import json
import multiprocessing
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from overtrick.bots.worker import work

WARMING = 1800.0
"""Seconds that a process may take to get ready: at the very first start it compiles the search, or waits for one that
does, for 90 s on an idle machine and for ten minutes on one that is busy with something else."""
LONGEST_ANSWER = 1 << 16
_LAST_BREATH = 1.0
"""Seconds in which a process that has hung up comes to its end by itself."""


class Fault(Exception):  # noqa: N818 - it is the bot's
    """What a bot did instead of choosing a legal move."""


class Unready(Exception):  # noqa: N818 - it is the process's
    """A process that ended before it began to think."""


class BotProcess:
    """One process and the pipe to it; used by one thread at a time, but for `kill`.

    `bots`, `memory`: see `work`. `limit`: seconds from a question to the answer.
    """

    def __init__(self, bots: Mapping[str, str], limit: float, memory: int) -> None:
        self._bots = bots
        self._limit = limit
        self._memory = memory
        self._lock = threading.Lock()
        self._closed = False
        self._process: Any = None
        self._pipe: Connection | None = None
        self._ready: set[str] = set()

    @property
    def pid(self) -> int | None:
        """The process, if it runs."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def get_ready(self, bot: str) -> None:
        """Start the process if it does not run, and wait until it is ready for that bot; raises Fault or Unready."""
        with self._lock:
            if self._closed:
                raise CancelledError
            if self._pipe is None or not self._process.is_alive():
                self._start()
        if bot not in self._ready:
            self._said(bot, WARMING)
            self._ready.add(bot)

    def ask(self, question: Any) -> list[Any]:
        """Put a question to a process that is ready; raises Fault, or Unready if it never came to be thought about."""
        return self._said(question, self._limit)

    def kill(self) -> None:
        """Kill the process for good, while another thread may wait for it: that one hears at once."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> int | None:
        """End the process if it runs; return its exit status."""
        process, pipe, self._pipe = self._process, self._pipe, None
        if pipe is not None:
            pipe.close()
        if process is None:
            return None
        process.kill()
        process.join()
        return int(process.exitcode)

    def _said(self, message: Any, limit: float) -> list[Any]:
        """Say something and return what comes back within so many seconds."""
        pipe, thinking = self._pipe, False
        assert pipe is not None
        try:
            pipe.send(message)
            deadline = time.monotonic() + limit
            while True:
                word, *rest = _heard(pipe, deadline)
                if word == "failed":
                    raise Fault(f"failed:\n{rest[0]}")
                if word != "thinking":
                    return list(rest)
                thinking = True
        except TimeoutError as error:
            self.end()
            raise Fault(f"was not done after {limit:g} s, and was ended") from error
        except (EOFError, OSError, ValueError) as error:
            if isinstance(error, EOFError):
                self._process.join(_LAST_BREATH)
            status = self.end()
            if not thinking:
                raise Unready(f"its process ended with status {status}") from error
            if isinstance(error, EOFError):
                raise Fault(f"ended its process, with status {status}") from error
            raise Fault("answered with something unreadable, and was ended") from error

    def _start(self) -> None:
        self.end()
        self._ready.clear()
        context = _context()
        ours, theirs = context.Pipe()
        with theirs:
            process = context.Process(
                target=work, args=(theirs, self._bots, self._memory), name="bot", daemon=True
            )
            with _deaf_to_ctrl_c():
                process.start()
        self._process, self._pipe = process, ours


def _heard(pipe: Connection, deadline: float) -> Any:
    if not pipe.poll(max(0.0, deadline - time.monotonic())):
        raise TimeoutError
    return json.loads(pipe.recv_bytes(LONGEST_ANSWER))


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Let what is started in the block, and all that it starts, never hear of Ctrl-C, which a terminal tells everybody.

    The server hears of it and ends them. Python's fork server is deaf itself, but only once it has loaded the engine.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python's own tracker comes with the first start, and leaves the signal unblocked in the thread that starts it.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context() -> Any:
    """Return how processes are made: from a small server that has the engine loaded already, where that can be had."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.__module__])
    return context
