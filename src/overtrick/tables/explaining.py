"""What bots said of their moves: all of it once the game is over, and next to nothing before.

A reason is made from what its seat knows: in Luz everybody else's cards, in Duet the own hand. While a game goes on
only reasons that follow from the rules and from what lies open on the table may be shown, and only where the table
wants it. They are listed here; what is not listed stays hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from overtrick.bots import Reason
from overtrick.bots.bot import ONLY_CARD
from overtrick.errors import N_
from overtrick.tables.events import Moved
from overtrick.tables.table import Table

HARMLESS = frozenset(
    {
        # In Luz the colours of all hands lie open (L-1, L-9), and so does who must follow with what.
        ("luz", "play", ONLY_CARD),
        # In Duet a bot gives one and the same reason for each way and for each end that it chooses.
        ("duet", "move", N_("Of the spaces that we can reach, this one serves us best.")),
        ("duet", "forest", N_("We need the room least at this end.")),
    }
)
"""Sentences that tell nothing but what everybody may know: game, kind of move, sentence; none has parameters.

What a search found is never among them: how many ways the cards may lie, how soon one move was clearly the best, and
which other one was close, all depend on cards that others do not see. A searching bot says one of these beside what it
found if a rule of thumb agrees with its move; in these cases that follows from the table and the move alone.
"""


@dataclass(frozen=True, slots=True)
class Told:
    """One move of a game that is over, and the bot's reason for it.

    `deal`: the deal or round, from 1; `move`: in record notation; `why`: None for a person's.
    """

    deal: int
    seat: int
    move: str
    why: Reason | None


@dataclass(frozen=True, slots=True)
class Said:
    """Why the bot of a seat made the last move, told while the game goes on."""

    seat: int
    why: Reason

    def to_json(self) -> dict[str, Any]:
        """The same as JSON, in English."""
        return {"seat": self.seat, "sentence": str(self.why)}


def said(table: Table) -> Said | None:
    """Return the reason for the last move, if the table wants it shown and it gives nothing away."""
    if not table.explain or table.status != "playing" or not table.moves:
        return None
    last = table.moves[-1]
    why = reason_of(last)
    kind = last.said.partition(":")[0]
    for sentence in () if why is None else why.sentences:
        if sentence == Reason(sentence.msgid) and (table.game_name, kind, sentence.msgid) in HARMLESS:
            return Said(last.seat, sentence)
    return None


def told(table: Table) -> tuple[Told, ...]:
    """Return every move with its reason, once the game is over; () before."""
    if table.status != "over":
        return ()
    return tuple(
        Told(sum(begun <= ply for begun in table.dealt_at), moved.seat, moved.move, reason_of(moved))
        for ply, moved in enumerate(table.moves)
    )


def reason_of(moved: Moved) -> Reason | None:
    """Return the reason that a move's event holds; None for a person's move, or an old bot's."""
    return None if moved.why is None else Reason.from_json(moved.why)
