"""What an append to the log writes: new events of tables, each table's line beside its log, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle
from typing import Any

from msgspec import Struct
from sqlalchemy import Select, bindparam, func, insert, select, update
from sqlalchemy.engine import Connection

from overtrick.tables.events import Event
from overtrick.tables.listing import Listing
from overtrick.tables.rows import event_rows, to_text
from overtrick.tables.schema import EVENTS, TABLES
from overtrick.tables.sitting import Sitting, write_sittings
from overtrick.tables.traces import Rewriting, rewrite, write_traces

LEASE = 15_000
"""Milliseconds for which a process that has made something due at a table has the right to do it."""
ATTEMPTS = 50
"""Lost races in a row after which something else must be wrong."""
_INSERT = insert(EVENTS)
_UPDATE = update(TABLES).where(TABLES.c.id == bindparam("old_id"))


class LostRace(Exception):  # noqa: N818 - it names what happened
    """Somebody else appended first, or used the token first: look again."""


class Batch(Struct, frozen=True, kw_only=True):
    """New events of one table, to be written all or none; `at`: Unix time in milliseconds.

    `after`: the number of events that the writer saw. `token`: for a new table (`after` 0), what made it.
    `sittings`: who sits where, if that has changed or the game has ended; else None. `rewriting`: what stands in
    the log already and is to be otherwise.
    """

    table_id: str
    at: int
    after: int
    events: tuple[Event, ...]
    rules_version: int
    listing: Listing
    token: str = ""
    sittings: tuple[Sitting, ...] | None = None
    rewriting: Rewriting | None = None


class Append:
    """Batches that are written all or none, and the rows of their events."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches
        self.events = [row for batch in batches for row in event_rows(batch)]

    def fits(self, lengths: dict[str, int]) -> bool:
        """Whether every batch follows the last event of its table; if so, `lengths` become those after it."""
        grown = dict(lengths)
        for batch in self.batches:
            if grown[batch.table_id] != batch.after:
                return False
            grown[batch.table_id] += len(batch.events)
        lengths.update(grown)
        return True


def append(connection: Connection, asked: Sequence[Append], holder: str) -> list[Exception | None]:
    """Write several appends in one transaction; return for each None, or the LostRace that it has met.

    `holder`: the process that writes, for what is due at once is then its own to do.
    """
    lengths = _lengths(connection, {batch.table_id for one in asked for batch in one.batches})
    won = [one for one in asked if one.fits(lengths)]
    # In one order for everybody, so that no two processes wait for each other.
    batches = sorted((batch for one in won for batch in one.batches), key=lambda batch: batch.table_id)
    if batches:
        rows = [row for one in won for row in one.events]
        connection.execute(_INSERT, sorted(rows, key=lambda row: row["table_id"]))
    if new := [_new_row(batch, holder) for batch in batches if batch.after == 0]:
        connection.execute(insert(TABLES), new)
    if old := [_old_row(batch, holder) for batch in batches if batch.after > 0]:
        connection.execute(_UPDATE, old)
    for batch in batches:
        if batch.sittings is not None:
            write_sittings(connection, batch.table_id, batch.sittings, batch.at)
        if batch.rewriting is not None:
            rewrite(connection, batch.table_id, batch.rewriting)
        write_traces(connection, batch.table_id, batch.events)
    return [None if one in won else LostRace() for one in asked]


def _lengths(connection: Connection, table_ids: set[str]) -> dict[str, int]:
    """The number of events of each table."""
    size = 1 << (len(table_ids) - 1).bit_length()
    asked = {f"id_{n}": table_id for n, table_id in zip(range(size), cycle(table_ids), strict=False)}
    found = connection.execute(_latest(size), asked)
    return dict.fromkeys(table_ids, 0) | {row[0]: row[1] for row in found}


@lru_cache
def _latest(size: int) -> Select[Any]:
    """The query for the last events of so many tables.

    There are few of these, for making and translating one takes several times as long as running it.
    """
    ids = [bindparam(f"id_{n}", type_=EVENTS.c.table_id.type) for n in range(size)]
    latest = select(EVENTS.c.table_id, func.max(EVENTS.c.seq)).where(EVENTS.c.table_id.in_(ids))
    return latest.group_by(EVENTS.c.table_id)


def _new_row(batch: Batch, holder: str) -> dict[str, Any]:
    new = {"id": batch.table_id, "token": batch.token or batch.table_id, "made_at": batch.at}
    return new | _listing_row(batch, holder)


def _old_row(batch: Batch, holder: str) -> dict[str, Any]:
    return {"old_id": batch.table_id} | _listing_row(batch, holder)


def _listing_row(batch: Batch, holder: str) -> dict[str, Any]:
    """What is due at once is for the process that writes this: it holds the table's lease from now on."""
    listing = batch.listing
    is_due = listing.due_at is not None and listing.due_at <= batch.at
    summary = {
        "game": listing.game,
        "options": listing.options,
        "dealer": listing.dealer,
        "names": listing.names,
        "bots": listing.bots,
        "sitters": listing.sitters,
        "awaits": listing.awaits,
        "stand_ins": listing.stand_ins,
        "result": listing.result,
        "watching": listing.watching,
    }
    return {
        "status": listing.status,
        "public": listing.listed,
        "free": listing.free,
        "changed_at": batch.at,
        "seq": batch.after + len(batch.events),
        "due_at": listing.due_at,
        "holder": holder if is_due else "",
        "held_until": batch.at + LEASE if is_due else 0,
        "summary": to_text(summary),
    }
