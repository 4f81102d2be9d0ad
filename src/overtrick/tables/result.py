"""Who has won at a table: what the rules make of the cards, but for seats that had lost by time before the end.

The record's own `result` (RECORD.md) follows from the moves alone and knows nothing of clocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from overtrick.games import Position
from overtrick.games.outcome import DuetOutcome
from overtrick.tables.seats import PersonSeat

if TYPE_CHECKING:
    from overtrick.tables.table import Table

_NO_POINTS = -30_000
"""Fewer points than can be lost."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game that is over ended for its seats.

    `winners`: in Duet both seats or none; in Luz one, or none if nobody is left to win or the persons agreed to end
    the game. `forfeited`: the seats that lost by time, where the table has it so. `by_house`: the house has ended it.
    """

    winners: tuple[int, ...]
    forfeited: tuple[int, ...] = ()
    by_house: bool = False

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "winners": list(self.winners),
            "forfeited": list(self.forfeited),
            "by_house": self.by_house,
        }


def result_of(table: Table) -> Result | None:
    """The result of a table, None until its game is over."""
    if table.status != "over":
        return None
    if table.position is None or (table.closed and table.cut_short and not table.agreement.reached):
        return Result((), by_house=True)
    late = _forfeited(table)
    return Result(() if table.agreement.reached else winners(table.position, late), late)


def _forfeited(table: Table) -> tuple[int, ...]:
    if table.timing.flag != "forfeit":
        return ()
    return tuple(n for n, seat in enumerate(table.seats) if isinstance(seat, PersonSeat) and seat.flagged)


def winners(position: Position, forfeited: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The seats that have won a game played to its end, other than those that lost by time."""
    outcome = position.outcome()
    assert outcome is not None
    everybody = tuple(range(position.game.seats))
    if isinstance(outcome, DuetOutcome):
        return everybody if outcome.won else ()
    if set(forfeited) >= set(everybody):
        return ()
    return (_winner_without(position, forfeited),) if forfeited else (outcome.winner,)


def _winner_without(position: Position, forfeited: tuple[int, ...]) -> int:
    """The winner by L-24, ties and all, among the other seats: asked of the rules with their points taken away."""
    states = position.states.copy()
    states["scores"][0, list(forfeited)] = _NO_POINTS
    outcome = Position(position.game, states).outcome()
    assert outcome is not None
    assert not isinstance(outcome, DuetOutcome)
    return outcome.winner
