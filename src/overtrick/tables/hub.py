"""Telling watchers that a table has changed, without ever waiting for one of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from overtrick.tables.table import Table

AT_ONCE = 16
"""Watchers who are told one after the other before anything else may run."""


class Watcher(Protocol):
    """Who is told of a table's changes."""

    def tell(self, table: Table) -> None:
        """Take the newest state, which may be one that is known already; never waits and never raises."""

    def end(self, error: Exception | None = None) -> None:
        """There is no more."""


@dataclass(slots=True)
class _Watched:
    """A table that somebody watches: its newest state, and which of its watchers have still to be told of it."""

    newest: Table
    watchers: dict[Watcher, None] = field(default_factory=dict)
    untold: dict[Watcher, None] = field(default_factory=dict)
    telling: bool = False

    def tell(self) -> None:
        """Tell everybody, soon: who waits to be told still is before the others, and else who came first."""
        self.untold |= self.watchers
        self._go_on()

    def _go_on(self) -> None:
        if self.untold and not self.telling:
            self.telling = True
            asyncio.get_running_loop().call_soon(self._tell_some)

    def _tell_some(self) -> None:
        self.telling = False
        try:
            for watcher in list(islice(self.untold, AT_ONCE)):
                if watcher in self.untold:  # and has not been let go while others before it were told
                    del self.untold[watcher]
                    watcher.tell(self.newest)
        finally:
            self._go_on()


class Hub:
    """Fan-out of tables to watchers, within one event loop.

    Kept for a watched table: the newest state only. Who is slow, or has stopped reading, finds that one when it comes
    back; of several changes in a row only the last may be told.
    """

    def __init__(self) -> None:
        self._watched: dict[str, _Watched] = {}
        self._closed = False

    def watched(self, table_id: str) -> bool:
        """Whether anybody watches that table."""
        return table_id in self._watched

    def watching(self) -> list[str]:
        """The tables that somebody watches."""
        return list(self._watched)

    def state(self, table_id: str) -> Table | None:
        """The state last told of a watched table; None for one that nobody watches."""
        watched = self._watched.get(table_id)
        return None if watched is None else watched.newest

    def newest(self, table_id: str) -> float:
        """The number of events of the state last told of a watched table; infinite for one that nobody watches."""
        watched = self._watched.get(table_id)
        return float("inf") if watched is None else watched.newest.seq

    def publish(self, table: Table) -> None:
        """Tell the watchers of `table`; a state older than the last one told is dropped."""
        watched = self._watched.get(table.id)
        if watched is not None and table.seq > watched.newest.seq:
            watched.newest = table
            watched.tell()

    def close(self) -> None:
        """Let every watcher's stream end."""
        self._closed = True
        for watched in self._watched.values():
            for watcher in list(watched.watchers):
                watcher.end()

    def wake_tables_of(self, person: str) -> None:
        """Tell all watchers of a person's tables the newest state once more, for who they are may have changed."""
        for watched in self._watched.values():
            if watched.newest.seat_of(person) is not None:
                watched.tell()

    def follow(self, table: Table, watcher: Watcher) -> None:
        """Tell `watcher` the newest state now, and again at each change until it is let go."""
        watched = self._watched.setdefault(table.id, _Watched(table))
        self.publish(table)
        watched.watchers[watcher] = None
        if self._closed:
            watcher.end()
        else:
            watcher.tell(watched.newest)

    def let_go(self, table_id: str, watcher: Watcher) -> None:
        """Tell `watcher` no more; of a table that nobody watches nothing is kept."""
        watched = self._watched[table_id]
        del watched.watchers[watcher]
        watched.untold.pop(watcher, None)
        if not watched.watchers:
            del self._watched[table_id]
