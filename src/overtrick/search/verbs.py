"""What the search asks of a game, under one name for both, chosen by the dtype of the state or observation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from overtrick._jit import by_state, kernel
from overtrick.rules import duet, luz
from overtrick.search import duet_policy, duet_value, duet_worlds, luz_mind, luz_policy, luz_value, luz_worlds


class Parts(NamedTuple):
    """The records that a search over one game works on."""

    state: np.dtype[Any]
    knowledge: np.dtype[Any]
    mind: np.dtype[Any]


PARTS = {
    luz.OBSERVATION: Parts(luz.STATE, luz_worlds.KNOWLEDGE, luz_mind.MIND),
    duet.OBSERVATION: Parts(duet.STATE, duet_worlds.KNOWLEDGE, duet_worlds.MIND),
}
"""By the dtype of the observation."""

_SEEN_LUZ, _SEEN_DUET = luz.OBSERVATION, duet.OBSERVATION
_LUZ, _DUET = luz.STATE, duet.STATE

ponder = by_state(
    "ponder",
    "(seen, know): work out, once a decision, what drawing and weighing worlds need.",
    {_SEEN_LUZ: luz_worlds.ponder, _SEEN_DUET: duet_worlds.ponder},
)
sample = by_state(
    "sample",
    "(seen, know, state, mind, rng) -> float: write a world that agrees with the observation, all equally likely; "
    "return the logarithm of its weight.",
    {_SEEN_LUZ: luz_worlds.sample, _SEEN_DUET: duet_worlds.sample},
)
world = by_state(
    "world",
    "(seen, know, index, state, mind) -> float: write world number `index`; return the logarithm of its weight.",
    {_SEEN_LUZ: luz_worlds.world, _SEEN_DUET: duet_worlds.world},
)
count_worlds = by_state(
    "count_worlds",
    "(seen, know) -> int: how many worlds agree with the observation.",
    {_SEEN_LUZ: luz_worlds.count_worlds, _SEEN_DUET: duet_worlds.count_worlds},
)
cards_left = by_state(
    "cards_left",
    "(seen) -> int: how many cards the observer holds.",
    {_SEEN_LUZ: luz_worlds.cards_left, _SEEN_DUET: duet_worlds.cards_left},
)
recall = by_state(
    "recall",
    "(state, mind): write what the seats of a full state think.",
    {_LUZ: luz_mind.recall, _DUET: duet_worlds.recall},
)
choose = by_state(
    "choose",
    "(state, mind, rng) -> int: the action of the seat to act as the playout policy has it, from what that seat knows.",
    {_LUZ: luz_policy.choose, _DUET: duet_policy.choose},
)
act = by_state(
    "act",
    "(state, mind, action): play a legal action and keep what the seats think up to date.",
    {_LUZ: luz_policy.act, _DUET: duet_policy.act},
)
settled = by_state(
    "settled",
    "(state) -> bool: whether a playout ends here, with the deal or the round.",
    {_LUZ: luz_policy.settled, _DUET: duet_policy.settled},
)
worth = by_state(
    "worth",
    "(state, seat) -> float: what a settled state is worth to the seat, about 0..1.",
    {_LUZ: luz_value.worth, _DUET: duet_value.worth},
)


@kernel
def _luz_kept(state: Any, seat: int) -> bool:
    return bool(state.by_deal[int(state.deal) - 1, seat] > 0)


@kernel
def _duet_kept(state: Any, seat: int) -> bool:
    return False


kept = by_state(
    "kept",
    "(state, seat) -> bool: whether the seat of a settled state has made its bet; nobody bets in Duet.",
    {_LUZ: _luz_kept, _DUET: _duet_kept},
)
revealed = by_state(
    "revealed",
    "(state, action, seat) -> int: what the seat observes when the seat to act takes this action.",
    {_LUZ: luz_policy.revealed, _DUET: duet_policy.revealed},
)
