"""Accounts, and the devices that are logged in to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "accounts",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("name_key", sa.String(500), nullable=False, comment="the name without case and width"),
        sa.Column("password", sa.String(200), nullable=False, comment="argon2"),
        sa.Column("made_at", sa.BigInteger, nullable=False, comment="Unix time in milliseconds"),
        sa.UniqueConstraint("name_key", name="one_account_a_name"),
    )
    op.create_table(
        "sessions",
        sa.Column("secret", sa.String(64), primary_key=True, comment="SHA-256 of it"),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False, comment="Unix time in milliseconds"),
    )
    op.create_index("sessions_of_a_person", "sessions", ["person"])
