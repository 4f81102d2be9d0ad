"""`overtrick backup`: a copy of the SQLite database while games are played."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from overtrick.cli.options import Data, DatabaseUrl
from overtrick.errors import OvertrickError
from overtrick.web.settings import Settings


class NoBackup(Exception):  # noqa: N818 - it says what there is
    """No copy was made; the text says why, for people."""


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy to make; it must not be there yet.")],
    data: Data = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Copy the SQLite database to FILE, whole and checked, while the server runs and games are played.

    The copy holds every move answered before the command began. For PostgreSQL use pg_dump.
    """
    try:
        settings = Settings.from_environment(os.environ, data=data, database_url=database_url)
        size = copy(_file_of(settings.database), file)
    except (NoBackup, OvertrickError) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from error
    print(f"Copied the database to {file}: {size:,} bytes, checked.")


def copy(database: Path, goal: Path) -> int:
    """Copy a database that others may be writing to; return the copy's bytes. Raises NoBackup.

    The copy is what one moment's reader sees, so writers are not held up; only this user may read it.
    """
    if not database.is_file():
        raise NoBackup(f"There is no database at {database}.")
    try:
        os.close(os.open(goal, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise NoBackup(f"{goal} is there already; a backup overwrites nothing.") from None
    except OSError as error:
        raise NoBackup(f"Cannot write {goal}: {error.strerror}.") from error
    try:
        _copy(database, goal)
    except (sqlite3.Error, OSError) as error:
        goal.unlink()
        raise NoBackup(f"The database was not copied: {error}.") from error
    return goal.stat().st_size


def _copy(database: Path, goal: Path) -> None:
    with closing(sqlite3.connect(database.absolute().as_uri() + "?mode=rw", uri=True, timeout=60)) as source:
        source.execute("VACUUM INTO ?", (str(goal),))
    with closing(sqlite3.connect(goal)) as made:
        (found,) = made.execute("PRAGMA quick_check").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({found})")
    handle = os.open(goal, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _file_of(url: str) -> Path:
    from overtrick.tables.database import address_of

    address = address_of(url)
    if not address.drivername.startswith("sqlite") or not address.database:
        raise NoBackup(
            "Only a SQLite file can be copied so; for PostgreSQL use pg_dump (see docs/hosting.md)."
        )
    return Path(address.database)
