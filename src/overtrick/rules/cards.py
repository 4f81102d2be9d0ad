"""Cards as ints and as text, for a deck of some suits with the same ranks in each.

A card is `suit * ranks + (rank - 1)`, so that ints sort as people sort a hand: by suit, then by rank. Its text is
the suit's letter and the rank: `Y10`, `D3` (RECORD.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from overtrick._cached import cached_property


@dataclass(frozen=True)
class Deck:
    """A deck: one letter a suit, in sorting order, and the number of ranks in each suit."""

    suits: str
    ranks: int

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(self.suits) * self.ranks

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The text of every card, by its int."""
        return tuple(f"{suit}{rank}" for suit in self.suits for rank in range(1, self.ranks + 1))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The int of every card, by its text: the inverse of `names`."""
        return {name: card for card, name in enumerate(self.names)}


LUZ_DECK = Deck("RYGBP", 12)
"""L-1: five colours, each numbered 1..12."""

DUET_DECK = Deck("DRS", 10)
"""D-1: three suits, ranks 1..10."""
