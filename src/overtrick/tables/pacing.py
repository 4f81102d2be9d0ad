"""How long a bot's move takes at least: as the table chose, and hardly any time when no person has a choice left.

Only what everybody may know goes in, so that waiting tells nobody anything.
"""

from __future__ import annotations

from math import ceil

from overtrick.tables.table import Table

PACES = {"unhurried": 2.5, "normal": 1.0, "fast": 0.5}
"""Each pace that a table may have, in the server's own units (its setting `pace`)."""
FORWARD = 0.2
"""The same, when no person has a choice left in this deal or round."""


def least_time(table: Table, unit: float) -> float:
    """Return the seconds that the next move of a bot takes at least; `unit`: the server's setting, in seconds."""
    return unit * (FORWARD if nobody_chooses(table) else PACES.get(table.pace, 1.0))


def still_to_wait(taken: float, least: float) -> float:
    """Return the seconds until a move that has taken so many may be made: after `least`, or a whole multiple of it.

    A thought that came late then says no more than that: not by how much.
    """
    return max(1, ceil(taken / least)) * least - taken if least > 0 else 0.0


def nobody_chooses(table: Table) -> bool:
    """Return whether persons sit here and whatever they are still asked in this deal or round is forced.

    In Luz that is so with one card left at most. In Duet the winner of a trick may have to choose the way, so it is so
    only once the cards are gone. Where only bots play there is nobody to hurry for.
    """
    persons, public = table.seats.playing_persons, table.public_view
    if public is None or not persons:
        return False
    seen = public.observation[0]
    if table.game_name == "luz":
        return public.phase == "play" and all(int(seen["held"][seat]).bit_count() <= 1 for seat in persons)
    return public.phase in {"move", "forest"} and not any(seen["hand_size"][seat] for seat in persons)
