"""When something is due at a table, who is at it, how long its log is; and the processes that serve tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and take over whose turn is a bot's."""
    with op.batch_alter_table("tables") as table:
        table.add_column(sa.Column("seq", sa.Integer, nullable=False, server_default="0"))
        table.add_column(
            sa.Column("due_at", sa.BigInteger, nullable=True, comment="Unix time in milliseconds")
        )
        table.add_column(sa.Column("holder", sa.String(60), nullable=False, server_default=sa.text("''")))
        table.add_column(sa.Column("held_until", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE tables SET seq = coalesce((SELECT max(seq) FROM events WHERE table_id = id), 0)")
    op.execute("UPDATE tables SET due_at = changed_at WHERE bot_turn")
    with op.batch_alter_table("tables") as table:
        table.drop_column("bot_turn")
    op.create_index("due_tables", "tables", ["due_at"])
    op.create_table(
        "processes",
        sa.Column("name", sa.String(60), primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False, comment="Unix time in milliseconds"),
    )
