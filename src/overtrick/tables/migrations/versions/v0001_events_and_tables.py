"""The log of events, and the listing of the tables that it makes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; databases from before there were migrations have them, and are taken for this schema."""
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="Unix time in milliseconds"),
        sa.Column("data", sa.Text, nullable=False, comment="JSON"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("token", sa.String(200), nullable=False, comment="the request that made it"),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("bot_turn", sa.Boolean, nullable=False),
        sa.Column("free", sa.Integer, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.Column("summary", sa.Text, nullable=False, comment="JSON: game, options, dealer, names, bots"),
        sa.UniqueConstraint("token", name="one_table_a_token"),
    )
    op.create_index("waiting_tables", "tables", ["status", "public", "changed_at"])
