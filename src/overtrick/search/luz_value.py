"""What the end of a Luz deal is worth: behind in deal 4 is not ahead in deal 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.search.luz_weights import SPREADS

POINTS = 0.25
"""How much of the worth is the own bet of this deal, whatever it does to the game."""
SCALE = np.array(SPREADS)
"""By deals played (1..4): points that make one seat e times as likely to win as another in the end."""


@kernel
def worth(state: Any, seat: int) -> float:
    """Return what the end of a deal is worth to a seat, 0..1: its chance to win the game from these points."""
    won = 0.0
    if state.phase == luz.OVER:
        won = 1.0 if luz.winner(state) == seat else 0.0
    else:
        scale = SCALE[int(state.deal)]
        total = 0.0
        for other in range(int(state.players)):
            total += np.exp((float(state.scores[other]) - float(state.scores[seat])) / scale)
        won = 1.0 / total
    points = float(state.by_deal[int(state.deal) - 1, seat]) / (10.0 * float(state.deal))
    return (1 - POINTS) * won + POINTS * min(max(0.5 + 0.5 * points, 0.0), 1.0)
