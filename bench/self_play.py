"""Searching bots in kernels, for games by the thousand: what the training scripts share."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel, records
from overtrick.rules import either
from overtrick.rules.bits import lowest
from overtrick.search import engine, race


def desk(observation: np.dtype[Any], *, seed: int, bank: int) -> engine.Work:
    """Return the room for search after search over one dtype of OBSERVATION; `seen[1]` and `race[1]` stay blank."""
    work = engine.work_for(records(observation), seed=seed, bank=bank, tree=1)
    return work._replace(seen=records(observation, 2), race=records(race.RACE, 2))


@kernel
def decide(work: Any, state: Any, nodes: int, belief: float) -> int:
    """Return the action of a flat search of so many nodes for the seat to act."""
    seat = int(state.turn)
    choices, base = either.legal(state), either.base(state)
    if choices & (choices - 1) == 0:
        return base + lowest(choices)
    work.seen[0] = work.seen[1]
    either.observe(state, seat, work.seen[0])
    work.know[0].belief = belief
    work.race[0] = work.race[1]
    asked = work.race[0]
    asked.seat, asked.zero, asked.alive = seat, base, choices
    asked.doubt, asked.enough, asked.least = 3.0, 0.001, 16
    asked.bank = len(work.order)
    engine.think(work, nodes)
    return base + int(race.leader(work.race))
