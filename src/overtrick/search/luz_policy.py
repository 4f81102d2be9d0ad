"""Luz for the search: how a sensible seat plays, and where a playout ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.rng import below
from overtrick.search.luz_mind import act
from overtrick.search.luz_model import weigh

__all__ = ["act", "choose", "revealed", "settled"]


@kernel
def choose(state: Any, mind: Any, rng: Any) -> int:
    """Return an action of the seat to act, drawn from what sensible seats do with its view."""
    legal = weigh(state, mind)
    if legal & (legal - 1) == 0:
        left, action = legal, 0
        while left > 1:
            left >>= 1
            action += 1
        return action
    draw = np.float32(below(rng, 1 << 24)) / np.float32(1 << 24)
    last = 0
    for action in range(luz.BET if state.phase == luz.PLAY else luz.ACTIONS):
        if legal >> action & 1:
            last = action
            draw -= mind.weight[action]
            if draw < 0:
                break
    return last


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
