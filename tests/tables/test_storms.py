"""What comes in the same instant at several processes, and what stands still while a server is gone."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import anyio
import pytest

from overtrick.games import Record
from overtrick.tables import House, Person, Refused
from overtrick.tables.commands import Command, Leave, Move, Pause, Resume, Sit, Start
from overtrick.tables.events import Flagged, Moved
from overtrick.tables.record import record
from overtrick.tables.store import Store
from tables.setting import ANN, BEN, making, my_turn, read_table, until
from tables.test_many import Watch, opened, table_of_two

pytestmark = pytest.mark.anyio

PATIENCE = 120
PEOPLE = [Person(f"{number:064x}") for number in range(1, 9)]
MOVE_TIME = {"kind": "move", "seconds": 60, "flag": "forfeit"}


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def houses(url: str, watch: Watch, anyio_backend: str) -> AsyncIterator[list[House]]:
    made = [await opened(url, f"p{number}", seed=number, now=watch) for number in range(2)]
    yield made
    for house in made:
        with anyio.fail_after(PATIENCE):
            await house.close()


async def test_a_storm_of_people_who_sit_down_leave_and_start_leaves_one_sound_game(
    houses: list[House], url: str
) -> None:
    seats = ("me", "friend", "friend")
    table_id = await houses[0].make(ANN, making(options={"players": 3}, seats=seats))
    refusals: set[str] = set()

    async def come_and_go(number: int) -> None:
        rng = random.Random(number)
        for step in range(6):
            choices: list[Command] = [Sit(rng.randint(1, 2), f"P{number}"), Leave()]
            await attempt(houses[(number + step) % 2], PEOPLE[number], choices[step % 2])

    async def attempt(house: House, person: Person, command: Command) -> None:
        try:
            await house.act(table_id, person, command)
        except Refused as refused:
            refusals.add(refused.kind)

    async def start() -> None:
        for step in range(4):
            await attempt(houses[step % 2], ANN, Start())

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as tasks:
            for number in range(len(PEOPLE)):
                tasks.start_soon(come_and_go, number)
            tasks.start_soon(start)
        for number, person in enumerate(PEOPLE):
            for seat in (1, 2):
                await attempt(houses[number % 2], person, Sit(seat, f"P{number}"))
        await attempt(houses[1], ANN, Start())
        table = await read_table(url, table_id)
        assert table.status == "playing"
        sitters = [next(iter(seat.people)) for seat in table.seats if hasattr(seat, "people")]
        assert len(sitters) == len(set(sitters)) == 3
        assert "unavailable" not in refusals
        for sitter in map(Person, sitters):
            views = [await house.look(table_id, sitter) for house in houses]
            assert views[0].to_json() == views[1].to_json()
            assert views[0].me is not None


@pytest.mark.parametrize("first", ["clock", "move"])
async def test_a_clock_a_move_and_a_bot_in_the_same_instant_at_two_processes_count_once(
    houses: list[House], url: str, watch: Watch, first: str
) -> None:
    made = making("duet", seats=("me", "bot:uniform"), dealer=1, timing=MOVE_TIME)
    table_id = await houses[0].make(ANN, made)
    view = await houses[0].act(table_id, ANN, Start())
    assert view.view is not None
    move, refusals = Move(0, view.view.legal[0]), set()
    await houses[1].look(table_id, ANN)
    for house in houses:
        await watch.go_on(house, 20)
    watch.now += 20_000

    async def clock() -> None:
        for house in houses:  # both find it due, whoever has the lease
            house._upkeep.see_to(table_id)

    async def play() -> None:
        try:
            await houses[0].act(table_id, ANN, move)
        except Refused as refused:
            refusals.add(refused.kind)

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as tasks:
            for work in (clock, play) if first == "clock" else (play, clock):
                tasks.start_soon(work)
        await until(houses[1], table_id, ANN, my_turn)
    assert refusals <= {"over", "not_your_turn", "stale"}
    store = await Store.open(url)
    events = [logged.event for logged in await store.read(table_id)]
    await store.close()
    flags = [event for event in events if isinstance(event, Flagged)]
    moves = [event for event in events if isinstance(event, Moved)]
    table = await read_table(url, table_id)
    assert len(moves) == table.ply
    if flags:
        assert (len(flags), [event.said for event in moves], table.status) == (1, ["resign"], "over")
    else:
        assert (moves[0].seat, moves[0].said, table.to_act) == (0, move.move, 0)


async def test_two_processes_that_let_the_same_bots_play_make_each_move_once(
    houses: list[House], url: str
) -> None:
    made = making("duet", seats=("bot:uniform",) * 2)
    table_id = await houses[0].make(ANN, made)
    await houses[0].act(table_id, ANN, Start())
    with anyio.fail_after(PATIENCE):
        while (table := await read_table(url, table_id)).status != "over":
            for house in houses:
                house._upkeep.see_to(table_id)
            await anyio.sleep(0.01)
    assert Record.of(record(table, made_at=None)).replay().error is None


async def test_a_pause_lasts_through_a_restart_and_no_clock_runs_in_it(
    url: str, watch: Watch, anyio_backend: str
) -> None:
    house = await opened(url, "one", now=watch)
    table_id = await table_of_two(house, dealer=1, timing={"kind": "bank", "seconds": 60})
    watch.now += 10_000
    for person in (ANN, BEN):
        before = await house.act(table_id, person, Pause())
    assert before.time is not None
    assert (before.time.paused, before.time.left[0]) == (True, 50_000)
    await house.close()
    watch.now += 3_600_000
    house = await opened(url, "one", now=watch)
    await watch.go_on(house, 100)
    after = await house.look(table_id, ANN)
    assert after.time is not None
    assert (after.time.paused, after.time.left) == (True, before.time.left)
    going_on = await house.act(table_id, BEN, Resume())
    assert going_on.time is not None
    assert (going_on.time.paused, going_on.time.left[0]) == (False, 50_000)
    assert not going_on.seats[0].flagged
    await house.close()
