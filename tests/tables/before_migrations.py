"""What made the schema before there were migrations, as those versions wrote it."""

from __future__ import annotations

BEFORE_MIGRATIONS = {
    "sqlite": [
        """CREATE TABLE events (table_id VARCHAR(40) NOT NULL, seq INTEGER NOT NULL, kind VARCHAR(20) NOT NULL,
        version INTEGER NOT NULL, rules_version INTEGER NOT NULL, at BIGINT NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (table_id, seq))""",
        """CREATE TABLE tables (id VARCHAR(40) NOT NULL, token VARCHAR(200) NOT NULL, status VARCHAR(10) NOT NULL,
        public BOOLEAN NOT NULL, bot_turn BOOLEAN NOT NULL, free INTEGER NOT NULL, made_at BIGINT NOT NULL,
        changed_at BIGINT NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (id),
        CONSTRAINT one_table_a_token UNIQUE (token))""",
        "CREATE INDEX waiting_tables ON tables (status, public, changed_at)",
    ],
}
BEFORE_MIGRATIONS["postgresql"] = [
    *BEFORE_MIGRATIONS["sqlite"],
    "COMMENT ON COLUMN events.at IS 'Unix time in milliseconds'",
    "COMMENT ON COLUMN events.data IS 'JSON'",
    "COMMENT ON COLUMN tables.token IS 'the request that made it'",
    "COMMENT ON COLUMN tables.summary IS 'JSON: game, options, dealer, names, bots'",
]
