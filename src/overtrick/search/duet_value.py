"""What a Duet round that is over is worth: the final score to be expected, as a share of the most there is."""

from __future__ import annotations

from typing import Any

from overtrick._jit import kernel
from overtrick.rules import duet, path

MOST = 39.0
"""The highest score of level 1; 10 more for each level above."""
ROOM = 0.1
"""Points for each space between the tracker and the nearer end: little, but it tells where a forest token goes."""


@kernel
def worth(state: Any, seat: int) -> float:
    """Return the worth of a settled state, the same for both seats; 0 to 1."""
    most = MOST + 10.0 * (int(state.level) - 1)
    if state.phase == duet.OVER:
        return duet.score(state, seat) / most
    return _expected(state) / most


@kernel
def _expected(state: Any) -> float:
    points = 10.0 * int(state.level) + 3.0 * int(state.tokens)
    if state.number + 1 < duet.ROUNDS:
        points += 10.0
    tracker = int(state.tracker)
    room = ROOM * min(tracker - int(state.low), path.last_space(state) - tracker)
    return max(points + 10.0 - 2.0 * (int(state.gems_left) - 5), 0.5 * points) + room
