"""What a process of the pool does: it waits for questions, thinks, answers, and dies with its parent.

It is told a bot's name, to get ready for that bot, or asked a question about a bot that it is ready for: the name, the
view, the seed, the budget, pickled. What goes back is JSON, so that whatever a bot may answer, the server gets text and
numbers.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from overtrick._jit import CACHE_FOLDER
from overtrick.bots.bot import Bot, Budget, Choice
from overtrick.bots.registry import BOTS, make_bot
from overtrick.games import View, warm
from overtrick.search import Search

NICENESS = 10
"""How far the processes stand back: an idle core is theirs, a busy one is the server's."""
LOCK = "compiling.lock"
"""A file beside the compiled kernels: who locks it gets ready, the others wait."""
COMPILED = "search.compiled"
"""A file beside them that says that all is there that bots of any level need to search."""
LONGEST_STORY = 2000
"""Characters of a traceback that are passed on."""

Question = tuple[str, View, int, Budget]


def work(connection: Connection, bots: Mapping[str, str], memory: int) -> None:
    """Answer until the other end of `connection` is gone.

    `bots`: bots by another name than the registry's, each as "module:Class". `memory`: bytes that a process may use.
    """
    _stand_back(memory)
    _die_with_the_parent()
    known: dict[str, Bot] = {}
    with suppress(EOFError, OSError):
        while True:
            asked = connection.recv()
            try:
                if isinstance(asked, str):
                    known[asked] = ready(asked, bots)
                    answer: tuple[object, ...] = ("ready",)
                else:
                    answer = ("choice", *_choice(connection, asked, known))
            except (Exception, SystemExit):
                answer = ("failed", traceback.format_exc()[-LONGEST_STORY:])
            _say(connection, *answer)


def _choice(connection: Connection, question: Question, known: dict[str, Bot]) -> tuple[str, dict[str, Any]]:
    name, view, seed, budget = question
    _say(connection, "thinking")
    return _facts(known[name].choose(view, seed=seed, budget=budget))


def _facts(choice: Choice) -> tuple[str, dict[str, Any]]:
    """Return a choice as JSON can hold it; raises what it likes for something that is no choice."""
    facts = (str(choice.move), choice.why.to_json())
    json.dumps(facts)
    return facts


def _say(connection: Connection, *words: object) -> None:
    connection.send_bytes(json.dumps(words).encode())


def ready(name: str, bots: Mapping[str, str]) -> Bot:
    """Make a bot, and see that all it calls is compiled before its time is measured."""
    if name in bots:
        module, _, kind = bots[name].partition(":")
        made: Bot = getattr(import_module(module), kind)()
        return made
    bot, searches = make_bot(name), BOTS[name].searches
    with _one_at_a_time() if searches else nullcontext():
        for position in warm():
            view = position.view(position.to_act)
            if searches:
                Search.warm(view)
            bot.choose(view, seed=0, budget=Budget(nodes=1))
    return bot


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let one process compile while others wait, who then find it done; whoever holds the lock loses it with its life.

    Once all is compiled a file says so, and nobody waits. Nor does anybody where there is no such lock,
    or nowhere to keep what is compiled.
    """
    if CACHE_FOLDER is None or (CACHE_FOLDER / COMPILED).exists():
        yield
        return
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            lock = held.enter_context((CACHE_FOLDER / LOCK).open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
        with suppress(OSError):
            (CACHE_FOLDER / COMPILED).touch()


def _stand_back(memory: int) -> None:
    """Leave Ctrl-C to the server, cores to whoever wants them, and memory to the machine."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _die_with_the_parent() -> None:
    """End this process as soon as the server is gone, however it went, in the middle of a thought too."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, name="watch", daemon=True).start()
