"""What a bot is: a view in, a choice out, and a reason that gives nothing away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from overtrick.games import View


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

    Cards are named in move notation (`R4`), places of a Luz hand by their number; the page translates.
    """

    msgid: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.msgid % self.params if self.params else self.msgid


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
