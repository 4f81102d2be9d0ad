"""Who sits where, by person, for the list of one's own tables."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, and fill it with what the log says of the seats."""
    seats = op.create_table(
        "seats",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column(
            "ended_at",
            sa.BigInteger,
            nullable=False,
            comment="Unix time in milliseconds; 0 until the game is over",
        ),
    )
    op.create_index("tables_of_a_person", "seats", ["person", "ended_at", "table_id"])
    connection = op.get_bind()
    tables = connection.execute(sa.text("SELECT id, status, changed_at FROM tables")).all()
    query = sa.text(
        "SELECT kind, data FROM events WHERE table_id = :id AND kind IN ('sat', 'bot_sat', 'freed') ORDER BY seq"
    )
    for table in tables:
        persons: dict[int, str | None] = {}
        for kind, data in connection.execute(query, {"id": table.id}):
            event = json.loads(data)
            persons[event["seat"]] = event["person"] if kind == "sat" else None
        ended_at = table.changed_at if table.status == "over" else 0
        rows = [
            {"table_id": table.id, "person": person, "seat": seat, "ended_at": ended_at}
            for seat, person in persons.items()
            if person is not None
        ]
        if rows:
            connection.execute(sa.insert(seats), rows)
