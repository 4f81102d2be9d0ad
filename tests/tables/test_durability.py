"""A server killed with SIGKILL again and again: every move that was answered is there, and the games end."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from cli.processes import PATIENCE, next_line
from overtrick.games import Record
from overtrick.tables.fold import replay
from overtrick.tables.record import record
from overtrick.tables.store import Store
from overtrick.tables.table import Table

pytestmark = pytest.mark.anyio

PLAYER = Path(__file__).with_name("steady_player.py")
KILLS = 8


@dataclass
class Heard:
    """What the processes said before they were killed."""

    tables: set[str] = field(default_factory=set)
    over: set[str] = field(default_factory=set)
    answered: dict[tuple[str, int], str] = field(default_factory=dict)

    def hear(self, line: str) -> None:
        what, table_id, *rest = line.split()
        if what == "table":
            self.tables.add(table_id)
        elif what == "over":
            self.over.add(table_id)
        else:
            self.answered[table_id, int(rest[0])] = rest[1]


def serve(url: str, seed: int, heard: Heard, *, lines: int | None) -> int:
    """Run a server process; kill it once it has said that many lines (None: let it end). The exit status."""
    path = os.pathsep.join([str(PLAYER.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, str(PLAYER), url, str(seed)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as process:
        number = 0
        while line := next_line(process):
            number += 1
            if line.endswith("\n"):
                heard.hear(line)
            if number == lines:
                process.kill()
        process.wait(PATIENCE)
    return process.returncode


async def tables_of(url: str, heard: Heard) -> list[Table]:
    store = await Store.open(url)
    tables = [replay(table_id, await store.read(table_id)) for table_id in sorted(heard.tables)]
    await store.close()
    return tables


async def test_every_answered_move_outlives_sigkill_and_the_games_end(url: str) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    rng, heard = random.Random(seed), Heard()
    for number in range(KILLS):
        # The process goes on while its last line is read, so the blow falls anywhere in the next moves.
        assert serve(url, seed + number, heard, lines=rng.randint(1, 9)) in (0, -9)
        for table in await tables_of(url, heard):
            assert_all_there(table, heard)
    assert serve(url, seed + KILLS, heard, lines=None) == 0
    tables = await tables_of(url, heard)
    assert heard.over == heard.tables
    assert [table.game_name for table in sorted(tables, key=lambda table: table.game_name)] == ["duet", "luz"]
    for table in tables:
        assert_all_there(table, heard)
        replayed = Record.of(record(table, made_at=None)).replay()
        assert replayed.error is None
        assert replayed.position.over


def assert_all_there(table: Table, heard: Heard) -> None:
    """Each answered move stands at its ply, and no chance is left to be drawn a second time."""
    answered = {ply: move for (table_id, ply), move in heard.answered.items() if table_id == table.id}
    assert {ply: table.moves[ply].said for ply in answered} == answered
    assert table.position is None or not table.position.needs_deal
