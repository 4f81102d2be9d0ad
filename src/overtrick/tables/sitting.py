"""Who sits where, by person: rows derived from the log with each change of the seats, and once when a game ends.

A move leaves them as they are, so that it costs nothing more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, tuple_
from sqlalchemy.engine import Connection, Row

from overtrick.tables import refusals
from overtrick.tables.mine import MyTable, MyTables, in_order
from overtrick.tables.schema import SEATS, TABLES
from overtrick.tables.seats import PersonSeat
from overtrick.tables.table import Table

MOST_GOING_ON = 200
"""Games that go on which are listed for one person, the latest changed."""

_PLACE = re.compile(r"([0-9]{1,15})\.([0-9a-z-]{1,40})")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person in a seat of a game that goes on or is `over`."""

    person: str
    seat: int
    over: bool = False


def sittings(table: Table) -> tuple[Sitting, ...]:
    """Everybody who holds a seat."""
    over = table.status == "over"
    return tuple(
        Sitting(person, number, over)
        for number, seat in enumerate(table.seats)
        if isinstance(seat, PersonSeat)
        for person in seat.people
    )


def changed_sittings(before: Table | None, after: Table) -> tuple[Sitting, ...] | None:
    """Everybody who holds a seat after a change, or None if none of it is other than before."""
    if before is not None and before.seats is after.seats and before.status == after.status:
        return None  # as after nearly every move
    found = sittings(after)
    return None if before is not None and sittings(before) == found else found


def write_sittings(connection: Connection, table_id: str, rows: Sequence[Sitting], at: int) -> None:
    """Put these in the place of whatever is there for the table; `at`: Unix time in milliseconds."""
    ended = select(func.max(SEATS.c.ended_at)).where(SEATS.c.table_id == table_id)
    at = connection.scalar(ended) or at  # a game ends once
    connection.execute(delete(SEATS).where(SEATS.c.table_id == table_id))
    if rows:
        values = [
            {"table_id": table_id, "person": row.person, "seat": row.seat, "ended_at": at if row.over else 0}
            for row in rows
        ]
        connection.execute(insert(SEATS), values)


def tables_of(connection: Connection, person: str, *, before: str | None, most: int) -> MyTables:
    """The person's tables: all that go on, and `most` finished ones from the place `before` on.

    Raises Refused for a `before` that is no such place.
    """
    going_on = []
    if before is None:
        query = _mine(person).where(SEATS.c.ended_at == 0).order_by(TABLES.c.changed_at.desc())
        rows = connection.execute(query.limit(MOST_GOING_ON))
        going_on = [_my_table(row) for row in rows]
    query = _mine(person).where(SEATS.c.ended_at > 0)
    if before is not None:
        query = query.where(tuple_(SEATS.c.ended_at, SEATS.c.table_id) < _place(before))
    order = (SEATS.c.ended_at.desc(), SEATS.c.table_id.desc())
    over = connection.execute(query.order_by(*order).limit(most + 1)).all()
    more = f"{over[most - 1].ended_at}.{over[most - 1].id}" if len(over) > most else None
    return MyTables(in_order(going_on), tuple(_my_table(row) for row in over[:most]), more)


def _mine(person: str) -> Select[Any]:
    columns = (
        TABLES.c.id,
        TABLES.c.status,
        TABLES.c.changed_at,
        TABLES.c.summary,
        SEATS.c.seat,
        SEATS.c.ended_at,
    )
    joined = SEATS.join(TABLES, TABLES.c.id == SEATS.c.table_id)
    return select(*columns).select_from(joined).where(SEATS.c.person == person)


def _place(text: str) -> tuple[int, str]:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise refusals.NO_SUCH_PAGE()
    return int(found[1]), found[2]


def _my_table(row: Row[Any]) -> MyTable:
    more = json.loads(row.summary)
    return MyTable(
        id=row.id,
        status=row.status,
        game=more["game"],
        options=more["options"],
        dealer=more["dealer"],
        sitters=tuple(more.get("sitters") or ({"name": name} for name in more["names"])),  # rows of before
        me=row.seat,
        awaits=more.get("awaits"),
        bot_plays=row.seat in more.get("stand_ins", ()),
        result=more.get("result"),
        changed_at=row.changed_at,
    )
