"""A table's line in the lobby, and the little else that is asked of many tables at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from overtrick.tables.commands import Dealer
from overtrick.tables.duties import due
from overtrick.tables.result import result_of
from overtrick.tables.table import Status, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A table that the front page lists, for it waits for people or may be watched, as anybody may see it.

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


class Listing(Struct, frozen=True, kw_only=True):
    """The row of a table beside its log, derived from it at each append.

    `sitters`: for each seat whose it is, as `seats.sitter`. `awaits`: the seat for which all wait, if any.
    `stand_ins`: the seats of persons for whom bots play. `result`: as `result.Result` in JSON, once the game is over.
    """

    status: Status
    listed: bool
    due_at: int | None
    free: int
    game: str
    options: dict[str, Any]
    dealer: Dealer
    names: tuple[str, ...]
    bots: int
    sitters: tuple[dict[str, str], ...]
    awaits: int | None
    stand_ins: tuple[int, ...]
    result: dict[str, Any] | None
    watching: str


def listing(table: Table) -> Listing:
    """The listing of a table as it stands."""
    seats = table.seats
    return Listing(
        status=table.status,
        listed=is_listed(table),
        due_at=due(table),
        free=seats.free,
        game=table.game_name,
        options=table.options,
        dealer=table.dealer,
        names=seats.names,
        bots=seats.bots,
        sitters=seats.sitters,
        awaits=awaited(table),
        stand_ins=seats.stand_ins if table.status == "playing" else (),
        result=None if (ended := result_of(table)) is None else ended.to_json(),
        watching=table.watching,
    )


def awaited(table: Table) -> int | None:
    """The seat of the person for whom all others wait: whose move it is, or the host of a table ready to start."""
    if table.status == "waiting" and not table.seats.free:
        return table.seat_of(table.host)
    if table.paused or table.to_act is None or table.to_act not in table.seats.playing_persons:
        return None
    return table.to_act


def is_listed(table: Table) -> bool:
    """Whether the front page may list the table as it stands: to be joined or, once it plays, to be watched."""
    if table.status == "waiting":
        return table.public
    return table.status == "playing" and table.watching == "everybody"
