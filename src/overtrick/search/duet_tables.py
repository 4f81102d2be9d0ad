"""What two cards on Duet's table can do to the tracker, looked up instead of worked out.

The sets of displacements that tricks allow are few; each has a number, its kind. What every kind is worth from where
the tracker stands is then worked out once a trick, and a trick's worth is one look into a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import duet


@kernel
def _fill(of: Any, moves: Any) -> int:
    """Write the two tables below; return how many kinds there are."""
    kinds = 0
    for trump in range(duet.SUITS):
        for leader in range(2):
            for lead in range(duet.CARDS):
                for second in range(duet.CARDS):
                    winner = duet.winner_of(leader, lead, second, trump)
                    moves[kinds] = duet.displacements(lead, second, winner)
                    kind = 0
                    while moves[kind] != moves[kinds]:
                        kind += 1
                    kinds = max(kinds, kind + 1)
                    of[trump, leader, lead, second] = kind
    return kinds


def _tables() -> tuple[np.ndarray, np.ndarray]:
    of = np.zeros((duet.SUITS, 2, duet.CARDS, duet.CARDS), np.int8)
    moves = np.zeros(128, np.int64)
    return of, moves[: _fill(of, moves)]


KIND, MOVES = _tables()
"""KIND[trump, leader, lead, second]: the kind of a trick; MOVES[kind]: its displacements, as `duet.displacements`."""

KINDS = len(MOVES)
