"""The tables of one person, from the store's own rows."""

from __future__ import annotations

import pytest

from overtrick.tables import House, Person, Refused
from overtrick.tables.commands import Again, ComeBack, Leave, Pause, Sit, Start, StepOut
from tables.setting import ANN, BEN, CAT, SeededEntropy, give_up, making

pytestmark = pytest.mark.anyio


async def made(house: House, token: str, **changes: object) -> str:
    return await house.make(ANN, making("duet", token=token, **changes))


async def played(house: House, token: str) -> str:
    """A game between Ann and Ben that they gave up at once."""
    table_id = await made(house, token, dealer=0)
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    await give_up(house, table_id, ANN, BEN)
    return table_id


async def going_on(house: House, person: Person) -> list[str]:
    return [table.id for table in (await house.tables_of(person)).going_on]


async def test_tables_that_wait_for_me_come_first_then_running_ones_then_those_that_wait_for_people(
    url: str,
) -> None:
    now = iter(range(1_000_000))
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), now=lambda: next(now))
    running = await made(house, "running", dealer=0)
    mine = await made(house, "mine", dealer=1)
    ready = await made(house, "ready")
    for table_id in (running, mine, ready):
        await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(mine, ANN, Start())
    await house.act(running, ANN, Start())
    empty = await made(house, "empty")
    tables = await house.tables_of(ANN)
    assert [table.id for table in tables.going_on] == [mine, ready, running, empty]
    assert [table.waits_for_me for table in tables.going_on] == [True, True, False, False]
    assert [table.awaits for table in tables.going_on] == [0, 0, 1, None]
    assert (tables.over, tables.more) == ((), None)
    # Ben leads where he deals not, and does not host.
    first = (await house.tables_of(BEN)).going_on[0]
    assert (first.id, first.me) == (running, 1)
    await house.close()


async def test_a_game_that_a_bot_plays_for_me_waits_for_nobody_and_says_why(house: House) -> None:
    table_id = await made(house, "t", dealer=1, timing={"away": 600})
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    for person in (ANN, BEN):
        await house.act(table_id, person, Pause())
    await house.act(table_id, ANN, StepOut())
    # Paused, so that the bot does not move on meanwhile: Ben alone plays, and wants the clocks to stand.
    (mine,), (others,) = [(await house.tables_of(person)).going_on for person in (ANN, BEN)]
    assert (mine.awaits, mine.waits_for_me, mine.bot_plays) == (None, False, True)
    assert not others.bot_plays
    await house.act(table_id, ANN, ComeBack())
    (mine,) = (await house.tables_of(ANN)).going_on
    assert not mine.bot_plays


async def test_a_seat_given_up_is_no_longer_among_mine(house: House) -> None:
    table_id = await made(house, "t")
    assert await going_on(house, BEN) == []
    await house.act(table_id, BEN, Sit(1, "Ben"))
    assert await going_on(house, BEN) == [table_id]
    await house.act(table_id, BEN, Leave())
    assert await going_on(house, BEN) == []
    assert await going_on(house, ANN) == [table_id]


async def test_finished_games_stay_reachable_in_pages_the_latest_first(url: str) -> None:
    now = iter(range(1_000_000))
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), now=lambda: next(now))
    ids = [await played(house, str(number)) for number in range(5)]
    # Going on to the next game does not make an old one young.
    view = await house.act(ids[0], ANN, Again())
    assert await going_on(house, BEN) == [view.next_table]
    found, before = [], None
    while True:
        page = await house.tables_of(BEN, before=before, most=2)
        found.append([table.id for table in page.over])
        if page.more is None:
            break
        before = page.more
        assert (before == found[-1][-1]) is False
    assert found == [[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]
    assert (await house.tables_of(CAT)).over == ()
    await house.close()


async def test_games_that_ended_in_the_same_instant_are_each_listed_once(url: str) -> None:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), now=lambda: 5)
    ids = {await played(house, str(number)) for number in range(3)}
    first = await house.tables_of(ANN, most=2)
    second = await house.tables_of(ANN, before=first.more, most=2)
    assert sorted(table.id for table in first.over + second.over) == sorted(ids)
    await house.close()


@pytest.mark.parametrize("before", ["", "x", "1", "1.", "1.a'; --", "9" * 40 + ".a", "-1.a"])
async def test_a_page_that_is_none_is_refused(house: House, before: str) -> None:
    with pytest.raises(Refused) as refused:
        await house.tables_of(ANN, before=before)
    assert refused.value.kind == "invalid"


async def test_a_list_says_nothing_that_its_reader_may_not_know(house: House) -> None:
    table_id = await made(house, "t", dealer=0)
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    (table,) = (await house.tables_of(BEN)).going_on
    text = repr(table) + repr(table.to_json())
    assert ANN.id not in text
    assert BEN.id not in text
    assert "deal'" not in text.replace("'dealer'", "")
