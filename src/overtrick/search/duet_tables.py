"""What two cards on Duet's table can do to the tracker, looked up instead of worked out.

The sets of displacements that tricks allow are few; each has a number, its kind. What every kind is worth from where
the tracker stands is then worked out once a trick, and a trick's worth is one look into a table.
"""

from __future__ import annotations

import numpy as np

from overtrick.rules import duet


def _tables() -> tuple[np.ndarray, np.ndarray]:
    kinds: dict[int, int] = {}
    of = np.zeros((duet.SUITS, 2, duet.CARDS, duet.CARDS), np.int8)
    for trump in range(duet.SUITS):
        for leader in range(2):
            for lead in range(duet.CARDS):
                for second in range(duet.CARDS):
                    winner = duet.winner_of(leader, lead, second, trump)
                    moves = duet.displacements(lead, second, winner)
                    of[trump, leader, lead, second] = kinds.setdefault(moves, len(kinds))
    return of, np.array(list(kinds), np.int64)


KIND, MOVES = _tables()
"""KIND[trump, leader, lead, second]: the kind of a trick; MOVES[kind]: its displacements, as `duet.displacements`."""

KINDS = len(MOVES)
