"""Luz worlds: complete states that agree with what one seat sees, each of them equally likely.

Within a colour, the own places between two revealed own cards (a run) hold a subset of the unseen values of that
interval; the others are set aside. Runs do not depend on each other, so a world is one random subset a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.bits import count, lowest
from overtrick.rules.rng import below, seeded
from overtrick.rules.tricks import beats
from overtrick.search.luz_history import HISTORY, likelihood
from overtrick.search.luz_mind import MIND, think, values_in_play
from overtrick.search.luz_sets import nth, over, size
from overtrick.search.subsets import WAYS, nth_subset

__all__ = ["KNOWLEDGE", "MIND", "count_worlds", "ponder", "sample", "world"]

MAX_RUNS = luz.HAND
LUCK = seeded(0)[0]

KNOWLEDGE = np.dtype([
    ("belief", np.float32),  # 0: worlds and beginners are as likely as not; 1: weighed by what the others did
    ("seat", np.int8),
    ("runs", np.int8),  # runs of own places whose values are unseen
    ("suit", np.int8, MAX_RUNS),
    ("places", np.int16, MAX_RUNS),  # the places of each run, as bits
    ("values", np.int16, MAX_RUNS),  # the unseen values of its interval, as bits
    ("drawn", np.int16, MAX_RUNS),  # those of them that it holds in the world that is being written
    ("unseen", np.int16, luz.SUITS),  # all unseen values of a colour
    ("visible", np.int16, (luz.MAX_PLAYERS, luz.SUITS)),  # the values that each of the others holds
    ("luck", np.uint64, 1),  # from which numbered worlds draw who is a beginner
    ("history", HISTORY),  # scratch to go through the deal again
])  # fmt: skip
"""What a seat's view says about its own cards, in the form that sampling needs."""


@kernel
def ponder(seen: Any, know: Any) -> None:
    """Read the runs of the observer's unseen places out of its observation; settings in `know` stay."""
    players, me = int(seen.players), int(seen.seat)
    know.seat = me
    know.runs = 0
    know.luck[0] = LUCK
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
def count_worlds(seen: Any, know: Any) -> int:
    """Return how many own hands agree with the view: a product of binomials (after `ponder`)."""
    worlds = 1
    for n in range(int(know.runs)):
        worlds *= int(WAYS[size(int(know.values[n])), size(int(know.places[n]))])
    return worlds


@kernel
def sample(seen: Any, know: Any, state: Any, mind: Any, rng: Any) -> float:
    """Write a world drawn uniformly from those that agree with the observation; return its log weight."""
    for n in range(int(know.runs)):
        know.drawn[n] = _subset(int(know.values[n]), size(int(know.places[n])), rng)
    return _write(seen, know, state, mind, rng)


@kernel
def world(seen: Any, know: Any, index: int, state: Any, mind: Any) -> float:
    """Write world number `index`, 0..`count_worlds` - 1, and return its log weight."""
    for n in range(int(know.runs)):
        values, k = int(know.values[n]), size(int(know.places[n]))
        ways = int(WAYS[size(values), k])
        know.drawn[n] = nth_subset(values, k, index % ways)
        index //= ways
    return _write(seen, know, state, mind, know.luck)


@kernel
def _write(seen: Any, know: Any, state: Any, mind: Any, rng: Any) -> float:
    """Write the world whose runs hold `know.drawn`, and what its seats think; return its log weight."""
    copy_seen(seen, state)
    me = int(know.seat)
    for suit in range(luz.SUITS):
        mind.aside[suit] = know.unseen[suit]
        for seat in range(int(state.players)):
            mind.cards[seat, suit] = know.visible[seat, suit]
    for n in range(int(know.runs)):
        suit, places, drawn = int(know.suit[n]), int(know.places[n]), int(know.drawn[n])
        mind.aside[suit] &= ~drawn
        mind.cards[me, suit] |= drawn
        while places:
            state.hand[me, lowest(places)] = suit * luz.RANKS + lowest(drawn)
            places &= places - 1
            drawn &= drawn - 1
    think(state, mind)
    mind.beginner[me] = 0
    if know.belief > 0.0:
        return float(know.belief) * likelihood(state, mind, know.history, me, rng)
    for seat in range(int(state.players)):
        if seat != me:
            mind.beginner[seat] = below(rng, 2)
    return 0.0


@kernel
def cards_left(seen: Any) -> int:
    """Return how many cards the observer holds."""
    return count(int(seen.held[int(seen.seat)]))


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
def copy_seen(seen: Any, state: Any) -> None:
    """Write what an observation tells of a state; the card that wins the trick follows from it."""
    luz.copy_public(seen, state)
    for i in range(int(state.laid)):
        card = int(seen.trick[i])
        if i == 0 or beats(card, int(state.best), luz.RANKS, luz.TRUMP):
            state.best = card
            state.best_seat = (int(state.leader) + i) % int(state.players)
    for seat in range(luz.MAX_PLAYERS):
        for place in range(luz.HAND):
            state.hand[seat, place] = seen.hand[seat, place]
