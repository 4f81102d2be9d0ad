"""The bots' turns: they come by themselves, survive bad bots, and are taken up at a restart."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anyio
import pytest

from bots import bad_bots
from overtrick.bots import Choice, Reason
from overtrick.bots.pool import Pool, Thought
from overtrick.games import View
from overtrick.tables import House, upkeep
from overtrick.tables.commands import Say, Start
from overtrick.tables.fold import replay
from overtrick.tables.store import Store
from tables.databases import do
from tables.setting import ANN, BOT, SeededEntropy, making, play_to_the_end, until

pytestmark = pytest.mark.anyio

DUET = making("duet", seats=("me", BOT), dealer=0)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """One kind of database is enough for what bots do."""
    return f"sqlite:///{tmp_path / 'tables.db'}"


WILD = [
    bad_bots.Raises, bad_bots.Quits, bad_bots.SpinsForEver, bad_bots.SleepsForEver, bad_bots.TalksNonsense,
    bad_bots.GivesUp, bad_bots.GivesNothing, bad_bots.GivesWhatNobodyCanRead, bad_bots.TalksTooMuch,
    bad_bots.Exits, bad_bots.IsKilled, bad_bots.CannotBeMade,
]  # fmt: skip


@pytest.mark.parametrize("bad", WILD)
async def test_a_table_with_a_bad_bot_goes_on(
    url: str, caplog: pytest.LogCaptureFixture, bad: type[bad_bots.Bad]
) -> None:
    pool = Pool(1, bots=bad_bots.pool_entries(bad, "uniform"), limit=0.05)
    house = await House.open(url, pace=0, pool=pool, entropy=SeededEntropy(1))
    table_id = await house.make(ANN, DUET)
    with caplog.at_level(logging.ERROR):
        await house.act(table_id, ANN, Start())
        view = await play_to_the_end(house, table_id, ANN)
    await house.close()
    assert view.status == "over"
    assert f"table {table_id}: bot uniform " in caplog.text
    reasons = {str(told.why) for told in view.told if told.why}
    assert reasons == {"The bot did not come up with a move; this one was made for it."}


async def test_a_bot_that_is_no_longer_there_is_played_for(url: str) -> None:
    first = await House.open(url, pace=1000)
    table_id = await first.make(ANN, DUET)
    await first.act(table_id, ANN, Start())
    await first.close()
    store = await Store.open(url)
    await do(store, "UPDATE events SET data = replace(data, 'uniform', 'forgotten')")
    await store.close()
    second = await House.open(url, pace=0)
    assert (await play_to_the_end(second, table_id, ANN)).status == "over"
    await second.close()


async def test_talk_does_not_make_a_bot_think_anew(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    house = await House.open(url, pace=1, entropy=SeededEntropy(1))
    asked: list[str] = []
    choose = house._upkeep._pool.choose

    def counted(bot: str, view: View, seed: int) -> Future[Thought]:
        asked.append(bot)
        return choose(bot, view, seed)

    monkeypatch.setattr(house._upkeep._pool, "choose", counted)
    table_id = await house.make(ANN, making("luz", seats=("me", BOT, BOT, BOT), dealer=0))
    await house.act(table_id, ANN, Start())
    with anyio.fail_after(60):
        number = 0
        while (await house.look(table_id, ANN)).ply == 0:
            number += 1
            await house.act(table_id, ANN, Say(f"token {number}", "Hello"))
            await anyio.sleep(0.2)
    assert number > 1
    assert len(asked) <= 2  # the first bot's thought, and the next one's
    await house.close()


async def test_a_bot_takes_at_least_its_pace(url: str) -> None:
    house = await House.open(url, pace=0.2, entropy=SeededEntropy(1))
    table_id = await house.make(ANN, DUET)
    await house.act(table_id, ANN, Start())
    started = anyio.current_time()
    await until(house, table_id, ANN, lambda view: view.ply == 1)
    assert anyio.current_time() - started >= 0.2
    await house.close()


@pytest.mark.parametrize("thought", [0.0, 0.1])
async def test_a_bot_takes_its_pace_from_when_its_thought_began(
    house: House, monkeypatch: pytest.MonkeyPatch, thought: float
) -> None:
    """Else a thought that had to wait in the queue would come later than a forced move that had to wait as well."""
    began: list[float] = []

    def after_a_queue(_: str, view: View, __: int) -> Future[Thought]:
        asked: Future[Thought] = Future()

        def think() -> None:
            time.sleep(0.3)
            began.append(time.monotonic())
            time.sleep(thought)
            asked.set_result(Thought(Choice(view.legal[0], Reason("because")), began=began[-1]))

        threading.Thread(target=think).start()
        return asked

    monkeypatch.setattr(house._upkeep, "_pace", 0.2)
    monkeypatch.setattr(house._upkeep._pool, "choose", after_a_queue)
    table_id = await house.make(ANN, DUET)
    await house.act(table_id, ANN, Start())
    await until(house, table_id, ANN, lambda view: view.ply == 1)
    assert time.monotonic() - began[0] >= 0.2


async def test_a_table_says_when_its_bot_cannot_think_yet(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: Future[Thought] = Future()
    pool = house._upkeep._pool
    monkeypatch.setattr(pool, "choose", lambda *_: waiting)
    table_id = await house.make(ANN, making("duet", seats=("me", "bot:strong"), dealer=0))
    assert not (await house.look(table_id, ANN)).bots_preparing
    seen = await house.act(table_id, ANN, Start())
    assert seen.view is not None
    assert seen.bots_preparing
    assert (await house.look(table_id, None)).bots_preparing
    monkeypatch.setattr(pool, "is_preparing", lambda _: False)
    assert not (await house.look(table_id, ANN)).bots_preparing


async def test_a_restart_takes_up_a_bots_turn(url: str) -> None:
    first = await House.open(url, pace=1000)
    table_id = await first.make(ANN, DUET)
    await first.act(table_id, ANN, Start())
    await first.close()
    second = await House.open(url, pace=0)
    with anyio.fail_after(10):
        view = await until(second, table_id, ANN, lambda view: view.ply > 0)
    assert view.status == "playing"
    await second.close()


@pytest.mark.parametrize("damage", ["kind = 'x'", "version = 9", "data = '{'"])
async def test_a_damaged_log_stops_its_own_bots_only(
    url: str, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    first = await House.open(url, pace=1000)
    damaged, sound = [await first.make(ANN, making("duet", token=t, seats=(BOT, BOT))) for t in ("a", "b")]
    for table_id in (damaged, sound):
        await first.act(table_id, ANN, Start())
    await first.close()
    store = await Store.open(url)
    await do(store, f"UPDATE events SET {damage} WHERE table_id = :id", id=damaged)
    await store.close()
    second = await House.open(url, pace=0)
    await until(second, sound, None, lambda view: view.status == "over")
    await second.close()
    assert f"{damaged}: the log cannot be read" in caplog.text


@pytest.mark.parametrize("fault", [OSError, ValueError])
async def test_a_write_that_fails_is_tried_again(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: type[Exception],
) -> None:
    monkeypatch.setattr(upkeep, "_FIRST_PAUSE", 0.01)
    table_id = await house.make(ANN, DUET)
    await house.act(table_id, ANN, Start())
    store, fails = house._ledger.store, [True, True]
    append = store.append

    async def sometimes(*batches: Any) -> None:
        if fails:
            fails.pop()
            raise fault("the disk is full")
        await append(*batches)

    monkeypatch.setattr(store, "append", lambda *batches: asyncio.ensure_future(sometimes(*batches)))
    with anyio.fail_after(10):
        view = await until(house, table_id, ANN, lambda view: view.view is not None and view.view.legal != ())
    assert view.ply >= 1
    # That the database fails is told once, by the store, and not for each table.
    assert ("the disk is full" in caplog.text) is (fault is ValueError)


async def test_threads_that_cannot_be_had_are_no_fault_of_the_bot(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(upkeep, "_FIRST_PAUSE", 0.01)
    pool, fails = house._upkeep._pool, [True, True]
    choose = pool.choose

    def sometimes(*asked: Any) -> Any:
        if fails:
            fails.pop()
            raise RuntimeError("no more threads")
        return choose(*asked)

    monkeypatch.setattr(pool, "choose", sometimes)
    table_id = await house.make(ANN, DUET)
    await house.act(table_id, ANN, Start())
    with anyio.fail_after(10):
        await until(house, table_id, ANN, lambda view: view.ply > 0)
    assert caplog.text.count("what is due there failed") == 2
    assert "bot uniform" not in caplog.text


async def test_a_change_written_while_the_house_closes_wakes_no_bot(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = await House.open(url, pace=0)
    table_id = await house.make(ANN, DUET)
    ledger, writing, may_write = house._ledger, anyio.Event(), anyio.Event()
    append, drain = ledger.store.append, ledger.drain

    async def slowly(*batches: Any) -> None:
        writing.set()
        await may_write.wait()
        await append(*batches)

    async def drain_now() -> None:
        may_write.set()
        await drain()

    monkeypatch.setattr(ledger.store, "append", lambda *batches: asyncio.ensure_future(slowly(*batches)))
    monkeypatch.setattr(ledger, "drain", drain_now)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(house.act, table_id, ANN, Start())
        await writing.wait()
        await house.close()
    assert not house._upkeep._tasks
    assert caplog.text == ""
    store = await Store.open(url)
    table = replay(table_id, await store.read(table_id))
    await store.close()
    assert (table.status, table.ply) == ("playing", 0)
