"""`overtrick migrate`: bring the database to the newest schema."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from overtrick.cli.options import Data, DatabaseUrl
from overtrick.errors import OvertrickError
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from overtrick.tables.migrate import Schema


def migrate(
    data: Data = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Bring the database to the schema that this version needs, and say what was done.

    Stop every server and make a backup first. A database that has the newest schema already is left as it is.
    """
    from overtrick.tables import migrate as migrating

    try:
        settings = Settings.from_environment(os.environ, data=data, database_url=database_url)
        if not settings.database_url:
            settings.folder.mkdir(parents=True, exist_ok=True)
        found = migrating.migrate(settings.database)
    except OvertrickError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from error
    except OSError as error:
        print(f"Cannot use the data folder: {error}", file=sys.stderr)
        raise typer.Exit(1) from error
    print(_account(found, migrating.newest()))


def _account(found: Schema, newest: str) -> str:
    if found.state == "empty":
        return f"Made the schema of an empty database: {newest}."
    if found.number == newest and found.marked:
        return f"The database has the newest schema already: {newest}."
    if found.number == newest:
        return f"Recognised the database's schema as {newest}, the newest, and marked it so."
    return f"Brought the database from schema {found.number} to {newest}."
