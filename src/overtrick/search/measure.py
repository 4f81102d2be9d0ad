"""What `overtrick bench search` times: each part of the search many times over, inside kernels, at given moments.

Nothing here knows a clock. Every kernel gets its moments made and its generator seeded, and returns something that
depends on all that it did, so that nothing can be left out of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from overtrick._jit import by_state, kernel, records
from overtrick.games import Game
from overtrick.rules import duet, either, luz
from overtrick.rules.rng import seeded
from overtrick.search import duet_deduce, luz_deduce, verbs


class Moments(NamedTuple):
    """Moments of games of the playout policy, each the beginning of a trick: arrays of records, one a moment."""

    states: Any  # [n] STATE
    minds: Any  # [n] MIND
    seen: Any  # [n] OBSERVATION, of the seat to act
    know: Any  # [n] KNOWLEDGE
    odds: Any  # float64[10, 60] of Luz, float64[30] of Duet: room for `odds`


def moments(game: Game, *, tricks: int, number: int, seed: int) -> Moments:
    """Return moments at which so many tricks are taken; 0: nobody has acted yet, be it with a bet or a card."""
    parts = verbs.PARTS[game.observation_dtype]
    made = Moments(
        states=records(parts.state, number),
        minds=records(parts.mind, number),
        seen=records(game.observation_dtype, number),
        know=records(parts.knowledge, number),
        odds=np.zeros((luz.HAND, luz.CARDS) if game.name == "luz" else duet.CARDS),
    )
    deal_and_play(made, game.begun(), tricks, seeded(seed), np.empty(game.deck.size, np.int8))
    return made


@kernel
def _luz_taken(state: Any) -> int:
    return int(state.taken)


@kernel
def _duet_taken(state: Any) -> int:
    return int(state.tricks[0]) + int(state.tricks[1])


_taken = by_state(
    "taken",
    "(state) -> int: tricks taken in this deal or round.",
    {luz.STATE: _luz_taken, duet.STATE: _duet_taken},
)


@kernel
def _luz_odds(seen: Any, know: Any, table: Any) -> float:
    luz_deduce.odds(seen, know, table)
    return float(table[luz.HAND - 1, luz.CARDS - 1])


@kernel
def _duet_odds(seen: Any, know: Any, table: Any) -> float:
    duet_deduce.odds(seen, table)
    return float(table[duet.CARDS - 1])


_odds = by_state(
    "odds",
    "(seen, know, table) -> float: write the exact odds of the hidden cards; return the last.",
    {luz.OBSERVATION: _luz_odds, duet.OBSERVATION: _duet_odds},
)


@kernel
def deal_and_play(made: Any, begun: Any, tricks: int, rng: Any, owner: Any) -> None:
    """Fill in moments: deal at random, let the playout policy act until so many tricks are taken; deal anew if it ends.

    begun: an array of one with the state before the first deal · owner: int8[cards], scratch room.
    """
    for i in range(len(made.states)):
        state, mind = made.states[i], made.minds[i]
        while True:
            made.states[i] = begun[0]
            either.random_deal(state, rng, owner)
            verbs.recall(state, mind)
            while _taken(state) < tricks and not verbs.settled(state):
                verbs.act(state, mind, verbs.choose(state, mind, rng))
            if not verbs.settled(state):
                break
        either.observe(state, int(state.turn), made.seen[i])


@kernel
def playouts(made: Any, state: Any, mind: Any, rng: Any, times: int) -> float:
    """Play every moment on to the end of its deal or round, so many times; return what came of it, added up.

    state, mind: arrays of one, scratch room.
    """
    total = 0.0
    for _ in range(times):
        for i in range(len(made.states)):
            state[0] = made.states[i]
            mind[0] = made.minds[i]
            seat = int(state[0].turn)
            while not verbs.settled(state[0]):
                verbs.act(state[0], mind[0], verbs.choose(state[0], mind[0], rng))
            total += verbs.worth(state[0], seat)
    return total


@kernel
def draws(made: Any, belief: float, state: Any, mind: Any, rng: Any, times: int) -> float:
    """Draw so many worlds for every moment; return their log weights, added up. state, mind: arrays of one."""
    total = 0.0
    for i in range(len(made.seen)):
        seen, know = made.seen[i], made.know[i]
        know.belief = belief
        verbs.ponder(seen, know)
        for _ in range(times):
            total += verbs.sample(seen, know, state[0], mind[0], rng)
    return total


@kernel
def odds(made: Any, times: int) -> float:
    """Work out the exact odds at every moment, so many times; return some of them, added up."""
    total = 0.0
    for _ in range(times):
        for i in range(len(made.seen)):
            total += _odds(made.seen[i], made.know[i], made.odds)
    return total
