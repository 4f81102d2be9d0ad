"""The line to PostgreSQL breaks in the middle of a commit: whether it counts is unknown, and repeating it acts once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import anyio
import pytest
from sqlalchemy.engine import make_url

from faults.people import first_move, seated
from overtrick.tables import House, Refused
from overtrick.tables.commands import Again, Make, Start
from servers import Postgres
from tables.setting import ANN, BEN, BOT, SeededEntropy, give_up, making, read_table, until

pytestmark = pytest.mark.anyio

PATIENCE = 60.0


class Relay:
    """Stands between a house and PostgreSQL and cuts the line at a commit when it is told to.

    `cut`: "after" the server has committed and before the house hears of it, or "before" the server gets it.
    """

    def __init__(self, port: int) -> None:
        self.cut = ""
        self.cuts = 0
        self._port = port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, house: asyncio.StreamReader, to_house: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        database, to_database = await asyncio.open_connection("127.0.0.1", self._port)
        back = asyncio.create_task(self._pass_on(database, to_house))
        try:
            while data := await house.read(65536):
                if self.cut and b"COMMIT" in data:
                    cut, self.cut = self.cut, ""
                    self.cuts += 1
                    back.cancel()
                    await asyncio.gather(back, return_exceptions=True)
                    if cut == "after":
                        to_database.write(data)
                        await database.read(1)  # the server's answer: it has committed
                    return
                to_database.write(data)
        finally:
            back.cancel()
            for writer in (to_database, to_house):
                with suppress(OSError):
                    writer.transport.abort()
            self._tasks.discard(task)

    async def _pass_on(self, source: asyncio.StreamReader, goal: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                goal.write(data)
        goal.close()  # the server has hung up, which the house waits for


@pytest.fixture
async def relay(postgres: Postgres, anyio_backend: str) -> AsyncIterator[Relay]:
    made = Relay(postgres.port)
    yield made
    await made.stop()


@pytest.fixture
def direct(postgres: Postgres) -> str:
    return postgres.new_url()


@pytest.fixture
async def house(direct: str, relay: Relay) -> AsyncIterator[House]:
    port = await relay.start()
    url = make_url(direct).set(port=port).render_as_string(hide_password=False)
    house = await House.open(url, pace=0, entropy=SeededEntropy(1))
    yield house
    await house.close()


@pytest.mark.parametrize("cut", ["before", "after"])
async def test_a_move_that_is_repeated_counts_once(house: House, relay: Relay, direct: str, cut: str) -> None:
    table_id = await seated(house)
    move = first_move(await read_table(direct, table_id))
    relay.cut = cut
    with pytest.raises(Refused, match="do it again: it counts once only") as refused:
        await house.act(table_id, ANN, move)
    assert (refused.value.kind, relay.cuts) == ("unavailable", 1)
    assert (await read_table(direct, table_id)).ply == (1 if cut == "after" else 0)
    assert (await house.act(table_id, ANN, move)).ply == 1
    assert [moved.said for moved in (await read_table(direct, table_id)).moves] == [move.move]


async def test_others_see_a_move_that_counts_even_if_nobody_repeats_it(
    house: House, relay: Relay, direct: str
) -> None:
    table_id = await seated(house)
    move = first_move(await read_table(direct, table_id))
    relay.cut = "after"
    with pytest.raises(Refused):
        await house.act(table_id, ANN, move)
    with anyio.fail_after(PATIENCE):
        assert (await until(house, table_id, BEN, lambda view: view.ply == 1)).me == 1


@pytest.mark.parametrize("cut", ["before", "after"])
async def test_a_bot_goes_on_by_itself(house: House, relay: Relay, direct: str, cut: str) -> None:
    table_id = await house.make(ANN, making("duet", seats=("me", BOT), dealer=1))
    await house.act(table_id, ANN, Start())
    move = first_move(await read_table(direct, table_id))
    await house.act(table_id, ANN, move)
    relay.cut = cut  # the bot follows, and its commit or a later one is cut
    with anyio.fail_after(PATIENCE):
        await until(house, table_id, ANN, lambda view: view.view is not None and bool(view.view.legal))
    assert len((await read_table(direct, table_id)).moves) >= 2


@pytest.mark.parametrize("cut", ["before", "after"])
async def test_a_table_that_is_made_again_is_one_table(
    house: House, relay: Relay, direct: str, cut: str
) -> None:
    command: Make = making("duet", public=True)
    relay.cut = cut
    with pytest.raises(Refused, match="counts once only"):
        await house.make(ANN, command)
    table_id = await house.make(ANN, command)
    assert [summary.id for summary in await house.open_tables()] == [table_id]


@pytest.mark.parametrize("cut", ["before", "after"])
async def test_again_leads_to_one_next_table(house: House, relay: Relay, direct: str, cut: str) -> None:
    table_id = await seated(house)
    await give_up(house, table_id, ANN, BEN)
    relay.cut = cut
    with pytest.raises(Refused, match="counts once only"):
        await house.act(table_id, ANN, Again())
    first = (await house.act(table_id, ANN, Again())).next_table
    second = (await house.act(table_id, BEN, Again())).next_table
    assert first is not None
    assert first == second == (await read_table(direct, table_id)).next_table
