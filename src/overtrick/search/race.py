"""The race of a seat's actions: what each has come to, who drops out, and who leads.

Every action in the race is tried in the same worlds with the same chances, so that luck cancels out of their
differences; an action that is worse beyond doubt drops out (O. Maron and A. Moore, "The racing algorithm", Artificial
Intelligence Review 11, 1997).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules.bits import lowest

CHOICES = 32
"""The most actions at one moment: bits above `zero`."""
ROUND = 16
"""Worlds between two looks at who drops out of the race."""

RACE = np.dtype([
    ("seat", np.int8),
    ("zero", np.int16),  # the action that bit 0 stands for
    ("alive", np.int64),  # actions still in the race, as bits above `zero`
    ("worlds", np.int64),  # tried with every action alive
    ("next", np.int64),  # world of the bank to take next
    ("nodes", np.int64),  # playouts made
    ("ways", np.int64),  # worlds that agree with the observation
    ("solved", np.int8),  # 1: every one of them was gone through
    ("runners", np.int64),  # actions that left the race undefeated, by the same worlds as the best, as bits
    ("pondered", np.int8),
    ("shown", np.int8),  # 1: the bank holds the truth, and nothing is drawn
    ("depth", np.int8),  # of the tree, in own decisions after the first; 0: flat
    ("bank", np.int32),  # worlds drawn at once
    ("bias", np.float64),  # weight of the confidence bound in the tree
    ("doubt", np.float64),  # standard errors of a difference beyond which an action drops out
    ("enough", np.float64),  # a difference too small to think on
    ("least", np.int64),  # worlds before the first may drop out
    ("total", np.float64, CHOICES),  # of the values of each action
    ("together", np.float64, (CHOICES, CHOICES)),  # of their products, world by world
    ("kept", np.int64, CHOICES),  # worlds in which the seat did what it had promised
])  # fmt: skip
"""How a search stands, and how it was asked to run."""


@kernel
def drop_the_beaten(race: Any) -> None:
    """Take out of the race what is worse than the best beyond doubt, or surely too little better to matter."""
    n = float(race.worlds)
    best = leader_of(race)
    others = int(race.alive) & ~(1 << best)
    close = True
    while others:
        a = lowest(others)
        others &= others - 1
        behind = (race.total[best] - race.total[a]) / n
        square = (race.together[best, best] + race.together[a, a] - 2 * race.together[best, a]) / n
        error = error_of(behind, square, n)
        if behind > race.doubt * error:
            race.alive = int(race.alive) & ~(1 << a)
        elif behind + race.doubt * error > race.enough:
            close = False
    if close:
        race.runners = int(race.alive) & ~(1 << best)
        race.alive = 1 << best


@kernel
def error_of(mean: float, square: float, n: float) -> float:
    """Return the standard error of a mean over n worlds, `square` the mean of squares, and what so few may not show."""
    return math.sqrt(max(square - mean * mean, 0.0) / n) + 0.25 / n


@kernel
def leader(races: Any) -> int:
    """Return the bit of the best action alive; of equals the first. `races`: an array of one."""
    return leader_of(races[0])


@kernel
def leader_of(race: Any) -> int:
    """Return the bit of the best action alive, for other kernels."""
    left = int(race.alive)
    best = lowest(left)
    while left:
        a = lowest(left)
        left &= left - 1
        if race.total[a] > race.total[best]:
            best = a
    return best
