"""What a Luz seat can tell from its view: the cards that it sees, and what its own places may hold.

Own cards lie sorted (L-7): within a colour the places ascend in value, and a place whose card has been played
splits the colour into runs. The unseen cards of a run's interval are all equally likely to be the run's, so the
i-th place of a run of k holds the j-th of the m unseen cards with probability C(j-1, i-1) C(m-j, k-i) / C(m, k).
Colours do not depend on each other. What the others' bets and plays give away is not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

from overtrick.games import View
from overtrick.rules import luz
from overtrick.rules.tricks import beats


class OwnCard(NamedTuple):
    """A card of the own hand: its place 0..9, its suit, and the odds of each card that it may be."""

    place: int
    suit: int
    odds: tuple[tuple[int, float], ...]


class Sight:
    """One seat's view of a Luz deal, read for thinking about: cards are ints, 0..59, places 0..9."""

    def __init__(self, view: View) -> None:
        seen: Any = view.observation[0]
        self.seat = int(seen["seat"])
        self.players = int(seen["players"])
        self.deal = int(seen["deal"])
        self.beads = int(seen["bets"][self.seat])
        self.safety = int(seen["safety"][self.seat])
        self.won = int(seen["tricks"][self.seat])
        self.trick: list[int] = seen["trick"].tolist()[: int(seen["laid"])]
        """The cards on the table, in the order played."""
        self._hand: list[list[int]] = seen["hand"].tolist()
        self._held: list[int] = seen["held"].tolist()
        self._places: list[int] = seen["places"].tolist()[self.seat]

    @cached_property
    def hands(self) -> dict[int, list[int]]:
        """The cards that each of the others still holds."""
        others = (other for other in range(self.players) if other != self.seat)
        return {other: [self._hand[other][place] for place in _bits(self._held[other])] for other in others}

    @property
    def yet_to_play(self) -> list[int]:
        """The seats that play to this trick after the own one."""
        return [(self.seat + i) % self.players for i in range(1, self.players - len(self.trick))]

    @cached_property
    def best(self) -> int | None:
        """The card that wins the trick so far."""
        best = None
        for card in self.trick:
            if best is None or beats(card, best, luz.RANKS, luz.TRUMP):
                best = card
        return best

    @cached_property
    def own(self) -> list[OwnCard]:
        """The own cards still held, in the order of their places."""
        return [card for suit in range(luz.SUITS) for card in self._of_suit(suit)]

    def _of_suit(self, suit: int) -> Iterator[OwnCard]:
        """Yield the held cards of one colour, run by run between those that were revealed."""
        first = suit * luz.RANKS
        visible = {card for hand in self._hand[: self.players] for card in hand}
        unseen = [c for c in range(first, first + luz.values_in_use(self.players)) if c not in visible]
        run: list[int] = []
        floor = first - 1
        for place in _bits(self._places[suit]):
            card = self._hand[self.seat][place]
            if card == luz.NONE:
                run.append(place)
            else:
                yield from _spread(suit, run, [c for c in unseen if floor < c < card])
                run, floor = [], card
        yield from _spread(suit, run, [c for c in unseen if c > floor])


def _bits(places: int) -> Iterable[int]:
    return (place for place in range(luz.HAND) if places >> place & 1)


def _spread(suit: int, run: Sequence[int], cards: Sequence[int]) -> Iterator[OwnCard]:
    """Yield a run of places with the odds of what each holds, given the unseen cards of its interval."""
    k, m = len(run), len(cards)
    for i, place in enumerate(run):
        chances = (comb(j, i) * comb(m - 1 - j, k - 1 - i) / comb(m, k) for j in range(i, m - k + i + 1))
        yield OwnCard(place, suit, tuple(zip(cards[i:], chances, strict=False)))
