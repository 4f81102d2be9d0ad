"""Views of tables, each made once for all who may see the same: the mover's answer and stream, two tabs, spectators."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from overtrick.tables.redact import Shown
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from overtrick.tables.tableview import TableView
from overtrick.tables.watching import Onlooker, onlooker

KEPT = 32
"""Tables whose views are kept: a change goes out to all its viewers at once, so it takes few."""

_Key = tuple[Onlooker, bool]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The views of one state of a table."""

    shown: Shown
    views: dict[_Key, TableView] = field(default_factory=dict)


class Views:
    """The views of the tables that changed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, table: Table, person: Person | None, *, now: int, bots_preparing: bool) -> TableView:
        """`table_view`, which depends on a person only in what an `Onlooker` is."""
        who, kept = onlooker(table, person), self._of(table)
        key = (who, bots_preparing)
        found = kept.views.get(key)
        if found is None:
            found = kept.shown.to(who, now=now, bots_preparing=bots_preparing)
            if not table.timing.runs:  # what is left on a clock is new at each look
                kept.views[key] = found
        return found

    def _of(self, table: Table) -> _Kept:
        kept = self._kept.get(table.id)
        # A state is a value and never changes, so the same one is the same table at the same moment.
        if kept is None or kept.shown.table is not table:
            kept = self._kept[table.id] = _Kept(Shown(table))
        self._kept.move_to_end(table.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept
