"""Bots that think in processes of their own: one that hangs or runs wild is ended, and its table goes on.

Each process has a pipe to itself, so that a bot can break nothing but its own; a thread of the server waits at the
other end. A bot that raises, takes too long, kills its process or answers with something that is no legal move is
played for by rules of thumb. Bots that do not search have a process to themselves: they wait for no search.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from overtrick.bots.bot import Budget, Choice, Reason
from overtrick.bots.process import BotProcess, Fault, Unready
from overtrick.bots.registry import BOTS, make_bot
from overtrick.errors import N_
from overtrick.games import View

MOST_BY_DEFAULT = 2
LIMIT = 5.0
"""Seconds that a ready process may take over a question: many times what any level wants on an idle machine."""
MEMORY = 2 << 30
"""Bytes that a process may use."""
ENOUGH_TRIES = 2

PLAYED_FOR = Reason(N_("The bot did not come up with a move; this one was made for it."))


@dataclass(frozen=True, slots=True)
class Thought:
    """A legal choice; `fault` says what the bot did if the choice had to be made for it, else it is "".

    `began`: when a process that was ready took up the question, by `time.monotonic`.
    """

    choice: Choice
    fault: str = ""
    began: float = field(default_factory=time.monotonic, compare=False)


def processes_to_use(asked: int) -> int:
    """Return how many processes search where so many were asked for; 0: one for each core, two at most."""
    return asked or min(os.cpu_count() or 1, MOST_BY_DEFAULT)


class Pool:
    """So many processes for bots that search, and one for the others; safe to use from any thread.

    `processes`: 0 means one for each core, two at most; each starts when it is first needed. `bots`: further bots,
    or others in place of registered ones, each by name as "module:Class"; they are taken for bots that search.
    `limit`: seconds for a thought. `memory`: bytes for a process.
    """

    def __init__(
        self,
        processes: int = 0,
        *,
        bots: Mapping[str, str] | None = None,
        limit: float = LIMIT,
        memory: int = MEMORY,
    ) -> None:
        self._bots = bots or {}
        number = range(processes_to_use(processes))
        self._searching = _Lane([BotProcess(self._bots, limit, memory) for _ in number])
        self._quick = _Lane([BotProcess(self._bots, limit, memory)])
        self._closed = False

    def choose(self, bot: str, view: View, seed: int) -> Future[Thought]:
        """Let the bot of that name choose; whatever it does, the future gives a legal move."""
        lane = self._lane(bot)
        return lane.threads.submit(self._choose, lane, bot, view, seed)

    def begin(self, bot: str) -> None:
        """Start the processes in which that bot may think, in the background, and get them ready for it."""
        lane = self._lane(bot)
        for _ in lane.processes:
            lane.threads.submit(self._begin, lane, bot)

    def begin_all(self) -> None:
        """Do so for all bots that people are offered."""
        for info in BOTS.values():
            if info.offered:
                self.begin(info.name)

    def is_preparing(self, bot: str) -> bool:
        """Whether that bot searches and no process has ever been ready for such a one."""
        return bot in BOTS and BOTS[bot].searches and not self._lane(bot).has_been_ready

    def close(self) -> None:
        """End all processes; thoughts that go on are cancelled."""
        self._closed = True
        lanes = (self._searching, self._quick)
        for lane in lanes:
            for process in lane.processes:
                process.kill()
        for lane in lanes:
            lane.threads.shutdown(cancel_futures=True)
            for process in lane.processes:
                process.end()

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        processes = [*self._searching.processes, *self._quick.processes]
        return [pid for process in processes if (pid := process.pid) is not None]

    def _lane(self, bot: str) -> _Lane:
        quick = bot not in self._bots and bot in BOTS and not BOTS[bot].searches
        return self._quick if quick else self._searching

    def _begin(self, lane: _Lane, bot: str) -> None:
        process = lane.free.get()
        try:
            with suppress(Fault, Unready, OSError):  # told when it is asked
                lane.get_ready(process, bot)
        finally:
            lane.free.put(process)

    def _choose(self, lane: _Lane, bot: str, view: View, seed: int) -> Thought:
        process = lane.free.get()
        try:
            began, answer = self._asked(lane, process, (bot, view, seed, Budget()))
            return Thought(_legal(answer, view), began=began)
        except Fault as fault:
            if self._closed:
                raise CancelledError from fault
            return Thought(played_for(view, seed), str(fault))
        finally:
            lane.free.put(process)

    def _asked(self, lane: _Lane, process: BotProcess, question: Any) -> tuple[float, list[Any]]:
        trouble: Exception | None = None
        for _ in range(ENOUGH_TRIES):
            try:
                lane.get_ready(process, question[0])
                return time.monotonic(), process.ask(question)
            except (Unready, OSError) as error:
                trouble = error
            if self._closed:
                raise CancelledError
        raise Fault(f"could not be asked: {trouble}")


class _Lane:
    """Processes that do for each other, and a thread for each."""

    def __init__(self, processes: list[BotProcess]) -> None:
        self.processes = processes
        self.free: queue.SimpleQueue[BotProcess] = queue.SimpleQueue()
        for process in processes:
            self.free.put(process)
        self.threads = ThreadPoolExecutor(len(processes), thread_name_prefix="bot")
        self.has_been_ready = False

    def get_ready(self, process: BotProcess, bot: str) -> None:
        process.get_ready(bot)
        self.has_been_ready = True


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
