"""A server killed with SIGKILL again and again while it deletes somebody's data: all or nothing, and at last all."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from cli.processes import PATIENCE, next_line
from overtrick.tables import House
from overtrick.tables.commands import Say, Sit
from overtrick.tables.fold import replay
from overtrick.tables.forgetting import AGAIN
from overtrick.tables.forgotten import people_of
from overtrick.tables.store import Store
from tables.setting import ANN, BEN, making
from tables.test_forgetting import ANNS, Clock, everything, game, left, opened, settled

pytestmark = pytest.mark.anyio

PROGRAM = Path(__file__).with_name("forgetful.py")
KILLS = 4
MOST_LINES = 5
WAITING = KILLS * MOST_LINES
"""More tables than processes that are killed can clear, so that each blow falls while there is something to do."""


async def many_tables(house: House) -> list[str]:
    """Tables of Ann, who has written at each: some over, one being played, many that wait."""
    tables = [await game(house, f"token-of-ann {number}") for number in range(3)]
    tables.append(await game(house, "token-of-ann playing", ends=False))
    for number in range(WAITING):
        made = making("duet", token=f"token-of-ann waiting {number}", name="Ann Anders")
        tables.append(await house.make(ANN, made))
        await house.act(tables[-1], ANN, Say("token-of-ann", "words of Ann"))
        await house.act(tables[-1], BEN, Sit(1, "Ben"))
    return tables


def serve(url: str, now: int, *, lines: int | None) -> int:
    """Run a server process; kill it once it has said that many lines (None: let it end). The exit status."""
    path = os.pathsep.join([str(PROGRAM.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, str(PROGRAM), url, str(now)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as process:
        number = 0
        while next_line(process):
            number += 1
            if number == lines:
                process.kill()
        process.wait(PATIENCE)
    return process.returncode


async def named_at(store: Store, tables: list[str]) -> set[str]:
    """The tables that name Ann; each names her in all that it has of her or in nothing, and folds as it stands."""
    found = set()
    for table_id in tables:
        log = await store.read(table_id)
        replay(table_id, log)
        said = str([one.event for one in log])
        traces = text("SELECT COUNT(*) FROM traces WHERE table_id = :table AND person = :person")
        ((noted,),) = await store.rows(traces, {"table": table_id, "person": ANN.id})
        there = {ANN.id in people_of(one.event for one in log), *(word in said for word in ANNS), noted > 0}
        assert len(there) == 1, f"half of Ann is left at {table_id}: {said}"
        if True in there:
            found.add(table_id)
    return found


async def test_a_deletion_goes_on_to_its_end_however_often_its_process_is_killed(url: str) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    rng, clock = random.Random(seed), Clock()
    house = await opened(url, clock)
    tables = await many_tables(house)
    await house.close()
    naming, has_begun = set(tables), False
    for _ in range(KILLS):
        clock.now += 2 * AGAIN  # so that it is due, whoever had taken it up
        # The process goes on while its last line is read, so the blow falls anywhere in what comes next.
        lines = rng.randint(1, MOST_LINES)
        assert await asyncio.to_thread(serve, url, clock.now, lines=lines) == -9
        store = await Store.open(url)
        try:
            now_naming = await named_at(store, tables)
            notes = [person for (person,) in await store.rows(text("SELECT person FROM forgotten"))]
        finally:
            await store.close()
        # It never began, and all is there, or it stays begun, and what is still to be done is known.
        if notes or has_begun:
            assert notes == [ANN.id]
        else:
            assert now_naming == set(tables)
        has_begun = bool(notes)
        assert now_naming <= naming
        naming = now_naming
    clock.now += 2 * AGAIN
    assert await asyncio.to_thread(serve, url, clock.now, lines=None) == 0
    house = await opened(url, clock, seed=2)
    async with asyncio.timeout(PATIENCE):
        while await left(house, *ANNS):
            await settled(house, clock)
    assert "words of Ben" in await everything(house)
    for table_id in tables:
        assert (await house.look(table_id, ANN)).me is None
        assert (await house.look(table_id, BEN)).me == 1
    await house.close()
