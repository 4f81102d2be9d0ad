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
from overtrick.search.subsets import WAYS

ALL = (1 << duet.CARDS) - 1
"""Every card, as bits."""


@kernel
def unseen_by(state: Any, seat: int) -> int:
    """Return the cards that may be in the partner's hand beside those known to be, as bits.

    Not those that the seat holds or has seen played, nor the decree, nor any of a suit that the partner could not
    follow (D-8); a 9 led tells nothing (D-19). `state`: a STATE, or the OBSERVATION of that seat.
    """
    partner = 1 - seat
    seen = int(state.hand[seat]) | int(state.played) | 1 << int(state.decree) | int(state.known[partner])
    unseen = ALL & ~seen
    void = int(state.void[partner])
    if void:
        for suit in range(duet.SUITS):
            if void >> suit & 1:
                unseen &= ~duet.suit_cards(suit)
    return unseen


@kernel
def share_of(hand_size: int, known: int, unseen: int) -> float:
    """Return how likely any one of the `unseen` cards is in a hand of that size which surely holds `known`."""
    return (hand_size - count(known)) / max(count(unseen), 1)


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
    partner = 1 - int(seen.seat)
    known, unseen = int(seen.known[partner]), may_hold(seen)
    share = share_of(int(seen.hand_size[partner]), known, unseen)
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
