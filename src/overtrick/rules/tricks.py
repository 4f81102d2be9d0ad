"""What both games share about tricks: which cards may follow, and which card wins."""

from __future__ import annotations

from overtrick._jit import kernel


@kernel
def may_follow(held: int, of_suit_led: int) -> int:
    """Return the cards of the hand that may follow: those of the suit led, or all if there are none.

    Both are sets (bits); the second is every place or card of the suit led (L-16, D-8).
    """
    following = held & of_suit_led
    return following if following else held


@kernel
def beats(challenger: int, best: int, ranks: int, trump: int) -> bool:
    """Return whether a later card beats the best one so far: a higher one of its suit, or a trump on a plain one.

    Cards are `suit * ranks + rank - 1`, `trump` is a suit (L-18, D-9). A plain card of a suit other than the best
    card's never wins: the best card is always of the suit led or a trump.
    """
    suit = challenger // ranks
    if suit == best // ranks:
        return challenger > best
    return suit == trump
