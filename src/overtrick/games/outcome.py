"""How a game ended, as a value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class LuzOutcome:
    """The end of a game of Luz (L-24): points by seat, points by deal and seat, the seat that won."""

    scores: list[int]
    by_deal: list[list[int]]
    winner: int

    def to_json(self) -> dict[str, Any]:
        """Return the `result` of RECORD.md."""
        return asdict(self)


@dataclass(frozen=True)
class DuetOutcome:
    """The end of a game of Duet (D-22, D-23).

    `score` is 0 unless won; `reason` is "won", "lost in the forest", "out of time" or "given up".
    """

    won: bool
    score: int
    round: int
    gems_left: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return the `result` of RECORD.md."""
        return asdict(self)


Outcome = LuzOutcome | DuetOutcome
