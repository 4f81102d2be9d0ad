"""What can be told of the partner's hand in Duet by counting alone.

Whatever the seat has not seen is either in the partner's hand or in the draw pile, and of all ways to deal it that
agree with what was seen none is likelier than another. So every card that the partner may hold is held with the same
chance. (What the partner *chose* tells more; that is for the search to weigh.)
"""

from __future__ import annotations

from typing import Any

from overtrick._jit import kernel
from overtrick.rules import duet
from overtrick.rules.bits import count
from overtrick.search.duet_policy import unseen_by
from overtrick.search.subsets import WAYS


@kernel
def may_hold(seen: Any) -> int:
    """Return the cards that the partner of `seen.seat` may hold beside those in `known`, as bits."""
    return unseen_by(seen, int(seen.seat))


@kernel
def to_find(seen: Any) -> int:
    """Return how many of those cards the partner holds."""
    return int(seen.hand_size[1 - int(seen.seat)]) - count(int(seen.known[1 - int(seen.seat)]))


@kernel
def odds(seen: Any, chances: Any) -> None:
    """Write into chances, float64[CARDS], how likely the partner holds each card.

    seen: one OBSERVATION of a seat, during a round.
    """
    unseen = may_hold(seen)
    share = to_find(seen) / max(count(unseen), 1)
    known = int(seen.known[1 - int(seen.seat)])
    for card in range(duet.CARDS):
        chances[card] = 1.0 if known >> card & 1 else share if unseen >> card & 1 else 0.0


@kernel
def count_worlds(seen: Any) -> int:
    """Return in how many ways the hidden cards may lie.

    A gift that the partner has chosen unseen (D-18) may be any card of its hand, so it multiplies the ways.
    """
    ways = int(WAYS[count(may_hold(seen)), to_find(seen)])
    return ways * int(seen.hand_size[1 - int(seen.seat)]) if gift_hidden(seen) else ways


@kernel
def gift_hidden(seen: Any) -> bool:
    """Return whether the partner has chosen a gift that the seat has not seen (D-18)."""
    partner = 1 - int(seen.seat)
    return bool(seen.given[partner] == 1 and seen.gift[partner] == duet.NONE)
