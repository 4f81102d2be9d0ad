"""What a Duet seat can tell from its view: the path, its own hand, and hands that its partner may hold."""

from __future__ import annotations

from random import Random
from typing import Any

from overtrick._cached import cached_property
from overtrick.games import View
from overtrick.rules import duet
from overtrick.search.duet_deduce import may_hold


def cards_of(bits: int) -> list[int]:
    """Return the cards of a set, ascending."""
    return [card for card in range(duet.CARDS) if bits >> card & 1]


class Sight:
    """One seat's view of a Duet round, read for thinking about: cards are ints, 0..29."""

    def __init__(self, view: View) -> None:
        seen: Any = view.observation[0]
        self.seat = int(seen["seat"])
        self.partner = 1 - self.seat
        self.phase = int(seen["phase"])
        self.leader = int(seen["leader"])
        self.decree = int(seen["decree"])
        self.trick: list[int] = seen["trick"].tolist()[: int(seen["laid"])]
        """The cards on the table, in the order played."""
        self.hand = cards_of(int(seen["hand"][self.seat]))
        self.first = int(seen["low"])
        self.last = int(seen["spaces"]) - 1 - int(seen["high"])
        """The uncovered spaces are those from `first` to `last`."""
        self.start = int(seen["start"])
        self.tracker = int(seen["tracker"])
        self.tokens = int(seen["tokens"])
        self.gems: list[int] = seen["gems"].tolist()
        self._seen = seen

    @cached_property
    def known(self) -> list[int]:
        """The cards that the partner is known to hold."""
        return cards_of(int(self._seen["known"][self.partner]))

    @cached_property
    def unseen(self) -> list[int]:
        """The cards that the partner may hold besides: seen nowhere, and not of a suit that it could not follow."""
        return cards_of(int(may_hold(self._seen)))

    def partner_hands(self, rng: Random, number: int) -> list[list[int]]:
        """Return hands that the partner may hold, each drawn evenly from all that agree with what is known."""
        wanted = int(self._seen["hand_size"][self.partner]) - len(self.known)
        return [self.known + rng.sample(self.unseen, wanted) for _ in range(number)]


def followers(hand: list[int], lead: int) -> list[int]:
    """Return the cards of a hand that may answer the card led (D-8, D-19)."""
    if duet.rank(lead) == duet.HEIR:
        return hand
    return [card for card in hand if card // duet.RANKS == lead // duet.RANKS] or hand
