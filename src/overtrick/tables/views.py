"""Views of tables, each made once for all who may see the same: the mover's answer and stream, two tabs, spectators."""

from __future__ import annotations

from collections import OrderedDict

from overtrick.tables.redact import view_for
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from overtrick.tables.tableview import TableView
from overtrick.tables.watching import Onlooker, onlooker

KEPT = 32
"""Tables whose views are kept: a change goes out to all its viewers at once, so it takes few."""

_Key = tuple[Onlooker, bool]


class Views:
    """The views of the tables that changed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Table, dict[_Key, TableView]]] = OrderedDict()

    def of(self, table: Table, person: Person | None, *, now: int, bots_preparing: bool) -> TableView:
        """`table_view`, which depends on a person only in what an `Onlooker` is."""
        who = onlooker(table, person)
        if table.timing.runs:  # what is left on a clock is new at each look
            return view_for(table, who, now=now, bots_preparing=bots_preparing)
        views, key = self._views(table), (who, bots_preparing)
        if key not in views:
            views[key] = view_for(table, who, now=now, bots_preparing=bots_preparing)
        return views[key]

    def _views(self, table: Table) -> dict[_Key, TableView]:
        kept = self._kept.get(table.id)
        # A state is a value and never changes, so the same one is the same table at the same moment.
        if kept is None or kept[0] is not table:
            kept = self._kept[table.id] = (table, {})
        self._kept.move_to_end(table.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept[1]
