"""Random numbers in kernels: the state is an argument, so that everything random repeats from its seed.

Marsaglia's 64-bit xorshift (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003), of
which the high 32 bits are used. It is for search, benchmarks and tests; the cards of a live table come from the
operating system's randomness and never from here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick._jit import kernel

Rng = NDArray[np.uint64]
"""The state of a generator: one `uint64`, never 0, in an array of length 1."""

_MASK = (1 << 64) - 1
_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)
_0, _1, _27, _30, _31 = np.uint64(0), np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def seeded(seed: int) -> Rng:
    """Return a generator for `seed` (any int); near seeds give unrelated sequences (splitmix64's finisher)."""
    z = (seed * 0x9E3779B97F4A7C15 + 0x1D8E4E27C47D124F) & _MASK
    z = ((z ^ (z >> 30)) * int(_FIRST)) & _MASK
    z = ((z ^ (z >> 27)) * int(_SECOND)) & _MASK
    return np.array([(z ^ (z >> 31)) or 1], dtype=np.uint64)


@kernel
def below(rng: Any, n: int) -> Any:
    """Return a random int in 0..n-1 and advance `rng`; n is 1..2**31, its bias under n / 2**32."""
    x = rng[0]
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    rng[0] = x
    return (np.int64(x >> _32) * n) >> 32


@kernel
def branch(rng: Any) -> Any:
    """Return the state of a generator whose sequence is unrelated to that of `rng`, and advance `rng`."""
    below(rng, 2)
    z = rng[0]
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    z ^= z >> _31
    return z if z != _0 else _1


@kernel
def shuffle_first(rng: Any, items: Any, k: int) -> None:
    """Put a random ordered choice of `k` of the `items` (a 1-d array) into its first `k` places."""
    n = len(items)
    for i in range(k):
        j = i + below(rng, n - i)
        items[i], items[j] = items[j], items[i]
