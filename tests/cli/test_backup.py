"""`overtrick backup`: a copy made while games are played is whole, and opens as a database of its own."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.test_serve import PATIENCE, command, printed_address, ready
from overtrick.cli.backup import NoBackup, copy
from overtrick.tables import House


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "overtrick", "backup", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


class Playing:
    """Two people who play one game of Duet after another; keeps how far each table was answered to be."""

    def __init__(self, address: str) -> None:
        self.answered: dict[str, int] = {}
        self.halted = threading.Event()
        self.http = [httpx.Client(base_url=address, timeout=PATIENCE) for _ in range(2)]
        for client in self.http:
            client.headers["authorization"] = f"Bearer {client.post('/api/guests').json()['secret']}"
        self.thread = threading.Thread(target=self.play, daemon=True)

    def play(self) -> None:
        while not self.halted.is_set():
            body = {"game": "duet", "seats": ["me", "friend"], "name": "Ann"}
            path = f"/api/tables/{self.http[0].post('/api/tables', json=body).json()['id']}"
            self.http[1].post(f"{path}/sit", json={"seat": 1, "name": "Ben"})
            table = self.http[0].post(f"{path}/start").json()
            while table["status"] != "over" and not self.halted.is_set():
                mover = self.http[table["view"]["to_act"]]
                move = mover.get(path).json()["view"]["legal"][0]
                table = mover.post(f"{path}/move", json={"ply": table["ply"], "move": move}).json()
                self.answered[table["id"]] = table["seq"]

    def __enter__(self) -> Playing:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.halted.set()
        self.thread.join(PATIENCE)
        for client in self.http:
            client.close()


def tables_of(file: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute("SELECT table_id, max(seq) FROM events GROUP BY table_id").fetchall()


async def looks(file: Path, ids: list[str]) -> dict[str, Any]:
    house = await House.open(f"sqlite:///{file}")
    try:
        return {table_id: (await house.look(table_id, None)).to_json() for table_id in ids}
    finally:
        await house.close()


def test_a_copy_made_while_games_are_played_has_every_answered_move_and_every_table_folds(
    tmp_path: Path,
) -> None:
    unlimited = {f"OVERTRICK_LIMIT_{kind}": "0" for kind in ("LOOKS", "ACTS", "SEATS", "TABLES", "GUESTS")}
    copies: list[tuple[Path, dict[str, int]]] = []
    with command("--port", "0", folder=tmp_path / "data", **unlimited) as process:
        address = printed_address(process)
        ready(address)
        with Playing(address) as playing:
            for number in range(2):
                wanted = sum(playing.answered.values()) + 10
                while sum(playing.answered.values()) < wanted:
                    assert playing.thread.is_alive()
                    httpx.get(f"{address}health", timeout=PATIENCE)
                copies.append((tmp_path / f"copy-{number}.sqlite3", dict(playing.answered)))
                made = run("--data", str(tmp_path / "data"), str(copies[-1][0]))
                assert (made.returncode, made.stderr) == (0, "")
    for file, answered in copies:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        kept = dict(tables_of(file))
        assert {table_id: seq for table_id, seq in answered.items() if kept.get(table_id, 0) < seq} == {}
        seen = asyncio.run(looks(file, list(kept)))
        assert {table_id: look["seq"] for table_id, look in seen.items()} == kept
        json.dumps(seen)


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "overtrick.sqlite3")) as database:
        database.execute("CREATE TABLE t (x)")
    (tmp_path / "copy").write_text("precious")
    refused = run("--data", str(tmp_path), str(tmp_path / "copy"))
    assert (refused.returncode, refused.stderr) == (
        1, f"{tmp_path / 'copy'} is there already; a backup overwrites nothing.\n"
    )  # fmt: skip
    assert (tmp_path / "copy").read_text() == "precious"


@pytest.mark.parametrize("what", ["nothing", "junk", "folder"])
def test_what_cannot_be_copied_is_a_sentence_and_leaves_nothing(tmp_path: Path, what: str) -> None:
    database, goal = tmp_path / "overtrick.sqlite3", tmp_path / "copy"
    if what == "junk":
        database.write_text("not a database" * 1000)
    elif what == "folder":
        sqlite3.connect(database).close()
        database.touch()
        goal = tmp_path / "none" / "copy"
    with pytest.raises(NoBackup):
        copy(database, goal)
    assert not goal.exists()


def test_another_database_is_left_to_its_own_tools(tmp_path: Path) -> None:
    refused = run("--database-url", "postgresql://ann:secret@localhost/x", str(tmp_path / "copy"))
    assert refused.returncode == 1
    assert "pg_dump" in refused.stderr
    assert "secret" not in refused.stderr
