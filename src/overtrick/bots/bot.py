"""What a bot is: a view in, a choice out, and a reason that gives nothing away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from overtrick.errors import N_
from overtrick.games import View

ONLY_CARD = N_("It is the only card that may be played.")


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """How much thought a decision may cost: search nodes, or wall time in milliseconds, or no limit named.

    A budget in nodes repeats exactly for a seed; one in milliseconds does not. Bots that do not search need neither;
    those that do take their level's own where no limit is named. `stopped` is asked now and then: a search ends, with
    what it has found, once it returns True.
    """

    nodes: int | None = None
    milliseconds: float | None = None
    stopped: Callable[[], bool] = _never

    @property
    def limited(self) -> bool:
        """Whether a limit is named."""
        return self.nodes is not None or self.milliseconds is not None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move was chosen: a message id and its parameters, known to the seat that moved.

    Cards and other moves are named in seat notation (`R4`, `play:#3`); the page translates. `plural`: the form of
    the sentence for other counts than one, of what `params["n"]` counts. `then`: sentences that follow.
    """

    msgid: str
    params: Mapping[str, object] = field(default_factory=dict)
    plural: str = ""
    then: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        form = self.plural if self.plural and self.params["n"] != 1 else self.msgid
        return " ".join([form % self.params if self.params else form, *map(str, self.then)])

    @property
    def sentences(self) -> tuple[Reason, ...]:
        """Every sentence by itself."""
        rest = (sentence for part in self.then for sentence in part.sentences)
        return (replace(self, then=()), *rest)

    def to_json(self) -> dict[str, Any]:
        """Return the same as JSON values; `plural` and `then` only where there are any."""
        made: dict[str, Any] = {"msgid": str(self.msgid), "params": dict(self.params)}
        if self.plural:
            made["plural"] = str(self.plural)
        if self.then:
            made["then"] = [part.to_json() for part in self.then]
        return made

    @classmethod
    def from_json(cls, made: Mapping[str, Any]) -> Reason:
        """Read what `to_json` gave; other JSON raises AttributeError, KeyError, TypeError or ValueError."""
        then = tuple(cls.from_json(part) for part in made.get("then", ()))
        return cls(str(made["msgid"]), dict(made["params"]), str(made.get("plural", "")), then)


@dataclass(frozen=True, slots=True)
class Choice:
    """A move in seat notation, and the reason for it."""

    move: str
    why: Reason


class Bot(Protocol):
    """A player that knows a view and nothing else; it keeps nothing from one decision to the next."""

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose one of `view.legal`; the same view, seed and budget in nodes give the same choice.

        Asked only when `view.legal` is not empty. Raises ValueError otherwise.
        """
        ...
