"""The subsets of a small set of bits, numbered, so that all worlds can be gone through one by one."""

from __future__ import annotations

from math import comb

import numpy as np

from overtrick._jit import kernel
from overtrick.rules.bits import count

MOST = 31
WAYS = np.array([[comb(m, k) for k in range(MOST)] for m in range(MOST)], np.int64)
"""WAYS[m, k]: how many subsets of `k` a set of `m` has, both 0..30."""


@kernel
def nth_subset(members: int, k: int, n: int) -> int:
    """Return the subset number `n` of those with `k` of the members; n is 0..WAYS[m, k] - 1."""
    left = count(members)
    chosen = 0
    while k > 0:
        bit = members & -members
        members ^= bit
        left -= 1
        with_it = int(WAYS[left, k - 1])
        if n < with_it:
            chosen |= bit
            k -= 1
        else:
            n -= with_it
    return chosen
