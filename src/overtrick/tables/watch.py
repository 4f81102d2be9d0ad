"""Watch: one device's following of a table, with its own look at each change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol, Self

from overtrick.errors import OvertrickError
from overtrick.tables.ledger import Ledger
from overtrick.tables.people import People
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from overtrick.tables.tableview import TableView

LOG = logging.getLogger(__name__)
ASK_AGAIN = 1.0
"""Seconds after which it is asked again for whom a device stands, when that could not be told."""

Seen = Callable[[Table, Person | None], TableView]
"""How a person, or a spectator, sees a table; raises Refused for who may not look."""


class Viewer(Protocol):
    """Who gets the looks; neither call waits."""

    def show(self, look: TableView) -> None:
        """Take the newest look."""

    def end(self, error: Exception | None = None) -> None:
        """There are no more looks; `error`: why, if it is no ordinary end. May be called more than once."""


class Watch:
    """A device's following of a table, until the end of a `with` block.

    It ends for the viewer as the house closes, and as soon as it is another person for whom the device stands: what
    was sent to it may be somebody else's by then.
    """

    __slots__ = (
        "_asking",
        "_device",
        "_ledger",
        "_people",
        "_seen",
        "_seq",
        "_sitter",
        "_table_id",
        "_viewer",
    )

    def __init__(
        self, ledger: Ledger, people: People, seen: Seen, device: Person | None, viewer: Viewer
    ) -> None:
        self._ledger = ledger
        self._people = people
        self._seen = seen
        self._device = device
        self._viewer = viewer
        self._sitter: Person | None = None
        self._table_id = ""
        self._seq = 0
        self._asking: asyncio.Task[None] | None = None

    def begin(self, table: Table, sitter: Person | None) -> Self:
        """Show the table as the person for whom the device stands may see it, and from now on each change."""
        self._table_id, self._sitter = table.id, sitter
        self._ledger.hub.follow(table, self)
        return self

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Follow no more."""
        self._ledger.hub.let_go(self._table_id, self)
        self._ledger.let_go(self._table_id)
        if self._asking is not None:
            self._asking.cancel()

    def tell(self, table: Table) -> None:
        """Show a state that is newer than the one shown last; first it may have to be asked who the device is now."""
        if self._device is not None:
            person = self._people.remembered(self._device)
            if person is None:
                self._ask()
                return
            if person != self._sitter:
                self._viewer.end()
                return
        if table.seq > self._seq:
            self._seq = table.seq
            self._show(table)

    def end(self, error: Exception | None = None) -> None:
        """The house closes."""
        self._viewer.end(error)

    def _show(self, table: Table) -> None:
        try:
            self._viewer.show(self._seen(table, self._sitter))
        except OvertrickError as refused:
            self._viewer.end(refused)
        except Exception:  # theirs alone: others are to be told all the same
            LOG.exception("table %s: a look at it could not be shown", table.id)
            self._viewer.end()

    def _ask(self) -> None:
        if self._asking is None:
            self._asking = asyncio.create_task(self._asked())

    async def _asked(self) -> None:
        assert self._device is not None
        while self._people.remembered(self._device) is None:
            try:
                await self._people.who(self._device)
            except Refused:  # the database is away; who watches does not go for that
                await asyncio.sleep(ASK_AGAIN)
        self._asking = None
        newest = self._ledger.hub.state(self._table_id)
        if newest is not None:
            self.tell(newest)
