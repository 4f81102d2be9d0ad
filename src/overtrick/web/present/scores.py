"""The score sheet of Luz: points by deal and seat, totals, the winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.web.present.cards import Scene
from overtrick.web.present.luz_news import signed

if TYPE_CHECKING:
    from overtrick.web.present.luz import LuzTable

DEALS = 4  # L-5


def score_sheet(at: LuzTable) -> Scene:
    """Return the sheet: a column for each seat in turn order from the viewer, a row for each of the four deals."""
    seen, people, tongue = at.seen, at.people, at.tongue
    order = people.clockwise()
    rows = []
    for deal in range(DEALS):
        scored = seen["by_deal"][deal] if deal < len(seen["by_deal"]) else None
        cells = [_cell(scored[seat]) if scored else None for seat in order]
        rows.append({"label": tongue.gettext("Deal %(deal)s", deal=deal + 1), "cells": cells})
    return {
        "columns": [{**people.tag(seat), "won": seat in at.winners} for seat in order],
        "rows": rows,
        "scored": bool(seen["by_deal"]),
        "totals": [_cell(seen["scores"][seat]) for seat in order],
    }


def _cell(points: int) -> Scene:
    return {"text": signed(points), "lost": points < 0}
