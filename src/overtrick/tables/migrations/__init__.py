"""The schema of the database, step by step, for Alembic.

`versions` (one file a step, in the order of their numbers), `env.py` (how Alembic runs them), `script.py.mako` (what a
new one looks like). `script/migration "what it does"` writes the next one from what has changed in
`overtrick.tables.schema`. There is no way down: who wants to go back brings a backup back.
"""
