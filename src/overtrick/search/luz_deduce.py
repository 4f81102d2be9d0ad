"""What a Luz seat can be sure of, and how sure: exact odds of its own cards, counted and not sampled.

They follow from what the seat sees and from the order of its places alone (L-7, L-9), as `luz_worlds` draws worlds;
what the others' bets and plays suggest is not in them.
"""

from __future__ import annotations

from typing import Any

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.bits import lowest
from overtrick.search.luz_sets import ODDS, size, spot
from overtrick.search.luz_worlds import ponder


@kernel
def odds(seen: Any, know: Any, table: Any) -> None:
    """Write the chance that each own place, 0..9, holds each card into `table`, float64[10, 60].

    A row is all 0 where the card has been revealed. `know` is written on, by `ponder`.
    """
    ponder(seen, know)
    table[:, :] = 0.0
    for n in range(int(know.runs)):
        places, values = int(know.places[n]), int(know.values[n])
        first = int(know.suit[n]) * luz.RANKS
        k, m, i = size(places), size(values), 0
        while places:
            place = lowest(places)
            places &= places - 1
            at = spot(k, i)
            left, j = values, 0
            while left:
                table[place, first + lowest(left)] = ODDS[at, m, j]
                left &= left - 1
                j += 1
            i += 1


@kernel
def ranges(table: Any, lowest_card: Any, highest_card: Any) -> None:
    """Write the lowest and the highest card that each own place may hold into two int8[10]; NONE where revealed.

    `table`: what `odds` wrote.
    """
    for place in range(luz.HAND):
        lowest_card[place] = luz.NONE
        highest_card[place] = luz.NONE
        for card in range(luz.CARDS):
            if table[place, card] > 0:
                highest_card[place] = card
                if lowest_card[place] == luz.NONE:
                    lowest_card[place] = card
