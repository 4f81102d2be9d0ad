"""Several houses over one database, as several processes are: each serves every table."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import anyio
import pytest

from overtrick.games import Record
from overtrick.tables import House, Person, Refused
from overtrick.tables.appending import LEASE
from overtrick.tables.commands import ComeBack, Make, Move, Remove, Sit, Start, StepOut
from overtrick.tables.runner import Among
from servers import Redis
from tables.setting import ANN, BEN, SeededEntropy, making, my_turn, play_to_the_end, until

pytestmark = pytest.mark.anyio

PATIENCE = 60


class Watch:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now

    async def go_on(self, house: House, seconds: int) -> None:
        """Let time go by at a house that is up: it gives its signs of life meanwhile."""
        for _ in range(0, seconds, 10):
            self.now += 10_000
            await house._upkeep._sweep()


@pytest.fixture(params=["looking", "redis"])
def redis_url(request: pytest.FixtureRequest) -> str:
    if request.param == "looking":
        return ""
    redis: Redis = request.getfixturevalue("redis")
    return redis.url


@pytest.fixture
async def houses(url: str, redis_url: str, anyio_backend: str) -> AsyncIterator[list[House]]:
    async with AsyncExitStack() as stack:
        found = []
        for number in range(2):
            house = await opened(url, f"p{number}", redis_url, seed=number)
            stack.push_async_callback(house.close)
            found.append(house)
        yield found


async def opened(
    url: str, name: str, redis_url: str = "", *, seed: int = 1, now: Watch | None = None
) -> House:
    more = {"now": now} if now else {}
    return await House.open(url, pace=0, entropy=SeededEntropy(seed), among=Among(name, redis_url), **more)


async def table_of_two(house: House, game: str = "duet", **changes: object) -> str:
    table_id = await house.make(ANN, making(game, **changes))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def test_two_people_at_two_processes_play_one_game(houses: list[House]) -> None:
    table_id = await table_of_two(houses[0])
    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(play_to_the_end, houses[0], table_id, ANN)
            tasks.start_soon(play_to_the_end, houses[1], table_id, BEN)
    assert (await houses[1].look(table_id, ANN)).status == "over"
    assert Record.of(await houses[1].record(table_id, ANN)).replay().error is None


async def test_a_look_is_never_older_than_what_another_process_has_answered(houses: list[House]) -> None:
    table_id = await table_of_two(houses[0])
    people: tuple[Person, Person] = (ANN, BEN)
    for number in range(10):
        view = await houses[number % 2].look(table_id, None)
        assert view.view is not None
        seat = view.view.to_json()["to_act"]
        mine = await houses[number % 2].look(table_id, people[seat])
        assert mine.view is not None
        answer = await houses[number % 2].act(table_id, people[seat], Move(mine.ply, mine.view.legal[0]))
        assert (await houses[1 - number % 2].look(table_id, people[seat])).seq >= answer.seq


async def test_what_seems_done_already_is_done_again_if_another_process_has_undone_it(
    houses: list[House],
) -> None:
    first, second = houses
    table_id = await first.make(ANN, making("duet"))
    for _ in range(3):
        # The second house remembers that Ben sits there; it is asked for nothing while he is removed.
        assert (await second.act(table_id, BEN, Sit(1, "Ben"))).me == 1
        assert (await first.act(table_id, ANN, Remove(1, "Ben"))).seats[1].kind == "empty"
    assert (await second.act(table_id, BEN, Sit(1, "Ben"))).me == 1
    assert (await first.look(table_id, ANN)).seats[1].name == "Ben"


async def test_a_move_is_not_decided_from_what_another_process_has_overtaken(houses: list[House]) -> None:
    table_id = await table_of_two(houses[0], dealer=1)
    mine = await houses[0].look(table_id, ANN)
    assert mine.view is not None
    answer = await houses[1].act(table_id, ANN, Move(mine.ply, mine.view.legal[0]))
    # The first house has not looked since; what it is asked for fits the game as it is now.
    theirs = await houses[1].look(table_id, BEN)
    assert theirs.view is not None
    after = await houses[0].act(table_id, BEN, Move(theirs.ply, theirs.view.legal[0]))
    assert (after.seq, after.ply) == (answer.seq + 1, 2)


async def test_ten_copies_of_a_move_at_two_processes_act_once(houses: list[House]) -> None:
    table_id = await table_of_two(houses[0], dealer=1)
    view = await houses[0].look(table_id, ANN)
    assert view.view is not None
    move = Move(view.ply, view.view.legal[0])
    async with anyio.create_task_group() as tasks:
        for number in range(10):
            tasks.start_soon(houses[number % 2].act, table_id, ANN, move)
    assert (await houses[0].look(table_id, ANN)).ply == 1


async def test_a_storm_of_people_fills_each_seat_once(houses: list[House]) -> None:
    table_id = await houses[0].make(ANN, making("luz", seats=("me", "friend", "friend", "friend")))
    people = [Person(f"{number:064x}") for number in range(12)]
    seated, refusals, rng = [], set(), random.Random(4)

    async def come(number: int) -> None:
        house = houses[number % 2]
        try:
            await house.act(table_id, people[number], Sit(rng.randint(1, 3), f"P{number}"))
            seated.append(number)
        except Refused as refused:
            refusals.add(refused.kind)

    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(come, number)
    assert refusals == {"full"}
    view = await houses[1].look(table_id, None)
    names = [seat.name for seat in view.seats if seat.kind == "person"]
    assert sorted(names) == sorted(["Ann", *(f"P{number}" for number in seated)])


async def test_bots_of_a_process_that_is_gone_move_once_its_lease_has_ended(
    url: str, anyio_backend: str
) -> None:
    watch = Watch()
    gone = await opened(url, "gone", now=watch)
    await gone._upkeep.close()  # as if it were killed between its answer and the bot's move
    table_id = await gone.make(ANN, bots_begin())
    await gone.act(table_id, ANN, Start())
    left = await opened(url, "left", seed=2, now=watch)
    watch.now += LEASE - 1
    await left._upkeep._sweep()
    assert (await left.look(table_id, ANN)).ply == 0
    watch.now += 1
    with anyio.fail_after(PATIENCE):
        view = await until(left, table_id, ANN, my_turn)
    assert view.ply > 0
    await left.close()
    gone._ledger.hub.close()
    await gone._ledger.close()


def bots_begin() -> Make:
    """A game that a bot begins."""
    return making("duet", seats=("me", "bot:uniform"), dealer=0)


async def test_a_process_that_stops_leaves_its_bots_to_others_at_once(url: str, anyio_backend: str) -> None:
    watch = Watch()
    first, second = await opened(url, "first", now=watch), await opened(url, "second", seed=2, now=watch)
    first._upkeep._closed = True
    table_id = await first.make(ANN, bots_begin())
    await first.act(table_id, ANN, Start())
    await first.close()
    with anyio.fail_after(PATIENCE):
        assert (await until(second, table_id, ANN, my_turn)).ply > 0
    await second.close()


async def test_a_clock_and_a_move_in_the_same_instant_count_once(url: str, anyio_backend: str) -> None:
    watch = Watch()
    house = await opened(url, "one", now=watch)
    table_id = await table_of_two(house, dealer=1, timing={"kind": "move", "seconds": 60})
    view = await house.look(table_id, ANN)
    assert view.view is not None
    await watch.go_on(house, 50)
    watch.now += 10_000
    house._upkeep.see_to(table_id)
    refused = None
    try:
        await house.act(table_id, ANN, Move(0, view.view.legal[0]))
    except Refused as error:
        refused = error.kind
    assert refused in (None, "not_your_turn")
    with anyio.fail_after(PATIENCE):
        seen = await until(house, table_id, BEN, lambda view: view.ply > 0)
    assert seen.seats[0].flagged is (refused is not None)
    await house.close()


async def test_a_flag_falls_without_anybody_looking_and_the_game_goes_on(
    url: str, anyio_backend: str
) -> None:
    watch = Watch()
    house = await opened(url, "one", now=watch)
    table_id = await table_of_two(house, dealer=1, timing={"kind": "move", "seconds": 60})
    await watch.go_on(house, 60)
    with anyio.fail_after(PATIENCE):
        view = await until(house, table_id, BEN, my_turn)
    assert view.seats[0].flagged
    assert view.seats[0].helped >= 1
    await house.act(table_id, ANN, ComeBack())
    await house.close()


async def test_no_clock_runs_while_no_server_does(url: str, anyio_backend: str) -> None:
    watch = Watch()
    house = await opened(url, "one", now=watch)
    table_id = await table_of_two(house, dealer=1, timing={"kind": "bank", "seconds": 60})
    watch.now += 10_000
    await house.close()
    watch.now += 3_600_000
    house = await opened(url, "one", now=watch)
    view = await house.look(table_id, ANN)
    assert view.time is not None
    assert view.time.left[0] is not None
    assert 45_000 <= view.time.left[0] <= 60_000
    assert not view.seats[0].flagged
    await house.close()


async def test_who_steps_out_has_a_bot_play_at_once(url: str, anyio_backend: str) -> None:
    house = await opened(url, "one")
    table_id = await table_of_two(house, dealer=1)
    await house.act(table_id, ANN, StepOut())
    with anyio.fail_after(PATIENCE):
        assert (await until(house, table_id, BEN, my_turn)).seats[0].helped >= 1
    await house.close()


async def test_a_table_that_nobody_ever_began_is_cleared_away(url: str, anyio_backend: str) -> None:
    watch = Watch()
    house = await opened(url, "one", now=watch)
    table_id = await house.make(ANN, making("duet"))
    watch.now += 30 * 24 * 3600 * 1000
    with anyio.fail_after(PATIENCE):
        while await is_there(house, table_id):
            await anyio.sleep(0.05)
    await house.close()


async def is_there(house: House, table_id: str) -> bool:
    try:
        await house.look(table_id, ANN)
    except Refused as refused:
        return refused.kind != "unknown"
    return True
