"""Write the migration from the newest schema of the database to what tables/schema.py has; print the file's name."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

from alembic import command
from sqlalchemy.engine import Connection

from overtrick.tables import migrate
from overtrick.tables.transactions import transactions_of


def write(connection: Connection) -> Path:
    """Compare and write; return the file."""
    config = migrate.config_for(connection)
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    number = f"{int(migrate.newest()) + 1:04}"
    with contextlib.redirect_stdout(sys.stderr):
        command.revision(config, sys.argv[1], autogenerate=True, rev_id=number)
    (written,) = Path(migrate.__file__).parent.glob(f"migrations/versions/v{number}_*.py")
    return written


async def main(url: str) -> Path:
    """Bring an empty database up to date and write what is still missing."""
    transactions = transactions_of(url)
    try:
        await migrate.ensure(transactions, url)
        return await transactions.read(write)
    finally:
        await transactions.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(main(f"sqlite:///{folder}/new.sqlite3")))
