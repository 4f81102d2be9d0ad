"""Deleting what is kept of a person, on real databases: all of it, everywhere, whatever stops it on the way."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from overtrick.seals import verify
from overtrick.tables import Among, House, Person, Refused
from overtrick.tables.commands import Again, Join, Move, Say, Sit, Start
from overtrick.tables.forgetting import AGAIN
from overtrick.tables.schema import METADATA
from tables.databases import do
from tables.setting import ANN, BEN, CAT, DAN, SeededEntropy, give_up, making, until, watched

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"
PHONE = Person("6" * 64)
ANNS = ("Ann Anders", "words of Ann", "token-of-ann", ANN.id)
PATIENCE = 30.0


class Clock:
    """The time of a house, which a test moves on."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now


async def opened(url: str, clock: Clock, seed: int = 1, among: Among | None = None) -> House:
    return await House.open(url, pace=0, entropy=SeededEntropy(seed), now=clock, among=among, key=b"k" * 32)


async def game(house: House, token: str = "token-of-ann", *, ends: bool = True, **wishes: Any) -> str:
    """A game of Duet between Ann, its host, and Ben, in which both have written something."""
    table_id = await house.make(ANN, making("duet", token=token, name="Ann Anders", dealer=0, **wishes))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Say("token-of-ann", "words of Ann"))
    await house.act(table_id, BEN, Say("t", "words of Ben"))
    await house.act(table_id, ANN, Start())
    if ends:
        await give_up(house, table_id, ANN, BEN)
    return table_id


async def everything(house: House) -> str:
    """All rows of all tables of the database."""
    found = []
    for table in METADATA.sorted_tables:
        rows = await house._ledger.store.rows(table.select())
        found += [f"{table.name}: {tuple(row)}" for row in rows]
    return "\n".join(found)


async def left(house: House, *words: str) -> list[str]:
    """Which of these words any row holds."""
    kept = await everything(house)
    return [word for word in words if word in kept]


async def settled(house: House, clock: Clock) -> None:
    """What happens by itself a minute later."""
    clock.now += AGAIN
    await house._forgetting.look()


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_nothing_of_a_guest_is_left_in_any_row(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    await game(house)
    await game(house, "second", ends=False)
    await house.make(ANN, making("duet", token="third", name="Ann Anders"))
    assert await left(house, *ANNS) == list(ANNS)
    assert await house.forget(ANN)
    kept = await everything(house)
    assert not any(word in kept for word in ANNS[:3])
    # Who it was is noted until it is sure that no other process has written anything meanwhile.
    assert next(line for line in kept.splitlines() if ANN.id in line).startswith("forgotten: ")
    await settled(house, clock)
    assert await left(house, *ANNS) == []
    assert "words of Ben" in await everything(house)
    data = await house.data_of(ANN)
    assert not any(data.values())
    await house.close()


async def test_the_others_keep_their_game_its_record_and_its_seals(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house)
    before, mine = await house.record(table_id, BEN), await house.tables_of(BEN)
    clock.now += 1_000_000
    assert await house.forget(ANN)
    record = await house.record(table_id, BEN)
    assert record["meta"].pop("seats") == [{"name": ""}, {"name": "Ben"}]
    before["meta"].pop("seats")
    assert record == before
    assert verify("duet", record["deals"], record["meta"]["seals"], whole=3)
    (now,), (then,) = (await house.tables_of(BEN)).over, mine.over
    assert now.sitters == ({"name": ""}, {"name": "Ben"})
    # Neither the list nor the log says when she went.
    assert now.changed_at == then.changed_at
    view = await house.look(table_id, BEN)
    assert ([message.text for message in view.chat], view.is_host) == (["words of Ben"], True)
    await house.close()


async def test_what_is_left_of_a_game_replays_after_a_restart(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house, ends=False)
    await house.forget(ANN)
    await until(house, table_id, BEN, lambda view: view.ply > 0 or bool(view.view and view.view.legal))
    seen = (await house.look(table_id, BEN)).to_json()
    await house.close()
    house = await opened(url, clock)
    assert (await house.look(table_id, BEN)).to_json() == seen
    assert (seen["seats"][0]["name"], seen["seats"][0]["stand_in"]) == (None, "medium")
    await house.close()


async def test_an_account_asks_its_password_and_then_ends_with_every_device(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house)
    await house.people.claim(ANN, "Ann Anders", PASSWORD)
    await house.people.log_in(PHONE, "Ann Anders", PASSWORD)
    for wrong in ("", "wrong password"):
        with pytest.raises(Refused) as refused:
            await house.forget(PHONE, wrong)
        assert refused.value.msgid == "That is not your password."
    assert (await house.look(table_id, ANN)).me == 0
    assert await house.forget(PHONE, PASSWORD)
    for device in (ANN, PHONE):
        assert await house.people.account(device) is None
        assert (await house.look(table_id, device)).me is None
        assert (await house.tables_of(device)).over == ()
    with pytest.raises(Refused):
        await house.people.log_in(CAT, "Ann Anders", PASSWORD)
    await house.people.claim(CAT, "Ann Anders", PASSWORD)
    await settled(house, clock)
    await house.people.log_out(CAT)
    assert ANN.id not in await everything(house)
    await house.close()


async def test_asking_twice_or_ten_times_at_once_is_asking_once(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house)
    assert all(await asyncio.gather(*(house.forget(ANN) for _ in range(10))))
    seq = (await house.look(table_id, BEN)).seq
    assert await house.forget(ANN)
    await settled(house, clock)
    assert await house.forget(ANN)
    assert (await house.look(table_id, BEN)).seq <= seq + 1
    assert (await everything(house)).count("\nforgotten: ") == 1
    await house.close()


async def test_who_was_never_here_leaves_no_row(house: House) -> None:
    before = await everything(house)
    assert await house.forget(DAN)
    assert await everything(house) == before


async def test_a_secret_goes_on_as_a_guest_who_sits_nowhere(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house, ends=False)
    await house.forget(ANN)
    with pytest.raises(Refused):
        await house.act(table_id, ANN, Move(0, "play:D1"))
    made = await house.make(ANN, making("duet", token="again", name="Anna"))
    await settled(house, clock)
    assert (await house.look(made, ANN)).me == 0
    assert await house.forget(ANN)
    assert (await house.look(made, ANN)).me is None
    await house.close()


async def test_what_a_crash_left_undone_is_done_after_the_restart(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    tables = [await game(house, f"t{number}") for number in range(3)]
    await house.people.claim(ANN, "Ann Anders", PASSWORD)
    # As far as a process comes that dies after the first of three tables.
    person = await house.people.leave(ANN, PASSWORD, clock.now + AGAIN)
    assert person is not None
    await house._forgetting.forget_at(tables[0], person)
    assert (await house.look(tables[1], ANN)).me is None
    await house.close()
    clock.now += AGAIN
    house = await opened(url, clock, seed=2)
    with anyio.fail_after(PATIENCE):
        while await left(house, *ANNS[:3]):
            await anyio.sleep(0.02)
        while await left(house, *ANNS):  # the house itself may be at it yet
            await settled(house, clock)
    await house.close()


async def test_a_process_that_was_behind_is_cleared_up_after(url: str, clock: Clock) -> None:
    """The other process still takes her device for her, and lets her sit down once more."""
    house = await opened(url, clock)
    other = await opened(url, clock, seed=2, among=Among("other"))
    table_id, open_table = await game(house), await other.make(CAT, making("duet", token="c", name="Cat"))
    assert (await other.look(table_id, ANN)).me == 0
    await house.forget(ANN)
    await other.act(open_table, ANN, Sit(1, "Ann Anders"))
    await settled(house, clock)
    assert await left(house, "Ann Anders") == []
    assert (await other.look(open_table, CAT)).seats[1].kind == "empty"
    await settled(house, clock)
    assert await left(house, *ANNS) == []
    await other.close()
    await house.close()


async def test_watchers_of_every_process_follow(url: str, clock: Clock) -> None:
    house = await opened(url, clock, among=Among("one"))
    other = await opened(url, clock, seed=2, among=Among("two"))
    table_id = await game(house, ends=False)
    hers, his = watched(house, table_id, ANN), watched(other, table_id, BEN)
    assert (await anext(hers)).me == 0
    assert (await anext(his)).seats[0].name == "Ann Anders"
    await house.forget(ANN)
    with anyio.fail_after(PATIENCE):
        assert [view.me async for view in hers] in ([], [None])
        while (view := await anext(his)).seats[0].name is not None:
            pass
    assert (view.seats[0].stand_in, view.is_host) == ("medium", True)
    assert "Ann" not in json.dumps(view.to_json())
    await his.aclose()
    await other.close()
    await house.close()


async def test_the_private_link_and_the_next_table_know_nobody(url: str, clock: Clock) -> None:
    house = await opened(url, clock)
    table_id = await game(house)
    secret = await house.link(table_id, ANN)
    await house.act(table_id, CAT, Join(secret))
    await house.forget(ANN)
    with pytest.raises(Refused):
        await house.act(table_id, DAN, Join(secret))
    assert (await house.look(table_id, CAT)).me is None
    view = await house.act(table_id, BEN, Again())
    assert view.next_table is not None
    after = await house.look(view.next_table, BEN)
    assert [seat.kind for seat in after.seats] == ["empty", "person"]
    await house.close()


async def test_no_copy_of_the_files_holds_a_name_any_more(tmp_path: Path, clock: Clock) -> None:
    house = await opened(f"sqlite:///{tmp_path / 'tables.db'}", clock)
    for number in range(20):
        await game(house, f"{'token-of-ann'}{number}", ends=bool(number % 2))
    await house.people.claim(ANN, "Ann Anders", PASSWORD)

    def files() -> bytes:
        return b"".join(file.read_bytes() for file in tmp_path.iterdir())

    assert [word for word in ANNS if word.encode() in files()] == list(ANNS)
    assert await house.forget(ANN, PASSWORD)
    await settled(house, clock)
    assert [word for word in ANNS if word.encode() in files()] == []
    assert b"words of Ben" in files()
    await house.close()


async def test_a_log_that_cannot_be_read_holds_up_no_other_table(
    url: str, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    house = await opened(url, clock)
    broken, sound = await game(house), await game(house, "second")
    await do(house, "UPDATE events SET version = 99 WHERE table_id = :id AND seq = 2", id=broken)
    assert not await house.forget(ANN)
    assert (await house.look(sound, BEN)).seats[0].name is None
    await settled(house, clock)
    assert f"table {broken}: deleting somebody's data failed" in caplog.text
    await do(house, "UPDATE events SET version = 1 WHERE table_id = :id", id=broken)
    clock.now += 3_600_000
    await settled(house, clock)
    await settled(house, clock)
    assert await left(house, *ANNS) == []
    await house.close()
