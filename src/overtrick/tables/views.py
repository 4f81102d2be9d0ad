"""Views of tables, each made once for all who may see the same: the mover's answer and stream, two tabs, spectators."""

from __future__ import annotations

from collections import OrderedDict

from overtrick.tables.redact import table_view
from overtrick.tables.seats import Person, seat_of
from overtrick.tables.table import Table
from overtrick.tables.tableview import TableView
from overtrick.tables.watching import may_watch

KEPT = 32
"""Tables whose views are kept: a change goes out to all its viewers at once, so it takes few."""

_Viewer = tuple[int | None, bool, bool, bool]


class Views:
    """The views of the tables that changed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Table, dict[_Viewer, TableView]]] = OrderedDict()

    def of(self, table: Table, person: Person | None, *, now: int, bots_preparing: bool) -> TableView:
        """`table_view`, which depends on a person only in the seat, the host's role and whether they may watch."""
        me = None if person is None else seat_of(table.seats, person.id)
        is_host = person is not None and table.is_host(person.id)
        if table.timing.runs:  # what is left on a clock is new at each look
            return table_view(table, person, now=now, bots_preparing=bots_preparing)
        viewer = (me, is_host, may_watch(table, person), bots_preparing)
        views = self._views(table)
        if viewer not in views:
            views[viewer] = table_view(table, person, now=now, bots_preparing=bots_preparing)
        return views[viewer]

    def _views(self, table: Table) -> dict[_Viewer, TableView]:
        kept = self._kept.get(table.id)
        # A state is a value and never changes, so the same one is the same table at the same moment.
        if kept is None or kept[0] is not table:
            kept = self._kept[table.id] = (table, {})
        self._kept.move_to_end(table.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept[1]
