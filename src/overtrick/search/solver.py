"""Exact endings: the seat's best plan over every world that is left, when they are few and the tricks too.

All worlds are gone through side by side. Where the seat is to act, those that look alike to it are one information
set, in which it can only choose one action for all of them; the best of the actions counts. The others act as they are
modelled, each world with its own fixed chances. So nothing is sampled but the chances of the others, and what comes out
is the best reply to them, not a lucky guess at what is hidden.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from overtrick._jit import kernel, records
from overtrick.rules import either
from overtrick.rules.bits import count, lowest
from overtrick.rules.rng import below
from overtrick.search import verbs
from overtrick.search.engine import leader_of, mix, ponder_once

LEVELS = 6
"""The most own decisions in a row, the first included, that are looked through; beyond, the policy makes them."""
CARDS = 4
"""The most cards in the own hand with which an ending is solved."""


class Ending(NamedTuple):
    """What the solver writes on: worlds level by level, a level for each decision of the seat."""

    states: Any  # [LEVELS, worlds] STATE
    minds: Any  # [LEVELS, worlds] MIND
    weights: Any  # float64[LEVELS, worlds]
    luck: Any  # uint64[LEVELS, worlds]: where each world's chances go on
    keys: Any  # int64[LEVELS, worlds]: what the seat has observed; 0: nothing is left to decide there


def ending_for(observation: Any, worlds: int) -> Ending:
    """Return the room for an ending of at most so many worlds."""
    parts = verbs.PARTS[observation.dtype]
    return Ending(
        states=records(parts.state, LEVELS * worlds).reshape(LEVELS, worlds),
        minds=records(parts.mind, LEVELS * worlds).reshape(LEVELS, worlds),
        weights=np.zeros((LEVELS, worlds)),
        luck=np.zeros((LEVELS, worlds), np.uint64),
        keys=np.zeros((LEVELS, worlds), np.int64),
    )


@kernel
def within_reach(observations: Any) -> bool:
    """Return whether the seat of an array of one OBSERVATION holds few enough cards for `solve`."""
    return bool(verbs.cards_left(observations[0]) <= CARDS)


@kernel
def solve(work: Any, ending: Any) -> bool:
    """Decide the race of a search exactly, if the worlds that are left have room; return whether it did.

    Each world is taken as often as there is room, with other chances each time.
    """
    race, seen, know = work.race[0], work.seen[0], work.know[0]
    room = ending.weights.shape[1]
    ponder_once(work)
    worlds = int(verbs.count_worlds(seen, know))
    if worlds > room:
        return False
    n = room // worlds * worlds
    heaviest = -np.inf
    for i in range(n):
        weight = verbs.world(seen, know, i % worlds, ending.states[0, i], ending.minds[0, i])
        ending.weights[0, i] = weight
        heaviest = max(heaviest, weight)
    for i in range(n):
        ending.weights[0, i] = math.exp(ending.weights[0, i] - heaviest)
        below(work.rng, 2)
        ending.luck[0, i] = work.rng[0]
        ending.keys[0, i] = 1
    _plan(work, ending, 0, n)
    race.worlds = 1
    race.alive = 1 << leader_of(race)
    return True


@kernel
def _plan(work: Any, ending: Any, level: int, n: int) -> float:
    """Return the worth, summed by weight, of the first `n` worlds of a level under the seat's best plan."""
    race = work.race[0]
    total = 0.0
    for i in range(n):
        total += _go_on(work, ending, level, i)
    if level == LEVELS - 1:
        return total
    for first in range(n):
        key = int(ending.keys[level, first])
        if key == 0:
            continue
        choices = either.legal(ending.states[level, first])
        base = either.base(ending.states[level, first])
        best = -np.inf
        while choices:
            bit = lowest(choices)
            choices &= choices - 1
            members = 0
            for i in range(first, n):
                if ending.keys[level, i] == key:
                    _try(ending, level, i, members)
                    _act(work, ending, level + 1, members, base + bit)
                    members += 1
            worth = _plan(work, ending, level + 1, members)
            best = max(best, worth)
            if level == 0:
                race.total[bit] = worth
                race.nodes += members
        total += best
        for i in range(first, n):
            if ending.keys[level, i] == key:
                ending.keys[level, i] = 0
    return total


@kernel
def _try(ending: Any, level: int, i: int, j: int) -> None:
    """Copy world `i` of a level to place `j` of the next."""
    ending.states[level + 1, j] = ending.states[level, i]
    ending.minds[level + 1, j] = ending.minds[level, i]
    ending.weights[level + 1, j] = ending.weights[level, i]
    ending.luck[level + 1, j] = ending.luck[level, i]
    ending.keys[level + 1, j] = ending.keys[level, i]


@kernel
def _act(work: Any, ending: Any, level: int, i: int, action: int) -> None:
    state = ending.states[level, i]
    seat = int(work.race[0].seat)
    ending.keys[level, i] = mix(int(ending.keys[level, i]), verbs.revealed(state, action, seat))
    verbs.act(state, ending.minds[level, i], action)


@kernel
def _go_on(work: Any, ending: Any, level: int, i: int) -> float:
    """Let the others act in one world until the seat has a choice, or all is settled: return its worth by weight then.

    On the last level the policy chooses for the seat too.
    """
    state, mind = ending.states[level, i], ending.minds[level, i]
    seat = int(work.race[0].seat)
    work.chance[0] = ending.luck[level, i]
    while not verbs.settled(state):
        if state.turn == seat and level < LEVELS - 1 and count(either.legal(state)) > 1:
            ending.luck[level, i] = work.chance[0]
            return 0.0
        _act(work, ending, level, i, verbs.choose(state, mind, work.chance))
    ending.keys[level, i] = 0
    return float(ending.weights[level, i] * verbs.worth(state, work.know[0], seat))
