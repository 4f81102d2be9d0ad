"""Which logs name a person, now or once, and blanking what they say of one who is to be forgotten.

A trace is written in the transaction of the event that names somebody, so that whoever goes can be found everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection

from overtrick.tables.events import Event, Made
from overtrick.tables.forgotten import Blanked, people_of
from overtrick.tables.rows import to_text
from overtrick.tables.schema import EVENTS, TABLES, TRACES

if TYPE_CHECKING:
    from overtrick.tables.store import Store

_REWRITE = (
    update(EVENTS)
    .where(EVENTS.c.table_id == bindparam("of_table"), EVENTS.c.seq == bindparam("of_seq"))
    .values(data=bindparam("blank"))
)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Events that take the place of those of the same number, and the ids of all whom the log then still names."""

    events: Blanked
    people: frozenset[str]


def write_traces(connection: Connection, table_id: str, events: Iterable[Event]) -> None:
    """Remember whom these events of a table name."""
    people = people_of(events)
    if not people:
        return
    known = select(TRACES.c.person).where(TRACES.c.table_id == table_id, TRACES.c.person.in_(people))
    new = people - set(connection.execute(known).scalars())
    if new:
        rows = [{"table_id": table_id, "person": person} for person in sorted(new)]
        connection.execute(insert(TRACES), rows)


def rewrite(connection: Connection, table_id: str, rewriting: Rewriting) -> None:
    """Put the blank events in their places; the request that made the table names its maker and goes with them."""
    rows = [
        {"of_table": table_id, "of_seq": seq, "blank": to_text(event.to_row().data)}
        for seq, event in rewriting.events
    ]
    if rows:
        connection.execute(_REWRITE, rows)
    if any(isinstance(event, Made) for _, event in rewriting.events):
        connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(token=table_id))
    nobodys = delete(TRACES).where(TRACES.c.table_id == table_id, TRACES.c.person.not_in(rewriting.people))
    connection.execute(nobodys)


async def tables_naming(store: Store, person: str) -> list[str]:
    """The ids of all tables whose logs name a person, now or once."""
    query = select(TRACES.c.table_id).where(TRACES.c.person == person).order_by(TRACES.c.table_id)
    return [row.table_id for row in await store.rows(query)]
