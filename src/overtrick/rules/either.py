"""The verbs of both games under one name each, chosen by the dtype of the state: for search, batches and replays."""

from __future__ import annotations

from typing import Any

from overtrick._jit import by_state
from overtrick.rules import duet, luz


def _base(state: Any) -> int:
    """Return the action that bit 0 of `legal` stands for."""
    raise NotImplementedError


def _legal(state: Any) -> int:
    """Return the legal actions as bits above `base`; 0 when nobody is to act."""
    raise NotImplementedError


base = by_state(_base, {luz.STATE: luz.base, duet.STATE: duet.base})
legal = by_state(_legal, {luz.STATE: luz.legal, duet.STATE: duet.legal})
