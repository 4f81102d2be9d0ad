"""What the others' bets and plays of a Luz deal say about a world: how likely sensible seats were to make them.

The others see the observer's values and act on them. So a world in which what they did is what sensible seats do is
likelier than one in which it would be odd. The deal is gone through again from its log.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.search.luz_mind import act, recall
from overtrick.search.luz_model import weigh

BLUNDER = 0.04
"""How much of every seat's play the model leaves unexplained: spread over all legal actions."""


@kernel
def rewind(state: Any, past: Any) -> None:
    """Write into `past` how the deal of a full state began: everybody still to bet."""
    past.players = state.players
    past.bead_supply = state.bead_supply
    past.dealer = state.dealer
    past.deal = state.deal
    past.first = state.first
    over = bool(state.phase == luz.DEAL or state.phase == luz.OVER)
    for seat in range(int(state.players)):
        past.scores[seat] = state.scores[seat]
        if over:
            past.scores[seat] -= state.by_deal[int(state.deal) - 1, seat]
        past.held[seat] = (1 << luz.HAND) - 1
        for suit in range(luz.SUITS):
            past.places[seat, suit] = state.places[seat, suit]
        for place in range(luz.HAND):
            past.hand[seat, place] = state.hand[seat, place]
    luz.await_bets(past)


@kernel
def likelihood(state: Any, past: Any, mind: Any, seat: int) -> float:
    """Return the logarithm of the chance that all but `seat` acted as they did in the deal of this full state.

    `past` and `mind` are written on.
    """
    rewind(state, past)
    recall(past, mind)
    total = 0.0
    for i in range(int(state.logged)):
        action = int(state.log[i])
        if past.turn != seat:
            legal = weigh(past, mind)
            if legal & (legal - 1):
                choices = 0
                while legal:
                    legal &= legal - 1
                    choices += 1
                total += np.log((1 - BLUNDER) * float(mind.weight[action]) + BLUNDER / choices)
        act(past, mind, action)
    return total
