"""What whoever runs a house does about tables that offend, on real databases, beside a house that serves them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from overtrick.games import Record
from overtrick.seals import verify
from overtrick.tables import House, Person, Refused, fanout
from overtrick.tables.commands import Again, Command, Join, Leave, Say, Sit, Start, StepOut
from overtrick.tables.duties import FORGOTTEN, due, is_forgotten
from overtrick.tables.events import Closed, Event, Hidden
from overtrick.tables.fold import fold_all
from overtrick.tables.forgotten import forget
from overtrick.tables.housekeeping import Standing, close, hide, housekeeping
from overtrick.tables.record import record
from overtrick.tables.result import Result, result_of
from overtrick.tables.table import Table
from tables.setting import (
    ANN,
    BEN,
    BOT,
    Desk,
    SeededEntropy,
    finished,
    give_up,
    logged,
    making,
    playing,
    until,
    waiting,
)
from tables.setting import watched as watched_by

pytestmark = pytest.mark.anyio

EVE = Person("e" * 64)
PATIENCE = 30.0
PUBLIC = {"public": True, "watching": "everybody", "dealer": 0}


@pytest.fixture
async def house(url: str, anyio_backend: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house that serves the tables alone, as far as it knows, and looks into the log often."""
    monkeypatch.setattr(fanout, "ALONE", 0.05)
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), key=b"k" * 32)
    yield house
    await house.close()


async def of_two(house: House, *, starts: bool = True, token: str = "token") -> str:
    """A public table of Duet at which Ann and Ben sit."""
    table_id = await house.make(ANN, making("duet", token=token, **PUBLIC))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    if starts:
        await house.act(table_id, ANN, Start())
    return table_id


async def refusal(house: House, table_id: str, person: Person | None, command: Command | Join | None) -> str:
    asked = house.look(table_id, person) if command is None else house.act(table_id, person or EVE, command)
    with pytest.raises(Refused) as refused:
        await asked
    assert refused.value.kind == "forbidden"
    return str(refused.value)


async def noticed(house: House, table_id: str) -> None:
    """Wait until the house knows that the table is closed."""
    async with asyncio.timeout(PATIENCE):
        while not (await house._ledger.table(table_id)).closed:
            await asyncio.sleep(0.02)


async def drained(views: AsyncIterator[object]) -> None:
    """Take whatever comes."""
    async for _ in views:
        pass


def after(table: Table, *events: Event) -> Table:
    return fold_all(table, logged(events, table.at))


async def test_it_lists_what_the_front_page_lists(house: House, url: str) -> None:
    waits = await house.make(ANN, making("duet", token="waits", **PUBLIC))
    plays = await of_two(house, token="plays")
    await house.make(ANN, making("duet", token="private"))
    async with housekeeping(url) as keeping:
        found = [(status, table.id, table.names) for status, table in await keeping.listed()]
    assert found == [("waiting", waits, ("Ann",)), ("playing", plays, ("Ann", "Ben"))]


async def test_a_hidden_table_is_on_no_front_page_and_goes_on(house: House, url: str) -> None:
    waits = await house.make(ANN, making("duet", token="waits", **PUBLIC))
    plays = await of_two(house, token="plays")
    async with housekeeping(url) as keeping:
        assert await keeping.do(waits, hide) == Standing("waiting", "duet", ("Ann",), done=True)
        assert await keeping.do(plays, hide) == Standing("playing", "duet", ("Ann", "Ben"), done=True)
        assert await keeping.do(plays, hide) == Standing("playing", "duet", ("Ann", "Ben"), done=False)
        assert await keeping.listed() == []
    assert await house.open_tables() == await house.games_to_watch() == []
    await house.act(waits, BEN, Sit(1, "Ben"))
    assert (await house.look(waits, ANN)).public is False
    await give_up(house, plays, ANN, BEN)
    assert (await house.look(plays, EVE)).watching == "link"
    after_it = (await house.act(plays, ANN, Again())).next_table
    assert after_it is not None
    assert await house.open_tables() == [], "the next table of the same people is hidden too"


async def test_a_closed_table_is_shown_to_nobody_and_tells_why(house: House, url: str) -> None:
    table_id = await of_two(house)
    secret = await house.link(table_id, BEN)
    async with housekeeping(url) as keeping:
        assert await keeping.do(table_id, close) == Standing("playing", "duet", ("Ann", "Ben"), done=True)
        assert not (await keeping.do(table_id, close)).done
    asked = (Say("t", "Hello"), Sit(0, "Eve"), StepOut(), Leave(), Again())
    closed, kept = "The house has closed this table.", "The game is over, and its record is kept."
    for person in (ANN, BEN, EVE, None):
        acts = asked if person in (ANN, EVE) else ()
        said = {await refusal(house, table_id, person, command) for command in (*acts, None)}
        assert said == {f"{closed} {kept}" if person in (ANN, BEN) else closed}
    assert await refusal(house, table_id, EVE, Join(secret)) == closed
    with pytest.raises(Refused, match=f"^{closed}$"):
        await house.linked_seat(table_id, secret, EVE)


async def test_a_table_that_is_closed_before_its_game_has_no_record_to_speak_of(
    house: House, url: str
) -> None:
    table_id = await of_two(house, starts=False)
    async with housekeeping(url) as keeping:
        assert (await keeping.do(table_id, close)).done
    assert await refusal(house, table_id, ANN, Leave()) == "The house has closed this table."


@pytest.mark.parametrize("starts", [True, False])
async def test_whoever_watches_is_told_though_nobody_acts(house: House, url: str, starts: bool) -> None:
    table_id = await of_two(house, starts=starts)
    views = watched_by(house, table_id, EVE)
    assert (await anext(views)).status == ("playing" if starts else "waiting")
    async with housekeeping(url) as keeping:
        await keeping.do(table_id, close)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Refused) as refused:
            await drained(views)
    assert "closed this table" in str(refused.value)


async def test_a_table_that_nobody_watches_and_that_is_in_memory_is_closed_there_too(
    house: House, url: str
) -> None:
    table_id = await of_two(house)
    async with housekeeping(url) as keeping:
        await keeping.do(table_id, close)
    await noticed(house, table_id)
    await refusal(house, table_id, EVE, None)


async def test_a_bot_goes_on_at_a_hidden_table_and_stops_at_a_closed_one(house: House, url: str) -> None:
    table_id = await house.make(ANN, making("duet", seats=(BOT, "me"), **PUBLIC | {"dealer": 1}))
    async with housekeeping(url) as keeping:
        await house.act(table_id, ANN, Start())
        await keeping.do(table_id, hide)
        async with asyncio.timeout(PATIENCE):
            view = await until(house, table_id, ANN, lambda view: bool(view.view and view.view.legal))
        await keeping.do(table_id, close)
    assert view.ply > 0
    assert "closed" in await refusal(house, table_id, ANN, StepOut())
    assert (await house._ledger.reload(table_id)).bot_to_act is None


async def test_those_who_played_keep_the_record_and_their_list_says_who_ended_it(
    house: House, url: str
) -> None:
    table_id = await of_two(house)
    async with housekeeping(url) as keeping:
        await keeping.do(table_id, close)
    await noticed(house, table_id)
    for person in (ANN, BEN):
        found = await house.record(table_id, person)
        (mine,) = (await house.tables_of(person)).over
        assert mine.result == {"winners": [], "forfeited": [], "by_house": True}
    assert found["meta"]["ended"] == "by the house"
    replayed = Record.of(found).replay()
    assert (replayed.error, replayed.position.over) == (None, False)
    assert verify("duet", found["deals"], found["meta"]["seals"], whole=3)
    for person in (EVE, None):
        with pytest.raises(Refused):
            await house.record(table_id, person)


async def test_a_person_of_a_closed_table_gets_and_deletes_their_data(house: House, url: str) -> None:
    tables = [await of_two(house, token="plays"), await of_two(house, starts=False, token="waits")]
    async with housekeeping(url) as keeping:
        for table_id in tables:
            await keeping.do(table_id, close)
    data = await house.data_of(ANN)
    assert (list(data["records"]), list(data["looks"]), data["unreadable"]) == (tables[:1], tables[1:], [])
    assert await house.forget(ANN)
    assert (await house.tables_of(ANN)).over == ()
    assert [seat.get("name") for seat in (await house.record(tables[0], BEN))["meta"]["seats"]] == ["", "Ben"]


async def test_a_table_that_there_is_not_is_a_sentence(url: str) -> None:
    async with housekeeping(url) as keeping:
        with pytest.raises(Refused) as refused:
            await keeping.do("no-such-table", close)
    assert refused.value.kind == "unknown"


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_closed_game_has_no_winner_and_a_finished_one_keeps_its_own(game: str) -> None:
    desk = playing(game)
    closed = after(desk.table, Closed())
    assert (closed.status, closed.to_act, due(closed)) == ("over", None, None)
    assert result_of(closed) == Result((), by_house=True)
    over = finished(game).table
    kept = after(over, Closed())
    assert result_of(kept) == result_of(over)
    assert record(kept, made_at=None) == record(over, made_at=None)


def test_a_table_closed_before_its_start_is_cleared_away_as_any_that_waited() -> None:
    table = after(waiting("duet").table, Closed())
    assert table.status == "over"
    assert due(table) == table.at + FORGOTTEN
    assert not is_forgotten(table, table.at)
    assert is_forgotten(table, table.at + FORGOTTEN)
    assert result_of(table) == Result((), by_house=True)
    assert forget(table, logged([]), EVE.id)[0].KIND == "forgotten"


def test_a_table_that_is_over_or_listed_nowhere_has_nothing_to_hide() -> None:
    assert hide(finished("duet", **PUBLIC).table) == ()
    assert hide(waiting("duet").table) == ()
    desk = Desk(after(waiting("duet", **PUBLIC).table, Hidden()))
    assert hide(desk.table) == ()
