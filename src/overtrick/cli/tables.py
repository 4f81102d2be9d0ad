"""`overtrick tables`: what whoever runs a house may do about tables that offend, while the server runs."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.cli.options import Data, DatabaseUrl
from overtrick.errors import OvertrickError
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from overtrick.tables.events import Events
    from overtrick.tables.housekeeping import Housekeeping, Standing
    from overtrick.tables.table import Table

    Act = Callable[[Table], Events]

app = typer.Typer(
    help="Find public tables, hide them, close them: for whoever runs the house, while the server runs.",
    no_args_is_help=True,
)
Which = Annotated[
    list[str],
    typer.Argument(metavar="TABLE...", help="Tables, each by its id or by the address of its page."),
]
_ADDRESS = re.compile(r"/t/([^/?#\s]+)")
_STATUS = {"waiting": "waits for people", "playing": "is played", "over": "is over"}


class NoDatabase(Exception):  # noqa: N818 - it says what there is
    """There is no database; the text says so, for people."""


@app.command(name="list")
def list_tables(
    data: Data = None,
    database_url: DatabaseUrl = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line for each table.")] = False,
) -> None:
    """List the tables that the front page may show: those with free seats, and games that everybody may watch."""

    async def listed(house: Housekeeping) -> None:
        found = await house.listed()
        for status, table in found:
            if as_json:
                print(json.dumps({"status": status} | table.to_json()))
            else:
                print(f"{table.id}  {table.game}, {_STATUS[status]}: {_names(table.names)}")
        if not found and not as_json:
            print("The front page lists no table.")

    _run(listed, data, database_url)


@app.command()
def hide(tables: Which, data: Data = None, database_url: DatabaseUrl = None) -> None:
    """Take tables off the front page for good. Those who sit there, or have the link, go on as before."""
    from overtrick.tables import housekeeping

    _do(
        tables,
        housekeeping.hide,
        ("Hidden", "Not on the front page anyhow"),
        data=data,
        database_url=database_url,
    )


@app.command()
def close(tables: Which, data: Data = None, database_url: DatabaseUrl = None) -> None:
    """Close tables for good: what is played there is over, without a result, and nobody sees the table any more.

    Those who sat there are told that the house has closed it, and can still get the record of the game.
    """
    from overtrick.tables import housekeeping

    _do(tables, housekeeping.close, ("Closed", "Closed already"), data=data, database_url=database_url)


def _do(
    tables: list[str], act: Act, words: tuple[str, str], /, *, data: str | None, database_url: str | None
) -> None:
    """Do one thing at each table, in turn; it ends at the first one where that is refused."""

    async def done(house: Housekeeping) -> None:
        for table in tables:
            found = _ADDRESS.search(table)
            table_id = found[1] if found else table
            standing = await house.do(table_id, act)
            print(f"{words[not standing.done]}: {table_id}  {_told(standing)}")

    _run(done, data, database_url)


def _run(
    work: Callable[[Housekeeping], Coroutine[Any, Any, None]], data: str | None, database_url: str | None
) -> None:
    from overtrick.tables.housekeeping import housekeeping

    async def working(url: str) -> None:
        async with housekeeping(url) as house:
            await work(house)

    try:
        settings = Settings.from_environment(os.environ, data=data, database_url=database_url)
        _must_be_there(settings.database)
        asyncio.run(working(settings.database))
    except (NoDatabase, OvertrickError) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from error


def _must_be_there(url: str) -> None:
    """Refuse a SQLite file that is not there yet, rather than make one."""
    from overtrick.tables.database import address_of

    address = address_of(url)
    if address.drivername.startswith("sqlite") and not Path(address.database or "").is_file():
        raise NoDatabase(f"There is no database at {address.database}.")


def _told(standing: Standing) -> str:
    return f"({standing.game}, {_STATUS[standing.status]}: {_names(standing.names)})"


def _names(names: tuple[str, ...]) -> str:
    """Return people's names so that a terminal shows them and does nothing else."""
    return (
        ", ".join("".join(char if char.isprintable() else "?" for char in name) for name in names) or "nobody"
    )
