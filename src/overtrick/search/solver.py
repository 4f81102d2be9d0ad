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
from overtrick.rules.rng import branch
from overtrick.search import verbs
from overtrick.search.engine import mix, ponder_once
from overtrick.search.race import leader_of

LEVELS = 6
"""The most own decisions in a row, the first included, that are looked through; beyond, the policy makes them."""
CARDS = 4
"""The most cards in the own hand with which an ending is solved."""


FRAME = np.dtype([
    ("worlds", np.int64),  # of the level
    ("total", np.float64),  # worth so far, by weight
    ("first", np.int64),  # world of the group whose choices are tried
    ("key", np.int64),  # what the seat has observed in that group; 0: there is none
    ("choices", np.int64),  # not yet tried, as bits above `base`
    ("bit", np.int64),  # the one that is tried
    ("best", np.float64),  # worth of the best so far
])  # fmt: skip
"""How far one level has been gone through."""


class Ending(NamedTuple):
    """What the solver writes on: worlds level by level, a level for each decision of the seat."""

    states: Any  # [LEVELS, worlds] STATE
    minds: Any  # [LEVELS, worlds] MIND
    weights: Any  # float64[LEVELS, worlds]
    luck: Any  # uint64[LEVELS, worlds]: where each world's chances go on
    keys: Any  # int64[LEVELS, worlds]: what the seat has observed; 0: nothing is left to decide there
    frames: Any  # [LEVELS] FRAME


def ending_for(observation: Any, worlds: int) -> Ending:
    """Return the room for an ending of at most so many worlds."""
    parts = verbs.PARTS[observation.dtype]
    return Ending(
        states=records(parts.state, LEVELS * worlds).reshape(LEVELS, worlds),
        minds=records(parts.mind, LEVELS * worlds).reshape(LEVELS, worlds),
        weights=np.zeros((LEVELS, worlds)),
        luck=np.zeros((LEVELS, worlds), np.uint64),
        keys=np.zeros((LEVELS, worlds), np.int64),
        frames=records(FRAME, LEVELS),
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
    total = 0.0
    for i in range(n):
        total += math.exp(ending.weights[0, i] - heaviest)
    for i in range(n):
        ending.weights[0, i] = math.exp(ending.weights[0, i] - heaviest) / total
        ending.luck[0, i] = branch(work.rng)
        ending.keys[0, i] = 1
    _plan(work, ending, n)
    race.worlds = 1
    race.solved = 1
    best = 1 << leader_of(race)
    race.runners = int(race.alive) & ~best
    race.alive = best
    return True


@kernel
def _plan(work: Any, ending: Any, n: int) -> None:
    """Find the seat's best plan for the first `n` worlds of level 0; write what each action is worth into the race.

    Depth first, with a stack of its own: Numba's cache loses functions that call themselves (its issue 6061).
    """
    race = work.race[0]
    level = 0
    _enter(work, ending, level, n)
    while True:
        frame = ending.frames[level]
        if frame.choices != 0:
            frame.bit = lowest(int(frame.choices))
            frame.choices = int(frame.choices) & (int(frame.choices) - 1)
            members = _try(work, ending, level)
            if level == 0:
                race.nodes += members
            level += 1
            _enter(work, ending, level, members)
        elif not _next_group(ending, level):
            if level == 0:
                return
            level -= 1
            parent = ending.frames[level]
            parent.best = max(parent.best, frame.total)
            if level == 0:
                race.total[int(parent.bit)] = frame.total


@kernel
def _enter(work: Any, ending: Any, level: int, n: int) -> None:
    """Begin a level with its first `n` worlds: let the others act, and find the first that asks for a choice."""
    frame = ending.frames[level]
    frame.worlds = n
    frame.total = 0.0
    for i in range(n):
        frame.total += _go_on(work, ending, level, i)
    frame.first = -1
    frame.key = 0
    frame.choices = 0
    _next_group(ending, level)


@kernel
def _next_group(ending: Any, level: int) -> bool:
    """Count the group that is done, and go to the next that looks different to the seat; False if there is none."""
    frame = ending.frames[level]
    if frame.key != 0:
        frame.total += frame.best
        for i in range(int(frame.first), int(frame.worlds)):
            if ending.keys[level, i] == frame.key:
                ending.keys[level, i] = 0
        frame.key = 0
    for i in range(int(frame.first) + 1, int(frame.worlds)):
        if ending.keys[level, i] != 0:
            frame.first = i
            frame.key = ending.keys[level, i]
            frame.choices = either.legal(ending.states[level, i])
            frame.best = -np.inf
            return True
    frame.first = frame.worlds
    return False


@kernel
def _try(work: Any, ending: Any, level: int) -> int:
    """Carry the action that is due over to the worlds of the group, on the next level; return how many they are."""
    frame = ending.frames[level]
    action = either.base(ending.states[level, int(frame.first)]) + int(frame.bit)
    j = 0
    for i in range(int(frame.first), int(frame.worlds)):
        if ending.keys[level, i] == frame.key:
            ending.states[level + 1, j] = ending.states[level, i]
            ending.minds[level + 1, j] = ending.minds[level, i]
            ending.weights[level + 1, j] = ending.weights[level, i]
            ending.luck[level + 1, j] = ending.luck[level, i]
            ending.keys[level + 1, j] = ending.keys[level, i]
            _act(work, ending, level + 1, j, action)
            j += 1
    return j


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
    return float(ending.weights[level, i] * verbs.worth(state, seat))
