"""What a Duet round that is over is worth: the final score to be expected, as a share of the most there is.

The expectation is linear in what the board shows (where the gems lie from the tracker, how far there is to go, the
room to the ends); it was fitted to the scores in which games of searching pairs ended.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import duet, path
from overtrick.search.duet_weights import ROUNDS_AHEAD

MOST = 39.0
"""The highest score of level 1; with 10 more for each level above no score is higher."""
POOR = 0.1
"""Below this share the line bends, so that bad is told from worse but nothing is worth less than a game lost."""
NEAR = 6
"""Spaces from the tracker up to which gems count by their distance."""
FEATURES = 18
"""What `describe` says of a board."""
WEIGHTS = np.array(ROUNDS_AHEAD)


@kernel
def worth(state: Any, seat: int) -> float:
    """Return the worth of a settled state, the same for both seats; 0 to 1."""
    most = MOST + 10.0 * (int(state.level) - 1)
    if state.phase == duet.OVER:
        return duet.score(state, seat) / most
    share = _expected(state) / most
    return min(share, 1.0) if share > POOR else POOR * math.exp(share / POOR - 1.0)


@kernel
def _expected(state: Any) -> float:
    row = describe(state)
    weights = WEIGHTS[int(state.level) - 1]
    total = 0.0
    for i in range(FEATURES):
        total += weights[i] * row[i]
    return total


@kernel
def describe(state: Any) -> Any:
    """Return what the expected score is linear in, float64[FEATURES]."""
    row = np.zeros(FEATURES)
    tracker = int(state.tracker)
    low, high = int(state.low), path.last_space(state)
    down, up, spaces = 0, 0, 0
    for space in range(low, high + 1):
        gems = int(state.gems[space])
        if gems:
            row[1 + min(abs(space - tracker), NEAR)] += gems
            spaces += 1
            down, up = max(down, tracker - space), max(up, space - tracker)
    left = float(state.gems_left)
    row[0] = 1.0  # and 1..7: gems by distance
    row[8] = spaces
    row[9], row[10] = max(down, up), min(down, up)  # how far there is to go
    row[11] = min(tracker - low, high - tracker)  # room to the nearer end
    row[12] = 1.0 if state.phase == duet.FORESTING else 0.0  # a token is still to be placed
    row[13] = state.tokens
    if state.number == 2:  # the last round comes, and winning it earns less
        row[14] = 1.0
        row[15] = left
    row[16] = left * left / 10
    row[17] = 1.0 if row[11] == 0 else 0.0  # the tracker stands at an end
    return row
