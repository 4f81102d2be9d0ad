"""How a sensible Duet player acts who looks one trick ahead: the moves of playouts, and the model of the partner.

Reads only what the seat to act knows: what each action is worth to it is worked out in `duet_weigh`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import duet
from overtrick.rules.bits import count, lowest
from overtrick.rules.rng import below
from overtrick.search.duet_weigh import NOISE, weigh

TEMPER = 0.25
"""Differences of worth that a partner may well see otherwise than we do."""
STRAY = 0.15
"""How often a partner acts for reasons that we do not see."""


@kernel
def act(state: Any, mind: Any, action: int) -> None:
    """Play an action; what was worked out for the trick is noticed to be old by the number of the trick."""
    duet.apply(state, action)


@kernel
def revealed(state: Any, action: int, seat: int) -> int:
    """Return what `seat` sees of an action about to be made: all but the partner's gift before it comes (D-18).

    The gift that completes an exchange shows the card received too, if it was the partner who gave first.
    """
    if not duet.GIFT <= action < duet.DECREE:
        return action
    if state.turn != seat:
        return action if state.gift[seat] != duet.NONE else duet.NONE
    other = int(state.gift[1 - seat])
    return action if other == duet.NONE else action + duet.ACTIONS * (other + 1)


@kernel
def settled(state: Any) -> bool:
    """Return whether the round is over, or the game."""
    return bool(state.phase == duet.FORESTING or state.phase == duet.DEALING or state.phase == duet.OVER)


@kernel
def choose(state: Any, mind: Any, rng: Any) -> int:
    """Return the action of the greatest worth, small differences left to chance."""
    choices = duet.legal(state)
    base = duet.base(state)
    if choices & (choices - 1) == 0:
        return base + lowest(choices)
    weigh(state, mind, choices)
    best, highest = 0, -np.inf
    while choices:
        bit = lowest(choices)
        choices &= choices - 1
        worth = mind.worth[bit] + NOISE * below(rng, 1024) / 1024
        if worth > highest:
            best, highest = bit, worth
    return base + best


@kernel
def log_likelihood(state: Any, mind: Any, action: int) -> float:
    """Return how likely a player like us, but not always of one mind with us, would act so, as a logarithm."""
    choices = duet.legal(state)
    if choices & (choices - 1) == 0:
        return 0.0
    weigh(state, mind, choices)
    base = duet.base(state)
    left = choices
    highest = -np.inf
    while left:
        highest = max(highest, mind.worth[lowest(left)])
        left &= left - 1
    total = 0.0
    left = choices
    while left:
        total += math.exp((mind.worth[lowest(left)] - highest) / TEMPER)
        left &= left - 1
    chosen = math.exp((mind.worth[action - base] - highest) / TEMPER) / total
    return math.log((1.0 - STRAY) * chosen + STRAY / count(choices))
