"""The hands of Luz as a view shows them: of every card its place and what is known of it, as JSON text.

Every look of every viewer holds all of them, so they are put together from ready pieces, and by a kernel.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from overtrick.games import kernels
from overtrick.rules import luz as rules
from overtrick.rules.cards import LUZ_DECK

_KNOWN = [*({"card": name} for name in LUZ_DECK.names), *({"suit": suit} for suit in LUZ_DECK.suits)]
_PIECES = [
    [json.dumps({"place": place + 1} | known, separators=(",", ":")).encode() for known in _KNOWN]
    for place in range(rules.HAND)
]
"""What a view says of each card, and then of a card of each suit whose value is not known, at each place."""
_SIZES = np.array([[len(piece) for piece in pieces] for pieces in _PIECES])
_LONGEST = int(_SIZES.max())
_TEXTS = np.array([[list(piece.ljust(_LONGEST)) for piece in pieces] for pieces in _PIECES], dtype=np.uint8)
_MOST = 2 * rules.MAX_PLAYERS * (rules.HAND * (_LONGEST + 1) + 3)
"""Bytes that all hands take at most."""


def hands_texts(observations: Any) -> list[tuple[str, str]]:
    """Return, of each of several observations, the cards held of each hand and those played, as JSON; places from 1."""
    written = np.empty(len(observations) * _MOST, np.uint8)
    ends = np.empty((len(observations), 2), np.int64)
    kernels.luz_hands_texts(observations, _TEXTS, _SIZES, written, ends)
    text = written[: ends[-1, 1]].tobytes().decode("ascii")
    begins = 0
    texts = []
    for middle, end in ends.tolist():
        texts.append((text[begins:middle], text[middle:end]))
        begins = end
    return texts
