"""What whoever runs a house may do about tables that offend: find them, take them off the front page, close them.

A command does it, beside the servers and like one more of them: what it appends they find in the log, with their next
look at it at the latest. Nothing of it can be undone.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from overtrick.tables.appending import ATTEMPTS, LostRace
from overtrick.tables.events import Closed, Events, Hidden
from overtrick.tables.hub import Hub
from overtrick.tables.leases import Leases
from overtrick.tables.ledger import Change, Ledger
from overtrick.tables.listing import TableSummary
from overtrick.tables.seats import PersonSeat
from overtrick.tables.store import Store
from overtrick.tables.table import Status, Table

MOST = 1000
"""Tables that are listed, the latest changed of each kind."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A table as it stood before something was done, with the names of its persons; `done`: if there was anything."""

    status: Status
    game: str
    names: tuple[str, ...]
    done: bool


def hide(table: Table) -> Events:
    """Take a table off the front page; nothing if it could not be there any more."""
    listed = table.public or table.watching == "everybody"
    return (Hidden(),) if listed and table.status != "over" else ()


def close(table: Table) -> Events:
    """End what goes on at a table and show it to nobody; nothing if that was done."""
    return () if table.closed else (Closed(),)


class Housekeeping:
    """The tables of a database, for whoever runs the house. Made with `housekeeping`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def listed(self) -> list[tuple[Status, TableSummary]]:
        """What the front page lists, however long ago it changed: tables that wait for people, games to watch."""
        store = self._ledger.store
        waiting = await store.open_tables(since=0, most=MOST)
        playing = await store.watched_by_all(since=0, most=MOST)
        return [*(("waiting", one) for one in waiting), *(("playing", one) for one in playing)]

    async def do(self, table_id: str, act: Callable[[Table], Events]) -> Standing:
        """Do something at a table. Raises Refused for one that there is not, or if the database fails."""
        for _ in range(ATTEMPTS):
            table = await self._ledger.reload(table_id)
            events = act(table)
            names = tuple(seat.name for seat in table.seats if isinstance(seat, PersonSeat) and seat.name)
            standing = Standing(table.status, table.game_name, names, bool(events))
            try:
                if events:
                    await self._ledger.commit(Change(table_id, table, events, self._ledger.now()))
            except LostRace:
                continue
            return standing
        raise LostRace


@asynccontextmanager
async def housekeeping(database_url: str) -> AsyncIterator[Housekeeping]:
    """Open the database for it; raises OvertrickError if it cannot be used."""
    store = await Store.open(database_url, f"housekeeping:{os.getpid()}")
    ledger = Ledger(store, Hub(), lambda: time.time_ns() // 1_000_000)
    try:
        yield Housekeeping(ledger)
    finally:
        with suppress(Exception):  # the leases end by themselves
            await Leases(
                store
            ).release()  # of a bot's turn at a table that was hidden: it is the servers' work
        await ledger.close()
