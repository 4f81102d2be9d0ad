"""The verbs of both games under one name each, chosen by the dtype of the state: for batches and replays."""

from __future__ import annotations

from typing import Any

from overtrick._jit import by_state, kernel
from overtrick.rules import duet, luz

WAITING = 0
"""The phase, in both games, in which the next deal or round is awaited."""


@kernel
def _luz_deal(state: Any, owner: Any, decree: int) -> None:
    luz.deal(state, owner)


@kernel
def _luz_random_deal(state: Any, rng: Any, owner: Any) -> None:
    luz.random_owner(owner, int(state.players), rng)
    luz.deal(state, owner)


@kernel
def _duet_random_deal(state: Any, rng: Any, owner: Any) -> None:
    decree = duet.random_owner(owner, rng)
    duet.deal(state, owner, decree)


_LUZ, _DUET = luz.STATE, duet.STATE

base = by_state(
    "base",
    "(state) -> int: the action that bit 0 of `legal` stands for.",
    {_LUZ: luz.base, _DUET: duet.base},
)
legal = by_state(
    "legal",
    "(state) -> int: the legal actions as bits above `base`; 0 when nobody is to act.",
    {_LUZ: luz.legal, _DUET: duet.legal},
)
apply = by_state(
    "apply",
    "(state, action): play a legal action.",
    {_LUZ: luz.apply, _DUET: duet.apply},
)
deal = by_state(
    "deal",
    "(state, owner, decree): begin the next deal or round with the seat that holds each card; Luz has no decree.",
    {_LUZ: _luz_deal, _DUET: duet.deal},
)
random_deal = by_state(
    "random_deal",
    "(state, rng, owner): begin the next deal or round at random; `owner`, int8 a card, is scratch room.",
    {_LUZ: _luz_random_deal, _DUET: _duet_random_deal},
)
over = by_state(
    "over",
    "(state) -> bool: whether the game has ended.",
    {_LUZ: luz.over, _DUET: duet.over},
)
score = by_state(
    "score",
    "(state, seat) -> int: the seat's points (Duet: the team's).",
    {_LUZ: luz.score, _DUET: duet.score},
)
observe = by_state(
    "observe",
    "(state, seat, seen): write what the seat may know (-1: the public) into a zeroed observation.",
    {_LUZ: luz.observe, _DUET: duet.observe},
)
