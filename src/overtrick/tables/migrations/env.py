"""How Alembic runs these migrations: on the connection that `overtrick.tables.migrate` or script/migration gives."""

from __future__ import annotations

from alembic import context

from overtrick.tables.schema import METADATA

# SQLite alters a table by copying it (batch). The caller's transaction holds it all, so there is none in here.
context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True
)
context.run_migrations()
