"""The path of The Fox in the Forest Duet: the team's steps, the gems on its spaces, the forest that closes in.

Spaces are counted from 0, at seat 0's end, to `spaces - 1`, at seat 1's. Kernels take a state of `rules.duet`.
Settled here: where the supply of gems runs short (D-21a), spaces get theirs by distance from the start space, and of
two equally far the one nearer seat 0's end first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel

GEM_TOKENS = 22  # D-5
MAX_SPACES = 15

GOING_ON, WON, LOST = 0, 1, 2
"""What a step comes to."""

BOARD = np.dtype([
    ("spaces", np.int8),
    ("start", np.int8),
    ("tokens", np.int8),  # forest tokens in the supply
    ("plus", np.int64),  # spaces with a "+" mark, as bits
    ("gems", np.int8, MAX_SPACES),
])  # fmt: skip
"""A board as `lay_out` takes it (D-3, D-4)."""


@kernel
def lay_out(state: Any, board: Any) -> None:
    """Set a board up in a zeroed state (D-3 to D-5); `board` is one element of BOARD."""
    state.spaces = board.spaces
    state.start = board.start
    state.tracker = board.start
    state.tokens = board.tokens
    state.plus = board.plus
    for space in range(int(board.spaces)):
        state.gems[space] = board.gems[space]
        state.gems_left += board.gems[space]


@kernel
def last_space(state: Any) -> int:
    """Return the last uncovered space at seat 1's end; at seat 0's it is `state.low`."""
    return int(state.spaces) - 1 - int(state.high)


@kernel
def walk(state: Any, space: int) -> int:
    """Step to `space`, which may lie beyond the path, and take a gem; return GOING_ON, WON or LOST."""
    if space < state.low or space > last_space(state):  # D-11
        state.last_ran_off = 1
        state.tracker = state.start
        if state.tokens == 0:
            return LOST
        cover(state, low=space < state.low)
        return GOING_ON
    state.tracker = space
    if state.gems[space] > 0:  # D-13
        state.last_gem = 1
        state.gems[space] -= 1
        state.gems_left -= 1
        if state.gems_left == 0:
            return WON  # D-22
    return GOING_ON


@kernel
def cover(state: Any, low: bool) -> None:
    """Put a forest token on the last uncovered space of an end; its gems move toward the centre (D-12)."""
    state.tokens -= 1
    if low:
        covered, inner = int(state.low), int(state.low) + 1
        state.low += 1
    else:
        covered, inner = last_space(state), last_space(state) - 1
        state.high += 1
    state.gems[inner] += state.gems[covered]
    state.gems[covered] = 0


@kernel
def add_gems(state: Any) -> None:
    """Put one gem on each "+" space, from the start outward while the supply lasts (D-21a)."""
    first, last = int(state.low), last_space(state)
    for distance in range(int(state.spaces)):
        for side in range(1 if distance == 0 else 2):
            space = int(state.start) + (distance if side == 1 else -distance)
            marked = 0 <= space < state.spaces and int(state.plus) >> space & 1 == 1
            if marked and state.gems_left < GEM_TOKENS:
                state.gems[min(max(space, first), last)] += 1
                state.gems_left += 1
