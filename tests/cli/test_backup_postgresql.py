"""The commands that docs/hosting.md gives for a PostgreSQL: a dump made while games are played goes on elsewhere."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.test_backup import Playing
from cli.test_hosting_guide import Pair, blocks
from cli.test_serve import PATIENCE, command, printed_address, ready
from overtrick.tables import House
from servers import Postgres, newest_postgres, wait_for

UNLIMITED = {f"OVERTRICK_LIMIT_{kind}": "0" for kind in ("LOOKS", "ACTS", "SEATS", "TABLES", "GUESTS")}


def as_owner(heading: str) -> str:
    """The commands below a heading of the guide, as somebody runs them who is PostgreSQL's owner already."""
    (block,) = blocks(heading)
    return block.replace("runuser -u postgres -- ", "")


class Shell:
    """Runs blocks of commands in a folder, against a server that is named by the environment."""

    def __init__(self, postgres: Postgres, folder: Path) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "PATH": f"{newest_postgres()}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(postgres.port),
            "PGUSER": "overtrick",
        }

    def __call__(self, block: str) -> None:
        done = subprocess.run(
            ["bash", "-euc", block], cwd=self._folder, env=self._environment,
            capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), block


@pytest.fixture
def shell(postgres: Postgres, tmp_path: Path) -> Iterator[Shell]:
    run = Shell(postgres, tmp_path)
    run("createdb --owner=overtrick overtrick")
    yield run
    run("dropdb --if-exists --force overtrick; dropdb --if-exists --force overtrick_restored 2>&1")


async def lengths(url: str, ids: list[str]) -> dict[str, int]:
    house = await House.open(url)
    try:
        return {table_id: (await house.look(table_id, None)).seq for table_id in ids}
    finally:
        await house.close()


def test_a_dump_made_while_games_are_played_is_restored_and_its_games_go_on(
    postgres: Postgres, shell: Shell, tmp_path: Path
) -> None:
    url = f"postgresql://overtrick@127.0.0.1:{postgres.port}/overtrick"
    dump, restore = as_owner("Backup of a PostgreSQL"), as_owner("Restoring a PostgreSQL")
    options = ("--port", "0")
    with command(*options, folder=tmp_path / "data", OVERTRICK_DATABASE_URL=url, **UNLIMITED) as process:
        address = printed_address(process)
        ready(address)
        pair = Pair(address)
        before = pair.play(address, 7)
        with Playing(address) as playing:
            wait_for(lambda: sum(playing.answered.values()) > 20, "some moves to be played")
            answered = dict(playing.answered)
            shell(dump)
            assert playing.thread.is_alive()
        pair.play(address, 3)  # what comes after the dump is not in it
    assert stat.S_IMODE((tmp_path / "overtrick.dump").stat().st_mode) == 0o600
    shell(restore)
    restored = asyncio.run(lengths(f"{url}_restored", [pair.id, *answered]))
    assert restored.pop(pair.id) == before["seq"]
    assert {table_id for table_id, seq in answered.items() if restored[table_id] < seq} == set()
    elsewhere = {"OVERTRICK_DATABASE_URL": f"{url}_restored", **UNLIMITED}
    with command(*options, folder=tmp_path / "data", **elsewhere) as process:
        address = printed_address(process)
        ready(address)
        assert pair.look(address)["ply"] == before["ply"]
        over = pair.play(address, 1000)
        record = pair.people[1].get(f"{pair.at(address)}/record")
    pair.close()
    assert over["status"] == "over"
    assert len(record.json()["moves"]) == over["ply"]
    replayed = subprocess.run(
        [sys.executable, "-m", "overtrick", "replay", "-"],
        input=record.content, capture_output=True, timeout=PATIENCE,
    )  # fmt: skip
    assert replayed.returncode == 0, replayed.stderr


def test_the_dump_of_a_schema_brings_its_number_with_it(
    postgres: Postgres, shell: Shell, tmp_path: Path
) -> None:
    url = f"postgresql://overtrick@127.0.0.1:{postgres.port}/overtrick"
    asyncio.run(lengths(url, []))
    for heading in ("Backup of a PostgreSQL", "Restoring a PostgreSQL"):
        shell(as_owner(heading))
    done = subprocess.run(
        [sys.executable, "-m", "overtrick", "migrate", "--database-url", f"{url}_restored"],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The database has the newest schema already")
