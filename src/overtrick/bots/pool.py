"""Bots that think in processes of their own: one that hangs or runs wild is ended, and its table goes on.

Each process has a pipe to itself, so that a bot can break nothing but its own; a thread of the server waits at the
other end. A bot that raises, takes too long, kills its process or answers with something that is no legal move is
played for by rules of thumb.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import queue
import threading
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from overtrick.bots.bot import Budget, Choice, Reason
from overtrick.bots.registry import make_bot
from overtrick.bots.worker import work
from overtrick.errors import N_
from overtrick.games import View

MOST_BY_DEFAULT = 2
LIMIT = 5.0
"""Seconds that a thought may take, from its beginning: many times what any level wants on an idle machine."""
WARMING = 300.0
"""Seconds that a process may take to get ready: at the very first start it compiles the search."""
MEMORY = 2 << 30
"""Bytes that a process may use."""
LONGEST_ANSWER = 1 << 16
ENOUGH_TRIES = 2
_LAST_BREATH = 1.0
"""Seconds in which a process that has hung up comes to its end by itself."""

PLAYED_FOR = Reason(N_("The bot did not come up with a move; this one was made for it."))


@dataclass(frozen=True, slots=True)
class Thought:
    """A legal choice; `fault` says what the bot did if the choice had to be made for it, else it is ""."""

    choice: Choice
    fault: str = ""


class Fault(Exception):  # noqa: N818 - it is the bot's
    """What a bot did instead of choosing a legal move."""


class Unready(Exception):  # noqa: N818 - it is the process's
    """A process that ended before it began to think."""


class Pool:
    """So many processes, started when they are first needed; safe to use from any thread.

    `processes`: 0 means one for each core, two at most. `bots`: further bots, or others in place of registered
    ones, each by name as "module:Class". `limit`: seconds for a thought. `memory`: bytes for a process.
    """

    def __init__(
        self,
        processes: int = 0,
        *,
        bots: Mapping[str, str] | None = None,
        limit: float = LIMIT,
        memory: int = MEMORY,
    ) -> None:
        number = processes or min(os.cpu_count() or 1, MOST_BY_DEFAULT)
        self._workers = [_Worker(bots or {}, limit, memory) for _ in range(number)]
        self._free: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="bot")
        self._closed = False

    def choose(self, bot: str, view: View, seed: int) -> Future[Thought]:
        """Let the bot of that name choose; whatever it does, the future gives a legal move."""
        return self._threads.submit(self._choose, bot, view, seed)

    def begin(self, bot: str) -> None:
        """Start the processes, in the background, and get them ready for that bot."""
        for _ in self._workers:
            self._threads.submit(self._begin, bot)

    def close(self) -> None:
        """End all processes; thoughts that go on are cancelled."""
        self._closed = True
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.end()

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    def _begin(self, bot: str) -> None:
        worker = self._free.get()
        try:
            worker.begin(bot)
        finally:
            self._free.put(worker)

    def _choose(self, bot: str, view: View, seed: int) -> Thought:
        worker = self._free.get()
        try:
            return Thought(_legal(self._asked(worker, (bot, view, seed, Budget())), view))
        except Fault as fault:
            if self._closed:
                raise CancelledError from fault
            return Thought(played_for(view, seed), str(fault))
        finally:
            self._free.put(worker)

    def _asked(self, worker: _Worker, question: Any) -> list[Any]:
        trouble: Exception | None = None
        for _ in range(ENOUGH_TRIES):
            try:
                return worker.ask(question)
            except (Unready, OSError) as error:
                trouble = error
            if self._closed:
                raise CancelledError
        raise Fault(f"could not be asked: {trouble}")


class _Worker:
    """One process and the pipe to it; used by one thread at a time, but for `kill`."""

    def __init__(self, bots: Mapping[str, str], limit: float, memory: int) -> None:
        self._bots = bots
        self._limit = limit
        self._memory = memory
        self._lock = threading.Lock()
        self._closed = False
        self._process: Any = None
        self._pipe: Connection | None = None

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def begin(self, bot: str) -> Connection:
        """Start the process if it does not run; return the pipe to it."""
        with self._lock:
            if self._closed:
                raise CancelledError
            if self._pipe is None or not self._process.is_alive():
                self._start(bot)
            assert self._pipe is not None
            return self._pipe

    def ask(self, question: Any) -> list[Any]:
        """Put a question and wait for the choice; raises Fault, or Unready if it never came to be thought about."""
        pipe = self.begin(question[0])
        thinking = False
        try:
            pipe.send(question)
            deadline = time.monotonic() + WARMING
            while True:
                word, *rest = self._heard(pipe, deadline)
                if word == "thinking":
                    thinking, deadline = True, time.monotonic() + self._limit
                elif word == "choice":
                    return list(rest)
                elif word == "failed":
                    raise Fault(f"failed:\n{rest[0]}")
        except (EOFError, OSError, ValueError) as error:
            if isinstance(error, EOFError):
                self._process.join(_LAST_BREATH)
            status = self.end()
            if thinking:
                raise Fault(_end_of_thought(error, status, self._limit)) from error
            raise Unready(f"its process ended with status {status}") from error

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

    def _start(self, bot: str) -> None:
        self.end()
        context = _context()
        ours, theirs = context.Pipe()
        with theirs:
            process = context.Process(
                target=work, args=(theirs, self._bots, bot, self._memory), name="bot", daemon=True
            )
            process.start()
        self._process, self._pipe = process, ours

    @staticmethod
    def _heard(pipe: Connection, deadline: float) -> Any:
        if not pipe.poll(max(0.0, deadline - time.monotonic())):
            raise TimeoutError
        return json.loads(pipe.recv_bytes(LONGEST_ANSWER))


def played_for(view: View, seed: int) -> Choice:
    """Return a legal choice for a bot that has made none: by rules of thumb, or else the first."""
    try:
        move = make_bot("rules_of_thumb").choose(view, seed=seed, budget=Budget()).move
    except Exception:
        move = ""
    return Choice(move if move in view.legal else view.legal[0], PLAYED_FOR)


def _legal(answer: list[Any], view: View) -> Choice:
    try:
        move, reason = answer
        why = Reason.from_json(reason)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Fault("gave a reason that cannot be read") from error
    if move not in view.legal:
        raise Fault(f"chose {str(move)[:40]!r}, which is not legal")
    return Choice(move, why)


def _end_of_thought(error: Exception, status: int | None, limit: float) -> str:
    if isinstance(error, TimeoutError):
        return f"was still thinking after {limit:g} s, and was ended"
    if isinstance(error, EOFError):
        return f"ended its process, with status {status}"
    return "answered with something unreadable, and was ended"


def _context() -> Any:
    """Return how processes are made: from a small server that has the engine loaded already, where that can be had."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.__module__])
    return context
