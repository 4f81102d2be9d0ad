"""Luz for the search: how a sensible seat plays, and where a playout ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.bits import lowest
from overtrick.rules.rng import below
from overtrick.search.luz_beginner import weigh_carelessly
from overtrick.search.luz_mind import act
from overtrick.search.luz_model import weigh

__all__ = ["act", "choose", "revealed", "settled"]


@kernel
def choose(state: Any, mind: Any, rng: Any) -> int:
    """Return an action of the seat to act, drawn from what sensible seats, or beginners, do with its view."""
    legal = weigh_carelessly(state, mind) if mind.beginner[int(state.turn)] else weigh(state, mind)
    base = luz.BET if state.phase == luz.BETTING else 0
    left, action = legal >> base, 0
    if left & (left - 1):
        draw = np.float32(below(rng, 1 << 24)) / np.float32(1 << 24)
        while left and draw >= 0:
            action = lowest(left)
            draw -= mind.weight[base + action]
            left &= left - 1
        return base + action
    return base + lowest(left)


@kernel
def settled(state: Any) -> bool:
    """Return whether the deal is over: there the search stops."""
    return bool(state.phase == luz.DEAL or state.phase == luz.OVER)


@kernel
def revealed(state: Any, action: int, seat: int) -> int:
    """Return what `seat` observes of an action that is about to be made: the action, and the value it shows."""
    if action >= luz.BET:
        return action
    return action + 64 * (1 + int(state.hand[int(state.turn), action]))
