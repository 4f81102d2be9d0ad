"""What the others' bets and plays of a Luz deal say about a world, and about who they are.

The others see the observer's values and act on them. So a world in which what they did is what sensible seats, or
beginners, do is likelier than one in which it would be odd. The deal is gone through again from its log.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.bits import count
from overtrick.rules.rng import below
from overtrick.search.luz_beginner import weigh_carelessly
from overtrick.search.luz_mind import MIND, act, recall
from overtrick.search.luz_model import weigh

BLUNDER = 0.04
"""How much of every seat's play the model leaves unexplained: spread over all legal actions."""

HISTORY = np.dtype([
    ("past", luz.STATE),  # the deal as it went
    ("mind", MIND),
    ("sensible", np.float64, luz.MAX_PLAYERS),  # logarithm of the chance that a sensible seat acts as this one did
    ("beginner", np.float64, luz.MAX_PLAYERS),  # ... and that a beginner does
])  # fmt: skip
"""What going through a deal again writes on."""


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
def likelihood(state: Any, mind: Any, history: Any, seat: int, rng: Any) -> float:
    """Return the logarithm of the chance that all but `seat` acted as they did in the deal of this full state.

    Each of them may be sensible or a beginner, before it acts as likely one as the other. Whom this world takes for a
    beginner is drawn by what they did since, into `mind.beginner`. `history` is written on.
    """
    _go_through(state, history, seat)
    total = 0.0
    for other in range(int(state.players)):
        if other != seat:
            sensible, beginner = float(history.sensible[other]), float(history.beginner[other])
            likelier = max(sensible, beginner)
            sensible, beginner = np.exp(sensible - likelier), np.exp(beginner - likelier)
            total += likelier + np.log(0.5 * (sensible + beginner))
            draw = below(rng, 1 << 24) / (1 << 24)
            mind.beginner[other] = 1 if draw * (sensible + beginner) < beginner else 0
    return total


@kernel
def _go_through(state: Any, history: Any, seat: int) -> None:
    """Write how likely each seat but one was to act as it did, if it was sensible and if it was a beginner."""
    past, mind = history.past, history.mind
    rewind(state, past)
    recall(past, mind)
    history.sensible[:] = 0.0
    history.beginner[:] = 0.0
    for i in range(int(state.logged)):
        action, turn = int(state.log[i]), int(past.turn)
        legal = luz.legal(past)
        if turn != seat and legal & (legal - 1):
            even = BLUNDER / count(legal)
            weigh(past, mind)
            history.sensible[turn] += np.log((1 - BLUNDER) * float(mind.weight[action]) + even)
            weigh_carelessly(past, mind)
            history.beginner[turn] += np.log((1 - BLUNDER) * float(mind.weight[action]) + even)
        act(past, mind, action)
