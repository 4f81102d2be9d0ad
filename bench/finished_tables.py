"""What a million finished tables in the database slow down, and what tables that nobody watches cost: a real server.

    .venv/bin/python bench/finished_tables.py [--finished 1000000] [--with-events 20000] [--json]

One real game is played; its rows are copied under new ids straight into SQLite: all that the lobby and the pages of
persons are read from for every table, the log itself for as many as --with-events says (a million logs are about
30 GB). The same things are asked of the server without and with them; times are in milliseconds. Last, more tables
come and nobody watches them: the server's memory after each fifth.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from overtrick.load.people import Desk, Party, Tally, percentiles
from overtrick.load.server import Server, started

COLUMNS = {"tables": "id", "events": "table_id", "seats": "table_id"}
"""The tables of the database that are filled, and the column that names the table of the game."""
AT_ONCE = 10_000
"""Copies made in one transaction."""
OLD = "old{:08d}"


def columns(database: sqlite3.Connection, name: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({name})")]


def fill(database: sqlite3.Connection, played: str, finished: int, with_events: int) -> None:
    """Copy the rows of a game that is over; a copy's id and token are its number, its persons others of their own."""
    numbers = "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) "
    for name, key in COLUMNS.items():
        copies = with_events if name == "events" else finished
        values = {column: f"t.{column}" for column in columns(database, name)}
        values[key] = "printf('old%08d', n.i)"
        if name == "tables":
            # Spread over the year before, as they would be.
            values |= {"token": values[key], "changed_at": "t.changed_at - 1000 * (n.i % 31536000)"}
        if name == "seats":
            values["person"] = "printf('%08d', n.i / 100) || substr(t.person, 9)"
        insert = f"{numbers}INSERT INTO {name} ({', '.join(values)}) SELECT {', '.join(values.values())} "
        for first in range(0, copies, AT_ONCE):
            bounds = (first, min(first + AT_ONCE, copies), played)
            database.execute(f"{insert}FROM n, {name} t WHERE t.{key} = ?", bounds)
            database.commit()  # the server writes too, and does not wait for long


async def play_out(desk: Desk, game: str, number: int) -> str:
    """Play one game to its end and return its id."""
    party, tally = Party(desk, Tally(), game, number), Tally()
    party._tally = tally
    await party.sit_down()
    await party.watch(4 if game == "luz" else 2, 0)
    while party.look.status != "over":
        await party.move(None)
    await party.settle()
    party.go()
    return party.look.id


async def timed(desk: Desk, path: str) -> float:
    began = time.monotonic()
    await desk.need("GET", path)
    return time.monotonic() - began


async def ask(desk: Desk, times: int, finished: list[str]) -> dict[str, Any]:
    """Ask for the same things again and again; a move is one of a table that two persons play at."""
    took: dict[str, list[float]] = {
        name: [] for name in ("lobby", "open tables", "a finished table", "a move")
    }
    tally = Tally()
    party = Party(desk, tally, "duet", 1)
    await party.sit_down()
    await party.watch(2, 0)
    for number in range(times):
        took["lobby"].append(await timed(desk, "/"))
        took["open tables"].append(await timed(desk, "/api/tables"))
        took["a finished table"].append(await timed(desk, f"/t/{finished[number % len(finished)]}"))
        await party.move(None)
    await party.settle()
    party.go()
    took["a move"] = tally.answers
    return {name: percentiles(seconds) for name, seconds in took.items()}


async def memory_of_unwatched(server: Server, desk: Desk, number: int) -> list[tuple[int, float]]:
    """Megabytes after so many games of Duet have been begun and left alone."""
    taken = [(0, round(server.memory() / 1e6, 1))]
    for made in range(1, number + 1):
        await Party(desk, Tally(), "duet", made).sit_down()
        if made % max(1, number // 5) == 0:
            taken.append((made, round(server.memory() / 1e6, 1)))
    return taken


def database_of(server: Server) -> Path:
    """The database file that a server has open."""
    found = {Path(file.path) for file in server.process.open_files() if file.path.endswith(".sqlite3")}
    (path,) = found
    return path


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, timeout=60)) as database:
        yield database


async def measure(asked: argparse.Namespace) -> dict[str, Any]:
    report: dict[str, Any] = {"asked": vars(asked), "load": os.getloadavg()}
    async with started() as server:
        desk = Desk(server.address)
        await server.quiet()
        played = await play_out(desk, "luz", 1)
        report["without"] = await ask(desk, asked.times, [played])
        with opened(database_of(server)) as database:
            report["events_a_game"] = database.execute(
                "SELECT count(*) FROM events WHERE table_id = ?", (played,)
            ).fetchone()[0]
            began = time.monotonic()
            fill(database, played, asked.finished, asked.with_events)
            report["filled_in_s"] = round(time.monotonic() - began, 1)
            report["rows"] = {
                name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in COLUMNS
            }
            report["database_mb"] = round(database_of(server).stat().st_size / 1e6)
        await server.quiet()
        step = max(1, asked.with_events // asked.times)
        old = [OLD.format(number) for number in range(0, asked.with_events, step)]
        report["with"] = await ask(desk, asked.times, old)
        report["unwatched_mb"] = await memory_of_unwatched(server, desk, asked.unwatched)
        desk.close()
    report["load_after"] = os.getloadavg()
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--finished", type=int, default=1_000_000)
    parser.add_argument("--with-events", type=int, default=20_000)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--unwatched", type=int, default=3_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = asyncio.run(measure(asked))
    if asked.json:
        print(json.dumps(found))
        return
    print(f"load {found['load'][0]:.2f}, after {found['load_after'][0]:.2f}; rows {found['rows']}, "
          f"{found['database_mb']} MB; {found['events_a_game']} events a game")  # fmt: skip
    for what in found["with"]:
        without, with_ = found["without"][what], found["with"][what]
        medians = f"p50 {without['p50']:7.1f} -> {with_['p50']:7.1f}"
        print(f"{what:18} {medians}   p99 {without['p99']:7.1f} -> {with_['p99']:7.1f}")
    memory = (f"{number}: {mb}" for number, mb in found["unwatched_mb"])
    print("memory, MB, after so many tables that nobody watches:", *memory)


if __name__ == "__main__":
    main()
