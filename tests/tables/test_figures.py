"""What is counted of the tables: what happened, once, and when it was settled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from bots import bad_bots
from overtrick.bots.pool import Pool
from overtrick.tables import House, Refused
from overtrick.tables.commands import Move, Sit, Start
from overtrick.tables.figures import Figures
from overtrick.tables.store import Store
from tables.databases import do
from tables.setting import ANN, BEN, BOT, CAT, DAN, SeededEntropy, making, play_to_the_end

pytestmark = pytest.mark.anyio


class Read:
    """The figures as they are read."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.figures = Figures(self.registry)

    def __call__(self, name: str, **labels: str) -> float:
        found = self.registry.get_sample_value(f"overtrick_{name}", labels)
        assert found is not None, name
        return found


@pytest.fixture
def read() -> Read:
    return Read()


@pytest.fixture
async def house(url: str, anyio_backend: str, read: Read) -> AsyncIterator[House]:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), figures=read.figures)
    yield house
    await house.close()


async def game_of_two(house: House) -> str:
    table_id = await house.make(ANN, making("duet", dealer=0))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def test_a_move_counts_once_however_often_it_is_sent_and_a_refused_one_never(
    house: House, read: Read
) -> None:
    table_id = await game_of_two(house)
    assert read("moves_total") == 0
    look = await house.look(table_id, ANN)
    if look.view is None or not look.view.legal:
        look = await house.look(table_id, BEN)
    assert look.view is not None
    mover = ANN if look.me == 0 else BEN
    for _ in range(3):
        await house.act(table_id, mover, Move(look.ply, look.view.legal[0]))
    with pytest.raises(Refused):
        await house.act(table_id, mover, Move(look.ply + 7, look.view.legal[0]))
    assert read("moves_total") == 1
    assert read("bot_moves_total") == 0
    assert read("database_write_seconds_count") == 4


async def test_a_race_that_is_lost_is_counted_and_the_move_tried_again(
    url: str, house: House, read: Read
) -> None:
    elsewhere = await House.open(url, pace=0, entropy=SeededEntropy(2))
    try:
        table_id = await house.make(ANN, making("luz", seats=("me", "friend", "friend", "friend")))
        await house.act(table_id, BEN, Sit(1, "Ben"))
        await elsewhere.act(table_id, CAT, Sit(2, "Cat"))
        assert read("lost_races_total") == 0
        await house.act(table_id, DAN, Sit(3, "Dan"))  # decided on a look at the table without Cat
        assert read("lost_races_total") == 1
        assert [seat.name for seat in (await house.look(table_id, ANN)).seats] == ["Ann", "Ben", "Cat", "Dan"]
    finally:
        await elsewhere.close()


async def test_tables_in_memory_come_and_go(house: House, read: Read) -> None:
    assert read("tables_in_memory") == 0
    table_id = await game_of_two(house)
    await house.make(ANN, making("duet", token="another"))
    assert read("tables_in_memory") == 2
    await asyncio.gather(
        play_to_the_end(house, table_id, ANN, seed=1), play_to_the_end(house, table_id, BEN, seed=2)
    )
    assert read("tables_in_memory") == 1


async def test_bots_moves_are_counted_and_those_made_for_them(tmp_path: Path, read: Read) -> None:
    pool = Pool(1, bots=bad_bots.pool_entries(bad_bots.TalksNonsense, "uniform"), limit=5)
    house = await House.open(
        f"sqlite:///{tmp_path / 'tables.db'}",
        pace=0,
        pool=pool,
        entropy=SeededEntropy(1),
        figures=read.figures,
    )
    try:
        table_id = await house.make(ANN, making("duet", seats=("me", BOT), dealer=0))
        await house.act(table_id, ANN, Start())
        view = await play_to_the_end(house, table_id, ANN)
        assert view.status == "over"
        assert read("bot_moves_total") == read("bot_faults_total") > 0
        assert read("moves_total") == len(view.told)
    finally:
        await house.close()


async def test_an_outage_is_counted_once_and_shows_until_it_is_over(tmp_path: Path, read: Read) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), figures=read.figures)
    other = await Store.open(url)
    try:
        await do(other, "ALTER TABLE events RENAME TO gone")
        # A table that is not there is a fault of the database's that SQLite calls operational.
        for number in range(2):
            with pytest.raises(Refused, match="could not be saved"):
                await house.make(ANN, making("duet", token=f"token {number}"))
        assert read("database_outages_total", what="write") == 1
        assert read("database_failing", what="write") == 1
        await do(other, "ALTER TABLE gone RENAME TO events")
        await house.make(ANN, making("duet"))
        assert read("database_outages_total", what="write") == 1
        assert read("database_failing", what="write") == 0
        assert read("database_outages_total", what="read") == 0
    finally:
        await house.close()
        await other.close()
