"""What the front page lists, asked of the database: tables to join, and games to watch."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.engine import Row

from overtrick.tables.listing import TableSummary
from overtrick.tables.schema import TABLES


def to_join(since: int, most: int) -> Select[Any]:
    """Ask for the listed tables that wait with free seats and changed at or after `since`, newest first."""
    return _listed("waiting", since, most, TABLES.c.free > 0)


def to_watch(since: int, most: int) -> Select[Any]:
    """Ask for the listed games under way that changed at or after `since`, newest first."""
    return _listed("playing", since, most)


def open_tables(rows: Iterable[Row[Any]]) -> list[TableSummary]:
    """Return what the rows of `to_join` say."""
    return [_summary(row, json.loads(row.summary)) for row in rows]


def games_to_watch(rows: Iterable[Row[Any]]) -> list[TableSummary]:
    """Return what the rows of `to_watch` say.

    A row from before there was a choice tells whether the table was listed while it waited, and no more.
    """
    found = ((row, json.loads(row.summary)) for row in rows)
    return [_summary(row, more) for row, more in found if more.get("watching") == "everybody"]


def _listed(status: str, since: int, most: int, *more: ColumnElement[bool]) -> Select[Any]:
    query = select(TABLES).where(
        TABLES.c.status == status, TABLES.c.public, TABLES.c.changed_at >= since, *more
    )
    return query.order_by(TABLES.c.changed_at.desc(), TABLES.c.id).limit(most)


def _summary(row: Row[Any], more: dict[str, Any]) -> TableSummary:
    return TableSummary(
        id=row.id,
        game=more["game"],
        options=more["options"],
        dealer=more["dealer"],
        names=tuple(more["names"]),
        bots=more["bots"],
        free=row.free,
        made_at=row.made_at,
    )
