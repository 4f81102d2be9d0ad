"""A table's line in the lobby, and the little else that is asked of many tables at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from overtrick.tables.commands import Dealer
from overtrick.tables.seats import BotSeat, PersonSeat
from overtrick.tables.table import Status, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A public table that waits for people, as anybody may see it.

    `names`: the persons who sit, in seat order; `bots` and `free`: numbers of seats; `made_at`: Unix time in
    milliseconds.
    """

    id: str
    game: str
    options: dict[str, Any]
    dealer: Dealer
    names: tuple[str, ...]
    bots: int
    free: int
    made_at: int

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "id": self.id,
            "game": self.game,
            "options": self.options,
            "dealer": self.dealer,
            "names": list(self.names),
            "bots": self.bots,
            "free": self.free,
            "made_at": self.made_at,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The row of a table beside its log, derived from it at each append."""

    status: Status
    public: bool
    bot_turn: bool
    free: int
    game: str
    options: dict[str, Any]
    dealer: Dealer
    names: tuple[str, ...]
    bots: int


def listing(table: Table) -> Listing:
    """The listing of a table as it stands."""
    return Listing(
        status=table.status,
        public=table.public,
        bot_turn=table.bot_to_act is not None,
        free=table.free,
        game=table.game_name,
        options=table.options,
        dealer=table.dealer,
        names=tuple(seat.name for seat in table.seats if isinstance(seat, PersonSeat)),
        bots=sum(isinstance(seat, BotSeat) for seat in table.seats),
    )
