"""The house as the web layer uses it: whole games, repeats, races, restarts."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn

import anyio
import pytest

from overtrick.games import Record
from overtrick.tables import House, Person, Refused, TableView
from overtrick.tables.appending import LostRace
from overtrick.tables.commands import Again, Command, Leave, Make, Move, SeatBot, Sit, Start, StepOut
from overtrick.tables.events import CameBack
from overtrick.tables.ledger import Change
from overtrick.tables.outage import Unsure
from overtrick.tables.table import Table
from tables.setting import (
    ANN,
    BEN,
    BOT,
    CAT,
    SeededEntropy,
    give_up,
    making,
    my_turn,
    play_to_the_end,
    read_table,
    until,
    watched,
)

pytestmark = pytest.mark.anyio

VARIANTS: dict[str, Make] = {
    "luz-3": making(options={"players": 3}, seats=("me", BOT, BOT)),
    "luz-4": making(options={"players": 4, "bead_supply": 15}, seats=("me", BOT, BOT, BOT)),
    "luz-5": making(options={"players": 5}, seats=(BOT, "me", BOT, BOT, "bot:rules_of_thumb")),
    "duet-1": making("duet", options={"level": 1}, seats=(BOT, "me")),
    "duet-2": making("duet", options={"level": 2}, seats=("me", "bot:rules_of_thumb")),
    "duet-3": making("duet", options={"level": 3}, seats=("me", BOT), dealer=1),
}


async def begun(house: House, command: Make | None = None) -> str:
    """A table of Ann's, begun."""
    table_id = await house.make(ANN, command or VARIANTS["duet-1"])
    await house.act(table_id, ANN, Start())
    return table_id


async def test_a_race_that_was_lost_to_nobody_is_run_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.make(ANN, VARIANTS["duet-1"])
    commit, lost = house._ledger.commit, []

    async def unlucky(*changes: Change) -> None:
        if not lost:
            lost.append(changes)
            raise LostRace  # as a database does that found two transactions in each other's way
        await commit(*changes)

    monkeypatch.setattr(house._ledger, "commit", unlucky)
    assert (await house.act(table_id, ANN, Start())).status == "playing"
    assert lost


async def duet_of_two(house: House) -> str:
    """Ann and Ben at a Duet table, Ann to lead."""
    table_id = await house.make(ANN, making("duet", dealer=1))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def at_once(times: int, work: Callable[[int], Awaitable[Any]]) -> list[Any]:
    """The answers, or refusals, of that many calls at the same time."""
    answers: list[Any] = [None] * times

    async def one(number: int) -> None:
        try:
            answers[number] = await work(number)
        except Refused as refused:
            answers[number] = refused.kind

    async with anyio.create_task_group() as tasks:
        for number in range(times):
            tasks.start_soon(one, number)
    return answers


@pytest.mark.parametrize("variant", VARIANTS)
async def test_a_whole_game_with_bots_ends_and_its_record_replays(house: House, variant: str) -> None:
    table_id = await begun(house, VARIANTS[variant])
    view = await play_to_the_end(house, table_id, ANN)
    record = json.loads(json.dumps(await house.record(table_id, ANN)))
    replayed = Record.of(record).replay()
    assert replayed.error is None
    assert replayed.position.over
    outcome = replayed.position.outcome()
    assert view.view is not None
    assert outcome is not None
    assert view.view.to_json()["result"] == outcome.to_json()
    assert len(record["moves"]) == view.ply == replayed.played


async def test_bots_alone_play_to_the_end_while_people_watch(house: House) -> None:
    table_id = await begun(house, making("duet", seats=(BOT, BOT)))
    for viewer in (ANN, None):
        assert (await until(house, table_id, viewer, lambda view: view.status == "over")).me is None


async def test_a_record_says_who_played_and_when(house: House) -> None:
    table_id = await begun(house)
    await give_up(house, table_id, ANN)
    meta = (await house.record(table_id, ANN))["meta"]
    assert meta["seats"] == [{"bot": "uniform"}, {"name": "Ann"}]
    assert meta["date"].startswith("20")
    assert ANN.id not in json.dumps(meta)


async def test_no_record_before_the_end(house: House) -> None:
    table_id = await house.make(ANN, making("duet"))
    with pytest.raises(Refused, match="not started"):
        await house.record(table_id, ANN)
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    with pytest.raises(Refused, match="still going on"):
        await house.record(table_id, ANN)


async def test_an_unknown_table_is_refused_everywhere(house: House) -> None:
    calls: list[Awaitable[Any]] = [
        house.look("no", ANN),
        house.act("no", ANN, Start()),
        house.record("no", ANN),
        anext(watched(house, "no", None)),
    ]
    for call in calls:
        with pytest.raises(Refused) as refused:
            await call
        assert refused.value.kind == "unknown"


async def test_a_refused_command_leaves_no_trace(house: House, url: str) -> None:
    table_id = await duet_of_two(house)
    before = (await read_table(url, table_id)).seq
    refused: list[tuple[Person, Command]] = [
        (BEN, Move(0, "play:D1")),
        (CAT, Leave()),
        (ANN, SeatBot(1, "uniform")),
    ]
    for person, command in refused:
        with pytest.raises(Refused):
            await house.act(table_id, person, command)
    assert (await read_table(url, table_id)).seq == before


async def test_ten_copies_of_one_move_act_once(house: House, url: str) -> None:
    table_id = await duet_of_two(house)
    view = (await house.look(table_id, ANN)).view
    assert view is not None
    move = Move(0, view.legal[0])
    answers = await at_once(10, lambda _: house.act(table_id, ANN, move))
    assert all(isinstance(answer, TableView) for answer in answers)
    assert [moved.said for moved in (await read_table(url, table_id)).moves] == [move.move]


async def test_of_ten_different_moves_at_once_one_acts(house: House, url: str) -> None:
    table_id = await duet_of_two(house)
    view = (await house.look(table_id, ANN)).view
    assert view is not None
    moves = view.legal[:10]
    answers = await at_once(10, lambda number: house.act(table_id, ANN, Move(0, moves[number])))
    assert sorted(answer for answer in answers if isinstance(answer, str)) == ["stale"] * 9
    assert len((await read_table(url, table_id)).moves) == 1


async def test_ten_copies_of_make_make_one_table(house: House) -> None:
    command = making(public=True)
    made = await at_once(10, lambda _: house.make(ANN, command))
    assert len(set(made)) == 1
    assert await house.make(ANN, command) == made[0]
    assert len(await house.open_tables()) == 1


async def test_a_token_is_a_persons_own(house: House) -> None:
    assert await house.make(ANN, making()) != await house.make(BEN, making())


async def test_one_of_ten_gets_the_last_seat(house: House) -> None:
    table_id = await house.make(ANN, making())
    answers = await at_once(10, lambda n: house.act(table_id, Person(f"guest {n}"), Sit(1, f"Guest {n}")))
    assert sorted(answer for answer in answers if isinstance(answer, str)) == ["full"] * 9


async def test_two_starts_at_once_deal_once(house: House, url: str) -> None:
    table_id = await house.make(ANN, making("duet", seats=("me", "friend")))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await at_once(5, lambda _: house.act(table_id, ANN, Start()))
    assert len((await read_table(url, table_id)).deals) == 1


async def test_again_leads_everybody_to_one_next_table(house: House) -> None:
    table_id = await duet_of_two(house)
    await give_up(house, table_id, ANN, BEN)
    views = await at_once(10, lambda number: house.act(table_id, (ANN, BEN)[number % 2], Again()))
    (next_table,) = {view.next_table for view in views}
    new = await house.look(next_table, BEN)
    assert (new.status, new.me, [seat.name for seat in new.seats]) == ("waiting", 1, ["Ann", "Ben"])
    assert (await house.look(table_id, None)).next_table is None


async def test_only_a_table_that_is_listed_leads_strangers_to_the_next(house: House) -> None:
    table_id = await house.make(ANN, making("duet", public=True))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    await give_up(house, table_id, ANN, BEN)
    next_table = (await house.act(table_id, ANN, Again())).next_table
    assert next_table is not None
    assert (await house.look(table_id, None)).next_table == next_table


async def test_the_lobby_shows_public_tables_until_they_start(house: House) -> None:
    table_id = await house.make(ANN, making("duet", public=True))
    (summary,) = await house.open_tables()
    assert (summary.id, summary.game, summary.names, summary.free) == (table_id, "duet", ("Ann",), 1)
    await house.act(table_id, ANN, SeatBot(1, "uniform"))
    assert await house.open_tables() == []


async def test_a_watcher_sees_anothers_move(house: House) -> None:
    table_id = await duet_of_two(house)
    views = watched(house, table_id, BEN)
    first = await anext(views)
    assert first.view is not None
    leader = (await house.look(table_id, ANN)).view
    assert leader is not None
    await house.act(table_id, ANN, Move(0, leader.legal[0]))
    second = await anext(views)
    assert (first.ply, second.ply) == (0, 1)
    assert second.me == 1
    await views.aclose()


async def test_a_finished_table_that_nobody_watches_is_let_go(house: House) -> None:
    table_id = await duet_of_two(house)
    views = watched(house, table_id, BEN)
    await anext(views)
    await give_up(house, table_id, ANN, BEN)
    assert table_id in house._ledger._kept
    await views.aclose()
    assert table_id not in house._ledger._kept
    assert (await house.look(table_id, ANN)).status == "over"
    assert table_id not in house._ledger._kept


@pytest.fixture
async def small_house(url: str, anyio_backend: str) -> AsyncIterator[House]:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), kept=2)
    yield house
    await house.close()


async def test_tables_that_drop_out_of_memory_come_back_from_the_log(small_house: House) -> None:
    tables = [await small_house.make(ANN, making("duet", token=str(n))) for n in range(6)]
    for table_id in tables:
        await small_house.act(table_id, BEN, Sit(1, "Ben"))
        await small_house.act(table_id, ANN, Start())
    for table_id in tables:
        view = await small_house.look(table_id, BEN)
        assert (view.status, view.me) == ("playing", 1)
    assert len(small_house._ledger._kept) == 2


async def test_a_watched_table_is_never_read_again_however_many_others_are_kept(
    small_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, watchers = [], []
    for n in range(6):
        tables.append(await small_house.make(ANN, making("duet", token=str(n))))
        watchers.append(watched(small_house, tables[-1], ANN))
        await anext(watchers[-1])

    async def read(*_: object, **__: object) -> NoReturn:
        raise AssertionError("the log was read")

    monkeypatch.setattr(small_house._ledger.store, "read", read)
    for table_id in tables:
        assert (await small_house.act(table_id, BEN, Sit(1, "Ben"))).seats[1].name == "Ben"
    for watcher in watchers:
        await watcher.aclose()


async def test_a_house_that_has_fallen_behind_catches_up_and_goes_on(house: House, url: str) -> None:
    table_id = await duet_of_two(house)
    other = await House.open(url, pace=0, entropy=SeededEntropy(2))
    for ply in range(8):
        here, person = ((house, ANN), (other, BEN))[ply % 2]
        position = (await read_table(url, table_id)).position
        assert position is not None
        person = (ANN, BEN)[position.to_act or 0]
        said = position.view(position.to_act).legal[0]
        view = await here.act(table_id, person, Move(ply, said))
        assert view.ply == ply + 1
    await other.close()


async def test_a_caller_who_goes_away_leaves_no_half_done_move(house: House, url: str) -> None:
    table_id = await duet_of_two(house)
    leader = (await house.look(table_id, ANN)).view
    assert leader is not None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(house.act, table_id, ANN, Move(0, leader.legal[0]))
        while not house._ledger._writes:
            await anyio.sleep(0)
        tasks.cancel_scope.cancel()
    view = await until(house, table_id, BEN, lambda view: view.ply == 1)
    assert view.seq == (await read_table(url, table_id)).seq


@pytest.mark.parametrize("error", [None, LostRace(), Unsure(), ValueError("unforeseen")])
async def test_a_write_whose_caller_has_gone_is_seen_to_the_end_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception | None
) -> None:
    ledger, writes = house._ledger, [asyncio.get_running_loop().create_future()]
    table = await ledger.table(await duet_of_two(house))
    told: list[int] = []
    ledger.on_change(lambda changed: told.append(changed.seq))
    monkeypatch.setattr(ledger.store, "append", lambda *_: writes[0])
    committing = asyncio.create_task(ledger.commit(Change(table.id, table, (CameBack(0),), table.at)))
    await anyio.sleep(0)
    committing.cancel()
    await asyncio.wait((committing,))
    if error is None:
        writes[0].set_result(None)
    else:
        writes[0].set_exception(error)
    async with asyncio.timeout(10):
        await ledger.drain()
    assert not ledger._writes
    assert told == ([table.seq + 1] if error is None else [])
    writes.clear()
    gc.collect()  # whatever nobody has looked at is told of now
    assert caplog.text == ""


async def test_a_listener_that_fails_keeps_nobody_else_from_being_told(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table_id, told = await duet_of_two(house), []

    def fails(_: Table) -> None:
        raise ValueError("unforeseen")

    house._ledger.on_change(fails)
    house._ledger.on_change(lambda table: told.append(table.id))
    view = await house.act(table_id, BEN, StepOut())
    assert told[:1] == [table_id]
    assert view.seq == (await house.look(table_id, BEN)).seq
    assert "a change could not be told" in caplog.text
    caplog.clear()


async def test_a_house_that_closed_and_opened_again_goes_on(url: str) -> None:
    first = await House.open(url, pace=0, entropy=SeededEntropy(1))
    table_id = await begun(first, VARIANTS["luz-3"])
    await until(first, table_id, ANN, my_turn)
    await first.close()
    second = await House.open(url, pace=0, entropy=SeededEntropy(2))
    view = await play_to_the_end(second, table_id, ANN)
    assert view.status == "over"
    await second.close()


async def test_watchers_are_let_go_when_the_house_closes(url: str) -> None:
    house = await House.open(url, pace=0)
    table_id = await duet_of_two(house)
    seen: list[int] = []

    async def watch() -> None:
        async for view in watched(house, table_id, None):
            seen.append(view.seq)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            while not seen:
                await anyio.sleep(0)
            await house.close()
    assert len(seen) == 1
