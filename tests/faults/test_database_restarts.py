"""PostgreSQL ends, in all its ways, and comes back while people and bots play."""

from __future__ import annotations

import signal

import anyio
import anyio.to_thread
import pytest

from faults.people import Notes, assert_whole, first_move, play_on, seated
from overtrick.tables import House, Refused
from servers import Postgres
from tables.setting import ANN, BEN, BOT, SeededEntropy, read_table, watched

pytestmark = pytest.mark.anyio

PATIENCE = 120.0
BLOWS = [signal.SIGQUIT, signal.SIGINT, signal.SIGQUIT]
"""At once, as a power cut would; and in order, breaking every line off."""
MOVES_BETWEEN = 20


async def test_restarts_under_load_lose_no_answered_move_and_double_none(
    own_postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    url, notes = own_postgres.new_url(), Notes()
    house = await House.open(url, pace=0, entropy=SeededEntropy(1))
    with_people = [await seated(house, f"people {number}") for number in range(5)]
    with_bots = [await seated(house, f"bots {number}", partner=BOT) for number in range(2)]
    seen: dict[str, str] = {}

    async def watch(table_id: str) -> None:
        async for view in watched(house, table_id, None):
            seen[table_id] = view.status
            if view.status == "over":
                return

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as tasks:
            for table_id in with_people + with_bots:
                tasks.start_soon(watch, table_id)
                tasks.start_soon(play_on, house, table_id, ANN, notes)
            for table_id in with_people:
                tasks.start_soon(play_on, house, table_id, BEN, notes)
            for blow in BLOWS:
                await strike(own_postgres, blow, notes)
    assert set(seen.values()) == {"over"}
    await house.close()
    for table_id in with_people:
        table = await assert_whole(url, table_id, notes)
        assert len(table.moves) == sum(answered == table_id for answered, _ in notes.answered)
    for table_id in with_bots:
        await assert_whole(url, table_id, notes)
    assert "The database can be written to again" in caplog.text
    assert "Traceback" not in caplog.text


async def strike(postgres: Postgres, blow: signal.Signals, notes: Notes) -> None:
    """After some more moves, end the server until somebody has felt it; then start it again."""
    moves, refused = len(notes.answered), notes.refused
    while len(notes.answered) < moves + MOVES_BETWEEN:
        await anyio.sleep(0.01)
    await anyio.to_thread.run_sync(postgres.stop, blow)
    while notes.refused == refused:
        await anyio.sleep(0.01)
    postgres.start()  # not in a worker thread: the server would end with it


async def test_while_it_is_gone_people_look_and_are_told_that_nothing_has_happened(
    own_postgres: Postgres,
) -> None:
    url = own_postgres.new_url()
    house = await House.open(url, pace=0)
    table_id = await seated(house)
    move = first_move(await read_table(url, table_id))
    views = watched(house, table_id, BEN)
    assert (await anext(views)).ply == 0
    own_postgres.stop()
    with pytest.raises(Refused, match="could not be saved, so nothing has happened") as refused:
        await house.act(table_id, ANN, move)
    assert refused.value.kind == "unavailable"
    assert (await house.look(table_id, ANN)).ply == 0
    with pytest.raises(Refused, match="cannot be read just now"):
        await house.look("another-table", ANN)
    with pytest.raises(Refused, match="cannot be read just now"):
        await house.open_tables()
    own_postgres.start()
    assert (await read_table(url, table_id)).ply == 0
    assert (await house.act(table_id, ANN, move)).ply == 1
    assert (await anext(views)).ply == 1
    assert await house.open_tables() == []
    await views.aclose()
    await house.close()


async def test_a_restart_between_two_commands_is_not_even_noticed(own_postgres: Postgres) -> None:
    url = own_postgres.new_url()
    house = await House.open(url, pace=0)
    table_id = await seated(house)
    own_postgres.stop()
    own_postgres.start()
    assert (await house.act(table_id, ANN, first_move(await read_table(url, table_id)))).ply == 1
    await house.close()


async def test_a_house_closes_while_the_database_is_gone(own_postgres: Postgres) -> None:
    house = await House.open(own_postgres.new_url(), pace=0)
    await seated(house, partner=BOT)
    own_postgres.stop()
    with anyio.fail_after(PATIENCE):
        await house.close()
    own_postgres.start()
