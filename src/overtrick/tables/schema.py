"""The tables of the database as the newest schema has them; migrations bring a database there.

A change here goes with a migration in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

METADATA = MetaData()
EVENTS = Table(
    "events",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False, comment="Unix time in milliseconds"),
    Column("data", Text, nullable=False, comment="JSON"),
)
TABLES = Table(
    "tables",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("token", String(200), nullable=False, comment="the request that made it"),
    Column("status", String(10), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("free", Integer, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("summary", Text, nullable=False, comment="JSON: game, options, dealer, names, bots"),
    Column("seq", Integer, nullable=False, server_default="0"),
    Column("due_at", BigInteger, nullable=True, comment="Unix time in milliseconds"),
    Column("holder", String(60), nullable=False, server_default=text("''")),
    Column("held_until", BigInteger, nullable=False, server_default="0"),
    UniqueConstraint("token", name="one_table_a_token"),
    Index("waiting_tables", "status", "public", "changed_at"),
    Index("due_tables", "due_at"),
)
PROCESSES = Table(
    "processes",
    METADATA,
    Column("name", String(60), primary_key=True),
    Column("seen_at", BigInteger, nullable=False, comment="Unix time in milliseconds"),
)
SEATS = Table(
    "seats",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("person", String(64), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column(
        "ended_at", BigInteger, nullable=False, comment="Unix time in milliseconds; 0 until the game is over"
    ),
    Index("tables_of_a_person", "person", "ended_at", "table_id"),
)
TRACES = Table(
    "traces",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("person", String(64), primary_key=True, comment="whom the log of the table names, now or once"),
    Index("traces_of_a_person", "person", "table_id"),
)
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("person", String(64), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("name_key", String(500), nullable=False, comment="the name without case and width"),
    Column("password", String(200), nullable=False, comment="argon2"),
    Column("made_at", BigInteger, nullable=False, comment="Unix time in milliseconds"),
    UniqueConstraint("name_key", name="one_account_a_name"),
)
SESSIONS = Table(
    "sessions",
    METADATA,
    Column("secret", String(64), primary_key=True, comment="SHA-256 of it"),
    Column("person", String(64), nullable=False),
    Column("made_at", BigInteger, nullable=False, comment="Unix time in milliseconds"),
    Index("sessions_of_a_person", "person"),
)
FORGOTTEN = Table(
    "forgotten",
    METADATA,
    Column(
        "mark", String(64), primary_key=True, comment="SHA-256 of the person's id: nothing leads back to it"
    ),
    Column("person", String(64), nullable=False, comment="empty once nothing is left of them"),
    Column(
        "due_at", BigInteger, nullable=True, comment="Unix time in milliseconds; when to look for remains"
    ),
    Index("due_forgettings", "due_at"),
)
