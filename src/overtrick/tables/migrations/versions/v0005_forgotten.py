"""Whom the logs of tables name, and whose data is being deleted."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_AT_ONCE = 5_000
NEXT = (
    "SELECT table_id, seq, kind, data FROM events WHERE kind IN ('made', 'sat', 'joined', 'relinked', 'hosted') "
    "AND (table_id, seq) > (:table_id, :seq) ORDER BY table_id, seq LIMIT :most"
)
"""The pair is compared as one, or PostgreSQL would read the log from its beginning each time."""


def upgrade() -> None:
    """Make both tables, and fill the first with what the logs say."""
    traces = op.create_table(
        "traces",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column(
            "person", sa.String(64), primary_key=True, comment="whom the log of the table names, now or once"
        ),
    )
    op.create_table(
        "forgotten",
        sa.Column(
            "mark",
            sa.String(64),
            primary_key=True,
            comment="SHA-256 of the person's id: nothing leads back to it",
        ),
        sa.Column("person", sa.String(64), nullable=False, comment="empty once nothing is left of them"),
        sa.Column(
            "due_at",
            sa.BigInteger,
            nullable=True,
            comment="Unix time in milliseconds; when to look for remains",
        ),
    )
    _fill(op.get_bind(), traces)
    op.create_index("traces_of_a_person", "traces", ["person", "table_id"])
    op.create_index("due_forgettings", "forgotten", ["due_at"])


def _fill(connection: sa.Connection, traces: sa.Table) -> None:
    place = {"table_id": "", "seq": 0}
    while rows := connection.execute(sa.text(NEXT), {**place, "most": _AT_ONCE}).all():
        place = {"table_id": rows[-1].table_id, "seq": rows[-1].seq}
        found = {(row.table_id, _person(row.kind, json.loads(row.data))) for row in rows}
        known = _known(connection, traces, {row.table_id for row in rows[:1]})
        new = sorted(pair for pair in found - known if pair[1])
        if new:
            values = [{"table_id": table_id, "person": person} for table_id, person in new]
            connection.execute(sa.insert(traces), values)


def _person(kind: str, event: dict[str, str]) -> str:
    return event["host" if kind == "made" else "person"]


def _known(connection: sa.Connection, traces: sa.Table, table_ids: set[str]) -> set[tuple[str, str]]:
    """What was written of the table with which the last rows ended, which may go on in the next ones."""
    rows = connection.execute(sa.select(traces).where(traces.c.table_id.in_(table_ids))).all()
    return {(row.table_id, row.person) for row in rows}
