"""Where chance comes from: table ids, deals and the bots' seeds."""

from __future__ import annotations

import random
import secrets
from typing import Protocol

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 27


class Entropy(Protocol):
    """The chance that a house draws on; tests bring their own."""

    def table_id(self) -> str:
        """A fresh id that nobody can guess."""

    def rng(self) -> random.Random:
        """The source of deals, of the nonces that seal them, and of the first dealer."""

    def bot_seed(self) -> int:
        """A seed, 0..2**63-1, for one choice of a bot."""


class SystemEntropy:
    """The operating system's randomness; nothing of it can be foreseen or run again."""

    def __init__(self) -> None:
        self._rng = random.SystemRandom()

    def table_id(self) -> str:
        """Twenty-seven letters and digits that are not taken for each other: 132 bits, beyond guessing."""
        return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))

    def rng(self) -> random.Random:
        """The operating system's source; it keeps no state that could leak."""
        return self._rng

    def bot_seed(self) -> int:
        """63 fresh bits."""
        return secrets.randbits(63)
