"""The tables at which one person sits, as that person finds them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from overtrick.tables.commands import Dealer
from overtrick.tables.table import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class MyTable:
    """A table in its person's list.

    `sitters`: for each seat `{"name": ...}`, `{"bot": ...}` or `{}`; the name of one who is gone is "". `me`: the
    person's seat. `awaits`: the seat for which all others wait. `bot_plays`: one plays for the person. `result`: as
    `result.Result` in JSON, None until the game is over and of games that ended before results were kept.
    `changed_at`: Unix time in milliseconds.
    """

    id: str
    status: Status
    game: str
    options: dict[str, Any]
    dealer: Dealer
    sitters: tuple[dict[str, str], ...]
    me: int
    awaits: int | None
    bot_plays: bool
    result: dict[str, Any] | None
    changed_at: int

    @property
    def waits_for_me(self) -> bool:
        """Whether the others wait for this person."""
        return self.awaits == self.me

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "id": self.id,
            "status": self.status,
            "game": self.game,
            "options": self.options,
            "dealer": self.dealer,
            "sitters": list(self.sitters),
            "me": self.me,
            "awaits": self.awaits,
            "waits_for_me": self.waits_for_me,
            "bot_plays": self.bot_plays,
            "result": self.result,
            "changed_at": self.changed_at,
        }


@dataclass(frozen=True, slots=True)
class MyTables:
    """A page of a person's tables: those that go on, then the finished ones, the latest first.

    `more`: where the next page of finished ones begins, None on the last.
    """

    going_on: tuple[MyTable, ...]
    over: tuple[MyTable, ...]
    more: str | None

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "going_on": [table.to_json() for table in self.going_on],
            "over": [table.to_json() for table in self.over],
            "more": self.more,
        }


_ORDER = {"playing": 1, "waiting": 2}


def in_order(tables: list[MyTable]) -> tuple[MyTable, ...]:
    """The tables that go on: those that wait for the person first, then running ones, then those that wait for people.

    Those of one kind come with the latest changed first.
    """
    return tuple(
        sorted(
            tables, key=lambda one: (not one.waits_for_me, _ORDER.get(one.status, 3), -one.changed_at, one.id)
        )
    )
