"""Sets of small integers as the bits of one int: bit `i` set means that `i` is in the set.

Sets hold members 0..31, so that every step below stays under 2**63 and means the same with the compiler off.
"""

from __future__ import annotations

from overtrick._jit import kernel


@kernel
def count(bits: int) -> int:
    """Return how many members the set has (0..32)."""
    x = bits - ((bits >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) & 0xFFFFFFFF) >> 24


@kernel
def lowest(bits: int) -> int:
    """Return the smallest member of a set that is not empty."""
    return count((bits & -bits) - 1)


@kernel
def nth(bits: int, n: int) -> int:
    """Return the member with `n` smaller ones before it; the set has more than `n` members."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)
