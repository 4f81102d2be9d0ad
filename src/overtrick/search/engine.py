"""Monte-Carlo search for one seat, the same for both games: worlds, playouts, and a tree over the seat's own decisions.

A node of thought is one playout: a world that agrees with the observation, one of the seat's actions, and everybody
acting on from there until the deal or round is settled. The actions race each other, in the same worlds (`race`).

With a depth of 0 the seat's later decisions are made by the playout policy, as everybody else's are: flat search. With
more, they are chosen by upper confidence bounds in a tree whose nodes are the seat's own information sets, keyed by
what it has observed: an information-set tree search for one observer (P. Cowling, E. Powley and D. Whitehouse,
IEEE Trans. Comput. Intell. AI Games 4(2), 2012), in which the others act as they are modelled to.

Nothing here knows a clock, and whatever is chosen depends on the seed and on the number of nodes alone.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from overtrick._jit import kernel, records
from overtrick.rules import either
from overtrick.rules.bits import count, lowest
from overtrick.rules.rng import below, branch, seeded
from overtrick.search import verbs
from overtrick.search.race import CHOICES, RACE, ROUND, drop_the_beaten

DEEPEST = 16
"""The most decisions of one's own that a path through the tree can hold."""
_KEYS = (1 << 62) - 1


class Work(NamedTuple):
    """All that a search writes on: arrays of records and numbers; those of one element hold that record."""

    seen: Any  # [1] OBSERVATION
    know: Any  # [1] KNOWLEDGE
    race: Any  # [1] RACE
    state: Any  # [1] STATE, of the playout
    mind: Any  # [1] MIND
    worlds: Any  # [bank] STATE
    minds: Any  # [bank] MIND
    weights: Any  # float64[bank]
    order: Any  # int32[bank]: worlds in the order in which they are taken, drawn by weight
    values: Any  # float64[CHOICES], of one world
    keys: Any  # int64[nodes of the tree]; 0: free
    visits: Any  # int32[nodes, CHOICES]
    gains: Any  # float64[nodes, CHOICES]
    path: Any  # int64[DEEPEST, 2]: nodes and bits on the way down
    chance: Any  # uint64[1], of the playout
    rng: Any  # uint64[1], of the search


def work_for(observation: Any, *, seed: int, bank: int, tree: int) -> Work:
    """Return the room for one search over an array of one OBSERVATION of either game.

    bank: worlds drawn at once, 1 or more. tree: nodes of the tree, a power of two; 1 if it is not used.
    """
    parts = verbs.PARTS[observation.dtype]
    return Work(
        seen=records(observation.dtype),
        know=records(parts.knowledge),
        race=records(RACE),
        state=records(parts.state),
        mind=records(parts.mind),
        worlds=records(parts.state, bank),
        minds=records(parts.mind, bank),
        weights=np.zeros(bank),
        order=np.zeros(bank, np.int32),
        values=np.zeros(CHOICES),
        keys=np.zeros(tree, np.int64),
        visits=np.zeros((tree, CHOICES), np.int32),
        gains=np.zeros((tree, CHOICES)),
        path=np.zeros((DEEPEST, 2), np.int64),
        chance=seeded(0),
        rng=seeded(seed),
    )


@kernel
def think(work: Any, nodes: int) -> int:
    """Search on for about `nodes` playouts, or until one action is left; return the playouts made by this call."""
    race = work.race[0]
    ponder_once(work)
    began = int(race.nodes)
    while int(race.nodes) - began < nodes and count(int(race.alive)) > 1:
        if race.next == race.bank:
            _gather(work)
        _try_all(work, int(work.order[int(race.next)]))
        race.next += 1
        if race.worlds % ROUND == 0 and race.worlds >= race.least:
            drop_the_beaten(race)
    return int(race.nodes) - began


@kernel
def ponder_once(work: Any) -> None:
    """Work out what the worlds have in common, unless that is done."""
    race = work.race[0]
    if race.pondered == 0:
        verbs.ponder(work.seen[0], work.know[0])
        race.ways = verbs.count_worlds(work.seen[0], work.know[0])
        race.pondered = 1
        race.next = race.bank  # none is drawn yet


@kernel
def show(work: Any, states: Any) -> None:
    """Make the state in an array of one the only world of a search whose bank is 1."""
    race = work.race[0]
    ponder_once(work)
    work.worlds[0] = states[0]
    verbs.recall(work.worlds[0], work.minds[0])
    work.order[0] = 0
    race.shown = 1


@kernel
def _gather(work: Any) -> None:
    """Fill the bank with worlds and draw the order in which they are taken, each by its weight.

    Systematic resampling: a world of twice the weight comes twice as often, and no more by luck than it must.
    """
    race = work.race[0]
    bank = int(race.bank)
    race.next = 0
    if race.shown == 1:
        return
    heaviest = -np.inf
    for i in range(bank):
        work.weights[i] = verbs.sample(work.seen[0], work.know[0], work.worlds[i], work.minds[i], work.rng)
        heaviest = max(heaviest, work.weights[i])
    total = 0.0
    for i in range(bank):
        total += math.exp(work.weights[i] - heaviest)
    step = total / bank
    reach = step * (below(work.rng, 1 << 30) + 0.5) / (1 << 30)
    i, upto = 0, math.exp(work.weights[0] - heaviest)
    for j in range(bank):
        while upto < reach and i < bank - 1:
            i += 1
            upto += math.exp(work.weights[i] - heaviest)
        work.order[j] = i
        reach += step
    for j in range(bank):
        k = j + below(work.rng, bank - j)
        work.order[j], work.order[k] = work.order[k], work.order[j]


@kernel
def _try_all(work: Any, world: int) -> None:
    """Try every action that is alive in one world, all with the same chances, and add up what comes of them."""
    race = work.race[0]
    luck = branch(work.rng)
    left = int(race.alive)
    while left:
        bit = lowest(left)
        left &= left - 1
        work.chance[0] = luck
        work.values[bit] = _playout(work, world, bit)
        if verbs.kept(work.state[0], int(race.seat)):
            race.kept[bit] += 1
        race.nodes += 1
    race.worlds += 1
    left = int(race.alive)
    while left:
        a = lowest(left)
        left &= left - 1
        race.total[a] += work.values[a]
        others = int(race.alive)
        while others:
            b = lowest(others)
            others &= others - 1
            race.together[a, b] += work.values[a] * work.values[b]


@kernel
def _playout(work: Any, world: int, bit: int) -> float:
    """Return what the action is worth to the seat in one world, played on until the deal or round is settled."""
    work.state[0] = work.worlds[world]
    work.mind[0] = work.minds[world]
    race, state, mind = work.race[0], work.state[0], work.mind[0]
    seat = int(race.seat)
    action = int(race.zero) + bit
    key = 1
    in_tree = race.depth > 0
    steps = 0
    if in_tree:
        key = mix(key, verbs.revealed(state, action, seat))
    verbs.act(state, mind, action)
    while not verbs.settled(state):
        action = -1
        if in_tree and state.turn == seat and steps < race.depth:
            choices = either.legal(state)
            if count(choices) > 1:
                node = _find(work.keys, key)
                fresh = node < 0 or work.keys[node] == 0
                if node >= 0 and fresh:
                    work.keys[node] = key
                if fresh:
                    action = verbs.choose(state, mind, work.chance)
                    in_tree = False
                else:
                    action = either.base(state) + _most_promising(work, node, choices)
                if node >= 0:
                    work.path[steps, 0] = node
                    work.path[steps, 1] = action - either.base(state)
                    steps += 1
        if action < 0:
            action = verbs.choose(state, mind, work.chance)
        if in_tree:
            key = mix(key, verbs.revealed(state, action, seat))
        verbs.act(state, mind, action)
    value = verbs.worth(state, seat)
    for i in range(steps):
        work.visits[work.path[i, 0], work.path[i, 1]] += 1
        work.gains[work.path[i, 0], work.path[i, 1]] += value
    return float(value)


@kernel
def mix(key: int, observed: int) -> int:
    """Return the key of the information set after one more observation."""
    key = ((key ^ (observed + 1)) * 0x2545F4914F6CDD1D) & _KEYS
    return (key ^ (key >> 29)) | 1


@kernel
def _find(keys: Any, key: int) -> int:
    """Return the place of the key in the table, or a free one for it; -1 if there is neither nearby."""
    mask = len(keys) - 1
    for i in range(8):
        place = (key + i) & mask
        if keys[place] == key or keys[place] == 0:
            return int(place)
    return -1


@kernel
def _most_promising(work: Any, node: int, choices: int) -> int:
    """Return the choice, as a bit, of the highest upper confidence bound; unvisited ones start at the node's mean."""
    visits, gain = 0, 0.0
    left = choices
    while left:
        bit = lowest(left)
        left &= left - 1
        visits += work.visits[node, bit]
        gain += work.gains[node, bit]
    mean = gain / max(visits, 1)
    width = work.race[0].bias * math.sqrt(math.log(visits + 1.0))
    best, highest = lowest(choices), -np.inf
    left = choices
    while left:
        bit = lowest(left)
        left &= left - 1
        n = work.visits[node, bit]
        bound = (mean + work.gains[node, bit]) / (n + 1) + width / math.sqrt(n + 1.0)
        if bound > highest:
            best, highest = bit, bound
    return best
