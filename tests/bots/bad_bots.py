"""Bots that do what no bot should; a pool finds them as "bots.bad_bots:NAME"."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from overtrick.bots import Choice, Reason
from overtrick.games import View

UNEXPLAINED = Reason("because")
MUCH = Reason(
    "I tried %(n)s way.",
    {"n": 2},
    "I tried %(n)s ways.",
    (Reason("Then I tossed %(coin)s.", {"coin": "R1"}),),
)


class Bad:
    def choose(self, view: View, **_: Any) -> Any:
        raise NotImplementedError


class Raises(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        raise RuntimeError("no idea")


class Quits(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        raise SystemExit(3)


class SpinsForEver(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        while True:
            pass


class SleepsForEver(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        while True:
            time.sleep(1000)


class TalksNonsense(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        return Choice("play:Z99", UNEXPLAINED)


class GivesUp(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        return Choice("resign", UNEXPLAINED)


class GivesNothing(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        return None


class GivesWhatNobodyCanRead(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        return Choice(view.legal[0], Reason("%(x)s", {"x": object()}))


class ExplainsInItsOwnWay(Bad):
    def to_json(self) -> Any:
        return {"because": "I say so"}

    def choose(self, view: View, **_: Any) -> Any:
        why: Any = self
        return Choice(view.legal[0], why)


class TalksTooMuch(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        return Choice(view.legal[0], Reason("x" * 10_000_000))


class Exits(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        os._exit(5)


class IsKilled(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class EatsMemory(Bad):
    def choose(self, view: View, **_: Any) -> Any:
        eaten = []
        while True:
            eaten.append(bytearray(64 << 20))


class CannotBeMade(Bad):
    def __init__(self) -> None:
        raise OSError("no weights")


class Says(Bad):
    """Not bad: names the process that it thinks in."""

    def choose(self, view: View, **_: Any) -> Any:
        return Choice(view.legal[0], Reason("%(pid)s %(nice)s", {"pid": os.getpid(), "nice": os.nice(0)}))


class SaysMuch(Bad):
    """Not bad: its reason has everything that a reason can have."""

    def choose(self, view: View, **_: Any) -> Any:
        return Choice(view.legal[0], MUCH)


class TakesItsTime(Bad):
    """Not bad either."""

    def choose(self, view: View, **_: Any) -> Any:
        time.sleep(0.3)
        return Choice(view.legal[0], UNEXPLAINED)


def pool_entries(kind: type[Bad], *names: str) -> dict[str, str]:
    """What a pool is told to take this bot for these names."""
    return dict.fromkeys(names, f"bots.bad_bots:{kind.__name__}")
