"""Luz worlds: complete states that agree with what one seat sees, each of them equally likely.

Within a colour, the own places between two revealed own cards (a run) hold a subset of the unseen values of that
interval; the others are set aside. Runs do not depend on each other, so a world is one random subset a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.bits import lowest
from overtrick.rules.rng import below
from overtrick.rules.tricks import beats
from overtrick.search.luz_mind import MIND, think
from overtrick.search.luz_sets import CHOICES, nth, over, size

__all__ = ["KNOWLEDGE", "MIND", "count_worlds", "ponder", "recall", "sample"]

MAX_RUNS = luz.HAND

KNOWLEDGE = np.dtype([
    ("belief", np.float32),  # 0: take worlds as equally likely; 1: weigh them by what the others did
    ("seat", np.int8),
    ("runs", np.int8),  # runs of own places whose values are unseen
    ("suit", np.int8, MAX_RUNS),
    ("places", np.int16, MAX_RUNS),  # the places of each run, as bits
    ("values", np.int16, MAX_RUNS),  # the unseen values of its interval, as bits
    ("unseen", np.int16, luz.SUITS),  # all unseen values of a colour
    ("visible", np.int16, (luz.MAX_PLAYERS, luz.SUITS)),  # the values that each of the others holds
])  # fmt: skip
"""What a seat's view says about its own cards, in the form that sampling needs."""


@kernel
def values_in_play(players: int) -> int:
    """Return the set of values of each colour (L-2)."""
    return (1 << luz.values_in_use(players)) - 1


@kernel
def ponder(seen: Any, know: Any) -> None:
    """Read the runs of the observer's unseen places out of its observation; settings in `know` stay."""
    players, me = int(seen.players), int(seen.seat)
    know.seat = me
    know.runs = 0
    know.visible[:] = 0
    know.unseen[:] = values_in_play(players)
    for seat in range(players):
        for suit in range(luz.SUITS):
            places = int(seen.places[seat, suit])
            while places:
                place = lowest(places)
                places &= places - 1
                card = int(seen.hand[seat, place])
                if card != luz.NONE:
                    bit = 1 << (card % luz.RANKS)
                    know.unseen[suit] &= ~bit
                    if int(seen.held[seat]) >> place & 1:
                        know.visible[seat, suit] |= bit
    for suit in range(luz.SUITS):
        _find_runs(seen, know, suit)


@kernel
def _find_runs(seen: Any, know: Any, suit: int) -> None:
    me = int(seen.seat)
    places = int(seen.places[me, suit])
    unseen = int(know.unseen[suit])
    run, floor = 0, -1
    while places:
        place = lowest(places)
        places &= places - 1
        card = int(seen.hand[me, place])
        if card == luz.NONE:
            run |= 1 << place
        else:
            value = card % luz.RANKS
            _add_run(know, suit, run, unseen & over(floor) & ~over(value))
            run, floor = 0, value
    _add_run(know, suit, run, unseen & over(floor))


@kernel
def _add_run(know: Any, suit: int, places: int, values: int) -> None:
    if places:
        n = int(know.runs)
        know.suit[n] = suit
        know.places[n] = places
        know.values[n] = values
        know.runs = n + 1


@kernel
def count_worlds(know: Any) -> int:
    """Return how many own hands agree with the view: a product of binomials (after `ponder`)."""
    worlds = 1
    for n in range(int(know.runs)):
        worlds *= int(CHOICES[size(int(know.values[n])), size(int(know.places[n]))])
    return worlds


@kernel
def sample(seen: Any, know: Any, state: Any, mind: Any, rng: Any) -> float:
    """Write a world drawn uniformly from those that agree with the observation, and what its seats think."""
    _copy(seen, state)
    me = int(know.seat)
    for suit in range(luz.SUITS):
        mind.aside[suit] = know.unseen[suit]
        for seat in range(int(state.players)):
            mind.cards[seat, suit] = know.visible[seat, suit]
    for n in range(int(know.runs)):
        suit, places, values = int(know.suit[n]), int(know.places[n]), int(know.values[n])
        drawn = _subset(values, size(places), rng)
        mind.aside[suit] &= ~drawn
        mind.cards[me, suit] |= drawn
        while places:
            state.hand[me, lowest(places)] = suit * luz.RANKS + lowest(drawn)
            places &= places - 1
            drawn &= drawn - 1
    think(state, mind)
    return 0.0


@kernel
def recall(state: Any, know: Any, mind: Any) -> None:
    """Write what the seats of a full state think."""
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
def _subset(values: int, k: int, rng: Any) -> int:
    """Return `k` of the values, each subset equally likely."""
    m = size(values)
    if 2 * k > m:
        return values & ~_subset_of(values, m, m - k, rng)
    return _subset_of(values, m, k, rng)


@kernel
def _subset_of(values: int, m: int, k: int, rng: Any) -> int:
    left = values
    for i in range(k):
        left &= ~(1 << nth(left, below(rng, m - i)))
    return values & ~left


@kernel
def _copy(seen: Any, state: Any) -> None:
    """Write the fields that an observation shares with a state."""
    state.players = seen.players
    state.bead_supply = seen.bead_supply
    state.dealer = seen.dealer
    state.phase = seen.phase
    state.deal = seen.deal
    state.first = seen.first
    state.leader = seen.leader
    state.turn = seen.turn
    state.laid = seen.laid
    state.taken = seen.taken
    state.last_leader = seen.last_leader
    state.last_winner = seen.last_winner
    for i in range(int(state.laid)):
        card = int(seen.trick[i])
        if i == 0 or beats(card, int(state.best), luz.RANKS, luz.TRUMP):
            state.best = card
            state.best_seat = (int(state.leader) + i) % int(state.players)
    state.logged = seen.logged
    for i in range(luz.LOG):
        state.log[i] = seen.log[i]
    for seat in range(luz.MAX_PLAYERS):
        state.bets[seat] = seen.bets[seat]
        state.safety[seat] = seen.safety[seat]
        state.tricks[seat] = seen.tricks[seat]
        state.trick[seat] = seen.trick[seat]
        state.last[seat] = seen.last[seat]
        state.scores[seat] = seen.scores[seat]
        state.held[seat] = seen.held[seat]
        for number in range(luz.DEALS):
            state.by_deal[number, seat] = seen.by_deal[number, seat]
        for suit in range(luz.SUITS):
            state.places[seat, suit] = seen.places[seat, suit]
        for place in range(luz.HAND):
            state.hand[seat, place] = seen.hand[seat, place]
