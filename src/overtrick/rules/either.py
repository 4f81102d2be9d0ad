"""The verbs of both games under one name each, chosen by the dtype of the state: for batches and replays.

The bodies of the verbs below are never run; they give each verb its name, signature and meaning.
"""

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


def _base(state: Any) -> int:
    """Return the action that bit 0 of `legal` stands for."""
    raise NotImplementedError


def _legal(state: Any) -> int:
    """Return the legal actions as bits above `base`; 0 when nobody is to act."""
    raise NotImplementedError


def _apply(state: Any, action: int) -> None:
    """Play a legal action."""
    raise NotImplementedError


def _deal(state: Any, owner: Any, decree: int) -> None:
    """Begin the next deal or round with the seat that holds each card; Luz has no use for `decree`."""
    raise NotImplementedError


def _random_deal(state: Any, rng: Any, owner: Any) -> None:
    """Begin the next deal or round at random; `owner`, int8 with a place for each card, is scratch room."""
    raise NotImplementedError


def _over(state: Any) -> bool:
    """Return whether the game has ended."""
    raise NotImplementedError


def _score(state: Any, seat: int) -> int:
    """Return the seat's points (Duet: the team's)."""
    raise NotImplementedError


def _observe(state: Any, seat: int, seen: Any) -> None:
    """Write what the seat may know (-1: the public) into a zeroed observation."""
    raise NotImplementedError


_LUZ, _DUET = luz.STATE, duet.STATE

base = by_state(
    _base, {_LUZ: luz.base, _DUET: duet.base, luz.OBSERVATION: luz.base, duet.OBSERVATION: duet.base}
)
legal = by_state(_legal, {_LUZ: luz.legal, _DUET: duet.legal})
apply = by_state(_apply, {_LUZ: luz.apply, _DUET: duet.apply})
deal = by_state(_deal, {_LUZ: _luz_deal, _DUET: duet.deal})
random_deal = by_state(_random_deal, {_LUZ: _luz_random_deal, _DUET: _duet_random_deal})
over = by_state(_over, {_LUZ: luz.over, _DUET: duet.over})
score = by_state(_score, {_LUZ: luz.score, _DUET: duet.score})
observe = by_state(_observe, {_LUZ: luz.observe, _DUET: duet.observe})
