"""Rows of the database as values, and values as rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy.engine import Row

from overtrick.tables.events import EVENTS, Event
from overtrick.tables.happened import EventRow, UnknownEvent

if TYPE_CHECKING:
    from overtrick.tables.appending import Batch


def event_of(row: Row[Any]) -> Event:
    """The event of a row of the log; raises UnknownEvent."""
    try:
        data = json.loads(row.data)
    except json.JSONDecodeError as error:
        raise UnknownEvent(f"an event of kind {row.kind!r} whose data is not JSON: {error}") from error
    return from_row(EventRow(row.kind, row.version, data))


def from_row(row: EventRow) -> Event:
    """Read a log row; raises UnknownEvent, for what is not understood must not be skipped."""
    event = EVENTS.get(row.kind)
    if event is None or row.version != event.VERSION:
        raise UnknownEvent(f"an event of kind {row.kind!r}, version {row.version}")
    return event.from_data(row.data)


def event_rows(batch: Batch) -> list[dict[str, Any]]:
    """The rows of a batch of events in the log."""
    return [
        {
            "table_id": batch.table_id,
            "seq": seq,
            "kind": row.kind,
            "version": row.version,
            "rules_version": batch.rules_version,
            "at": batch.at,
            "data": to_text(row.data),
        }
        for seq, row in enumerate((event.to_row() for event in batch.events), start=batch.after + 1)
    ]


def to_text(data: dict[str, Any]) -> str:
    """JSON as it is stored."""
    return msgspec.json.encode(data).decode()
