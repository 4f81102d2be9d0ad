"""Deleting what is kept of a person where something fails, hangs, or is at it already: it goes on, and once only."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from overtrick.tables import Among, House, Person, background
from overtrick.tables.forgetting import AGAIN, FAILED_AGAIN
from overtrick.tables.people import People
from tables.databases import do
from tables.setting import ANN, BEN, CAT, making, watched
from tables.test_forgetting import ANNS, Clock, game, left, opened, settled

pytestmark = pytest.mark.anyio

PATIENCE = 30.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_a_look_that_takes_its_cancelling_for_a_failure_holds_up_no_stop(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []

    async def stubborn(_people: People, _now: int, _due_at: int) -> Person | None:
        looks.append(1)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            if len(looks) > 1:
                raise
            raise OSError("the line is gone") from None
        return None

    monkeypatch.setattr(background, "AGAIN", 0.01)
    monkeypatch.setattr("overtrick.tables.forgetting.LOOK_EVERY", 0)
    monkeypatch.setattr(People, "next_to_clear", stubborn)
    house = await opened(f"sqlite:///{tmp_path / 'tables.db'}", clock)
    async with asyncio.timeout(PATIENCE):
        while not looks:
            await asyncio.sleep(0)
        await house.close()


async def test_who_asks_as_the_house_closes_is_forgotten_by_the_next(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house)
    await house._forgetting.close()
    assert not await house.forget(ANN)
    assert not house._forgetting._tasks
    assert (await house.look(table_id, ANN)).me is None
    await house.close()
    clock.now += AGAIN
    house = await opened(url, clock, seed=2)
    async with asyncio.timeout(PATIENCE):
        while await left(house, *ANNS):
            await settled(house, clock)
    await house.close()


async def test_lines_end_before_the_first_table_is_cleared(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house, ends=False)
    hers, his = watched(house, table_id, ANN), watched(house, table_id, BEN)
    assert ((await anext(hers)).me, (await anext(his)).me) == (0, 1)
    await house._forgetting.close()
    await house.forget(ANN)
    async with asyncio.timeout(PATIENCE):
        assert [view async for view in hers] == []
    assert (await house.look(table_id, BEN)).seats[0].name == "Ann Anders"
    await his.aclose()
    await house.close()


async def test_a_table_at_which_it_fails_holds_up_no_other_table_and_nobody_else(
    url: str, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    house = await opened(url, clock)
    broken, *sound = sorted([await game(house, f"token-of-ann{number}") for number in range(3)])
    cats = await house.make(CAT, making("duet", token="c", name="Cat Carter"))
    # What Ben writes comes from no seat then.
    await do(house, "DELETE FROM events WHERE table_id = :id AND seq = 3 AND kind = 'sat'", id=broken)
    for person in (ANN, CAT):
        assert await house.people.leave(person, "", clock.now) == person
    await settled(house, clock)
    assert f"table {broken}: deleting somebody's data failed" in caplog.text
    for table_id in sound:
        assert (await house.look(table_id, BEN)).seats[0].name is None
    assert (await house.look(cats, BEN)).seats[0].kind == "empty"
    assert await left(house, "Cat Carter") == []
    due = "SELECT due_at FROM forgotten WHERE person = :id"
    ((due_at,),) = await house._ledger.store.rows(text(due), {"id": ANN.id})
    assert abs(due_at - clock.now - FAILED_AGAIN) < AGAIN
    await house.close()


async def test_a_table_that_names_somebody_no_more_gets_no_event_of_nobody(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house, ends=False)
    await house.forget(ANN)
    log = await house._ledger.store.read(table_id)
    for person in (ANN, CAT):
        await house._forgetting.forget_at(table_id, person)
    assert await house._ledger.store.read(table_id) == log
    await house.close()


async def test_nobody_else_takes_up_what_takes_one_process_long(
    url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await opened(url, clock)
    other = await opened(url, clock, seed=2, among=Among("other"))
    for number in range(4):
        await game(house, f"token-of-ann{number}")
    taken_up = []
    forget_at = house._forgetting.forget_at

    async def slow(table_id: str, person: Person) -> None:
        clock.now += AGAIN // 2
        taken_up.append(await other.people.next_to_clear(clock.now, clock.now + AGAIN))
        await forget_at(table_id, person)

    monkeypatch.setattr(house._forgetting, "forget_at", slow)
    assert await house.forget(ANN)
    assert taken_up == [None] * 4
    await settled(house, clock)
    assert await left(house, *ANNS) == []
    await other.close()
    await house.close()


async def test_who_is_found_to_be_gone_is_not_noted_anew_by_whoever_was_slower(house: House) -> None:
    await game(house)
    await house.forget(ANN)
    await house.people.look_again(ANN, None)
    await house.people.look_again(ANN, 7)
    assert await left(house, *ANNS) == []


async def test_files_that_could_not_be_settled_are_settled_later(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a slow machine the house's own next look would be under way as the test looks, which then does nothing.
    monkeypatch.setattr("overtrick.tables.forgetting.LOOK_EVERY", 600)
    house = await opened(f"sqlite:///{tmp_path / 'tables.db'}", clock)
    await game(house)

    def kept() -> bytes:
        return b"".join(file.read_bytes() for file in tmp_path.iterdir())

    reader = sqlite3.connect(tmp_path / "tables.db")
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM events").fetchone()[0]
    await house.forget(ANN)
    await settled(house, clock)
    assert ANN.id.encode() in kept()
    reader.close()
    await settled(house, clock)
    assert [word for word in ANNS if word.encode() in kept()] == []
    await house.close()
