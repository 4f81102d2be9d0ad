"""What the seats of one Luz world think of their own cards, each from its own view, kept up to date as cards fall.

A seat cannot tell its own values from those set aside, so its estimates follow from the two together and from the
order of its places. They change only when one of its own cards of that colour is revealed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.search.luz_model import CONTEXT, HIDDEN, INPUTS
from overtrick.search.luz_sets import MIDDLE, nth, over, size, spot

MIND = np.dtype([
    ("aside", np.int16, luz.SUITS),  # values set aside in this world
    ("cards", np.int16, (luz.MAX_PLAYERS, luz.SUITS)),  # values that each seat holds
    ("in_hands", np.int16, luz.SUITS),  # values that anybody holds
    ("unseen", np.int16, (luz.MAX_PLAYERS, luz.HAND)),  # of each seat's places: the values that it may hold...
    ("spot", np.int8, (luz.MAX_PLAYERS, luz.HAND)),  # ... where in a run it lies ...
    ("value", np.int8, (luz.MAX_PLAYERS, luz.HAND)),  # ... and the value that its owner expects there, 0..11
    ("beginner", np.int8, luz.MAX_PLAYERS),  # 1: the seat is taken for a beginner in this world
    ("tricks", np.float64, luz.HAND + 1),  # scratch of a decision: chances to take 0, 1, 2... more tricks
    ("gains", np.float64, luz.HAND + 1),  # ... and the points for each
    ("keep", np.float32, luz.HAND),  # chances that a card takes a trick later
    ("now", np.float32, luz.HAND),  # chances that it takes this trick
    ("weight", np.float32, luz.ACTIONS),  # of each action
    ("context", np.float32, CONTEXT),  # scratch of the net: what every action of a decision shares ...
    ("inputs", np.float32, INPUTS - CONTEXT),  # ... and what is its own
    ("hidden", np.float32, HIDDEN),
    ("top", np.float32, HIDDEN),
])  # fmt: skip
"""What the seats of one world think: estimates from each seat's own view, and scratch space."""


@kernel
def values_in_play(players: int) -> int:
    """Return the set of values of each colour (L-2)."""
    return (1 << luz.values_in_use(players)) - 1


@kernel
def recall(state: Any, mind: Any) -> None:
    """Write what the seats of a full state think, none of them a beginner."""
    mind.beginner[:] = 0
    for suit in range(luz.SUITS):
        mind.aside[suit] = values_in_play(int(state.players))
        mind.cards[:, suit] = 0
    for seat in range(int(state.players)):
        for place in range(luz.HAND):
            card = int(state.hand[seat, place])
            suit = card // luz.RANKS
            bit = 1 << (card - suit * luz.RANKS)
            mind.aside[suit] &= ~bit
            if int(state.held[seat]) >> place & 1:
                mind.cards[seat, suit] |= bit
    think(state, mind)


@kernel
def think(state: Any, mind: Any) -> None:
    """Write every estimate of a world whose `aside` and `cards` are known."""
    for suit in range(luz.SUITS):
        held = 0
        for seat in range(int(state.players)):
            held |= int(mind.cards[seat, suit])
            estimate(state, mind, seat, suit)
        mind.in_hands[suit] = held


@kernel
def estimate(state: Any, mind: Any, seat: int, suit: int) -> None:
    """Write what a seat expects at each of its places of one colour."""
    places = int(state.places[seat, suit])
    held = int(state.held[seat])
    if places & held == 0:
        return
    hidden = int(mind.aside[suit]) | int(mind.cards[seat, suit])
    run, floor = 0, -1
    while places:
        bit = places & -places
        places ^= bit
        if held & bit:
            run |= bit
        else:
            value = int(state.hand[seat, size(bit - 1)]) - suit * luz.RANKS
            if run:
                _estimate_run(mind, seat, run, hidden & over(floor) & ~over(value))
            run, floor = 0, value
    if run:
        _estimate_run(mind, seat, run, hidden & over(floor))


@kernel
def _estimate_run(mind: Any, seat: int, run: int, values: int) -> None:
    k, m, i = size(run), size(values), 0
    while run:
        place = size((run & -run) - 1)
        run &= run - 1
        at = spot(k, i)
        mind.unseen[seat, place] = values
        mind.spot[seat, place] = at
        mind.value[seat, place] = nth(values, int(MIDDLE[at, m]))
        i += 1


@kernel
def act(state: Any, mind: Any, action: int) -> None:
    """Make a legal action and keep the estimates up to date."""
    seat = int(state.turn)
    luz.apply(state, action)
    if action < luz.BET:
        card = int(state.hand[seat, action])
        suit = card // luz.RANKS
        bit = 1 << (card - suit * luz.RANKS)
        mind.cards[seat, suit] ^= bit
        mind.in_hands[suit] ^= bit
        estimate(state, mind, seat, suit)
