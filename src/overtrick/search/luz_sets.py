"""Sets of Luz values of one colour as the low 12 bits of an int, and what order alone says about a sorted run.

Own cards lie sorted (L-7): the i-th of `k` places whose values are some `k` of `m` unseen ones, all subsets equally
likely, holds the j-th of the `m` with probability C(j-1, i-1) C(m-j, k-i) / C(m, k).
"""

from __future__ import annotations

from math import comb

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz

ALL = (1 << luz.RANKS) - 1


def _chance(i: int, k: int, j: int, m: int) -> float:
    """Return the chance that place `i` of `k` holds the `j`-th lowest of `m` values, all counted from 0."""
    if not 0 <= j - i <= m - k:
        return 0.0
    return comb(j, i) * comb(m - 1 - j, k - 1 - i) / comb(m, k)


def _tables() -> tuple[np.ndarray, np.ndarray]:
    hand, ranks = luz.HAND, luz.RANKS
    odds = np.zeros((hand * hand, ranks + 1, ranks))
    for k in range(1, hand + 1):
        for i in range(k):
            for m in range(k, ranks + 1):
                odds[spot(k, i), m] = [_chance(i, k, j, m) for j in range(ranks)]
    middle = np.zeros((hand * hand, ranks + 1), np.int8)
    for s in range(hand * hand):
        for m in range(ranks + 1):
            middle[s, m] = round(float(odds[s, m] @ np.arange(ranks)))
    return odds, middle


@kernel
def spot(k: int, i: int) -> int:
    """Return the number, 0..99, of place `i` (0..k-1) in a run of `k` (1..10)."""
    return (k - 1) * luz.HAND + i


SIZE = np.array([bits.bit_count() for bits in range(ALL + 1)], np.int8)
"""How many values each set has."""
ODDS, MIDDLE = _tables()
"""ODDS[spot, m, j]: the chance that the place holds the j-th (from 0) of `m` unseen values; MIDDLE[spot, m]: the
expected j, rounded."""
ABOVE = np.concatenate(
    [ODDS[:, :, ::-1].cumsum(axis=2)[:, :, ::-1], np.zeros((luz.HAND**2, luz.RANKS + 1, 1))], 2
)
ABOVE = np.ascontiguousarray(ABOVE, dtype=np.float32)
"""ABOVE[spot, m, j]: the chance that it holds the j-th or a higher one; 0 for j = 12."""


@kernel
def size(values: int) -> int:
    """Return how many values are in the set."""
    return int(SIZE[values])


@kernel
def over(value: int) -> int:
    """Return the set of all values above `value`, which is -1..11."""
    return ALL & (-1 << (value + 1))


@kernel
def nth(values: int, n: int) -> int:
    """Return the member with `n` lower ones; the set has more than `n`."""
    for _ in range(n):
        values &= values - 1
    return int(SIZE[(values & -values) - 1])
