"""Accounts on real databases: claimed by a guest, logged in to from other devices, shut out everywhere."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest
from sqlalchemy import text

from overtrick.tables import Among, House, Person, Refused, people
from overtrick.tables.commands import Move, Sit, Start
from overtrick.tables.outage import Unsure
from tables.setting import ANN, BEN, CAT, DAN, SeededEntropy, making, watched

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"
PHONE, LAPTOP = (Person(letter * 64) for letter in "67")


async def refused(work: object) -> str:
    with pytest.raises(Refused) as error:
        await work  # type: ignore[misc]
    return error.value.msgid


async def seated(house: House) -> str:
    """A game between Ann and Ben, begun."""
    table_id = await house.make(ANN, making("duet", dealer=0))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def test_who_claims_a_name_keeps_every_seat_and_finds_them_on_another_device(house: House) -> None:
    table_id = await seated(house)
    assert await house.people.account(ANN) is None
    await house.people.claim(ANN, " Ann ", PASSWORD)
    account = await house.people.account(ANN)
    assert account is not None
    assert (account.name, account.person) == ("Ann", ANN.id)
    await house.people.log_in(PHONE, "ANN", PASSWORD)
    for device in (ANN, PHONE):
        view = await house.look(table_id, device)
        assert (view.me, view.is_host) == (0, True)
        assert [table.id for table in (await house.tables_of(device)).going_on] == [table_id]
    assert (await house.look(table_id, LAPTOP)).me is None
    made = await house.make(PHONE, making("duet", token="2"))
    assert (await house.look(made, ANN)).me == 0


async def test_log_out_everywhere_shuts_out_every_device_and_the_first_secret_too(house: House) -> None:
    table_id = await seated(house)
    await house.people.claim(ANN, "Ann", PASSWORD)
    await house.people.log_in(PHONE, "Ann", PASSWORD)
    streams = [watched(house, table_id, device) for device in (ANN, PHONE)]
    other = watched(house, table_id, BEN)
    assert [(await anext(stream)).me for stream in (*streams, other)] == [0, 0, 1]
    house.shut_out(await house.people.log_out_everywhere(PHONE))
    for stream in streams:
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
    for device in (ANN, PHONE):
        assert (await house.look(table_id, device)).me is None
        assert (await house.tables_of(device)).going_on == ()
        with pytest.raises(Refused):
            await house.act(table_id, device, Move(0, "play:D1"))
    # Nobody else is told anything by it.
    with anyio.move_on_after(0.2):
        await anext(other)
        raise AssertionError("a look that shows that somebody has logged out")
    await other.aclose()
    # The first device is a guest like any other from now on, and can come back by its password.
    await house.people.claim(ANN, "Anna", PASSWORD)
    await house.people.log_out_everywhere(ANN)
    assert await house.people.account(ANN) is None
    await house.people.log_in(LAPTOP, "Ann", PASSWORD)
    assert (await house.look(table_id, LAPTOP)).me == 0


async def test_logging_out_ends_one_device_alone(house: House) -> None:
    table_id = await seated(house)
    await house.people.claim(ANN, "Ann", PASSWORD)
    await house.people.log_in(PHONE, "Ann", PASSWORD)
    assert await house.people.log_out(PHONE) == ANN
    assert (await house.look(table_id, PHONE)).me is None
    assert (await house.look(table_id, ANN)).me == 0


async def test_a_changed_password_shuts_the_other_devices_out(house: House) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    await house.people.log_in(PHONE, "Ann", PASSWORD)
    assert await refused(house.people.change_password(PHONE, "wrong one", "another one")) == (
        "That is not your password."
    )
    await refused(house.people.change_password(PHONE, PASSWORD, "short"))
    await house.people.change_password(PHONE, PASSWORD, "another one")
    assert await house.people.account(PHONE)
    assert await house.people.account(ANN) is None
    await refused(house.people.log_in(LAPTOP, "Ann", PASSWORD))
    await house.people.log_in(LAPTOP, "Ann", "another one")


async def test_a_password_that_is_changed_while_it_is_looked_at_opens_nothing_any_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    passwords = house.people._passwords
    fits, changes = passwords.fits, iter(("second one", "third one", "fourth one"))
    now = PASSWORD

    async def overtaken(password: str, kept: str | None) -> bool:
        """Somebody else is faster, once this one has been found to fit."""
        nonlocal now
        found = await fits(password, kept)
        monkeypatch.setattr(passwords, "fits", fits)
        old, now = now, next(changes)
        await house.people.change_password(ANN, old, now)
        return found

    monkeypatch.setattr(passwords, "fits", overtaken)
    assert "no account" in await refused(house.people.log_in(PHONE, "Ann", now))
    assert await house.people.account(PHONE) is None
    monkeypatch.setattr(passwords, "fits", overtaken)
    assert (
        await refused(house.people.change_password(ANN, now, "another one")) == "That is not your password."
    )
    await house.people.log_in(PHONE, "Ann", now)
    assert await house.people.account(PHONE) is not None
    monkeypatch.setattr(passwords, "fits", overtaken)
    assert await refused(house.people.leave(PHONE, now, 1)) == "That is not your password."
    assert await house.people.account(ANN) is not None


async def test_a_name_is_claimed_once_however_it_is_written(house: House) -> None:
    await house.people.claim(ANN, "Ann Ö", PASSWORD)
    for name in ("Ann Ö", "ANN ö", "ａnn o\u0308"):
        assert "under that name" in await refused(house.people.claim(BEN, name, PASSWORD))
    assert await house.people.account(BEN) is None
    assert "already" in await refused(house.people.claim(ANN, "Other", PASSWORD))


async def test_of_many_who_claim_a_name_at_once_one_gets_it(house: House) -> None:
    got = []

    async def claim(device: Person) -> None:
        try:
            await house.people.claim(device, "Ann", PASSWORD)
            got.append(device)
        except Refused:
            pass

    async with anyio.create_task_group() as tasks:
        for device in (ANN, BEN, CAT, DAN):
            tasks.start_soon(claim, device)
    assert len(got) == 1
    assert [await house.people.account(device) is not None for device in (ANN, BEN, CAT, DAN)].count(
        True
    ) == 1


@pytest.mark.parametrize("password", ["", "1234567", "x" * 201])
async def test_a_password_too_short_or_too_long_is_refused(house: House, password: str) -> None:
    assert "A password has" in await refused(house.people.claim(ANN, "Ann", password))
    assert await house.people.account(ANN) is None


@pytest.mark.parametrize("password", ["12345678", "        ", "пароль паролів", "x" * 200, "\ud800" * 8])
async def test_a_password_may_consist_of_anything(house: House, password: str) -> None:
    await house.people.claim(ANN, "Ann", password)
    await house.people.log_in(PHONE, "Ann", password)
    assert await house.people.account(PHONE)


async def test_an_unknown_name_and_a_wrong_password_are_refused_alike(house: House) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    tries = [
        ("Ann", "wrong password"),
        ("Nobody", PASSWORD),
        ("\u202e", PASSWORD),
        ("", ""),
        ("Ann", "x" * 300),
    ]
    said = {await refused(house.people.log_in(PHONE, name, password)) for name, password in tries}
    assert said == {"There is no account with that name and that password."}
    assert await house.people.account(PHONE) is None


async def test_a_password_at_work_does_not_hold_the_loop_up(house: House) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    beats, done = 0, anyio.Event()

    async def beat() -> None:
        nonlocal beats
        while not done.is_set():
            await anyio.sleep(0.001)
            beats += 1

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(beat)
        assert not await house.people._passwords.fits("wrong password", None)
        done.set()
    assert beats > 1, "nothing else went on meanwhile"


async def test_no_password_and_no_secret_is_kept_as_it_is(house: House) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    (row,) = await house._ledger.store.rows(text("SELECT password FROM accounts"))
    assert row.password.startswith("$argon2id$v=19$m=65536,t=3,p=4$"), "as slow as decision 49 has it"
    assert PASSWORD not in row.password


async def test_an_account_outlives_a_restart_and_is_known_to_another_process(url: str) -> None:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1))
    table_id = await seated(house)
    await house.people.claim(ANN, "Ann", PASSWORD)
    other = await House.open(url, pace=0, entropy=SeededEntropy(2))
    await other.people.log_in(PHONE, "Ann", PASSWORD)
    assert (await house.look(table_id, PHONE)).me == 0
    assert (await other.look(table_id, ANN)).me == 0
    await house.close()
    await other.close()


async def test_who_was_shut_out_by_another_process_is_so_here_after_a_while(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "REMEMBERED_FOR", 0.0)
    one = await House.open(url, pace=0, among=Among("one"))
    other = await House.open(url, pace=0, among=Among("two"))
    await one.people.claim(ANN, "Ann", PASSWORD)
    assert (await other.people.who(ANN)) == ANN
    await one.people.log_out_everywhere(ANN)
    assert (await other.people.who(ANN)) != ANN
    await one.close()
    await other.close()


async def test_a_process_that_is_alone_asks_once_for_whom_a_device_stands(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    await house.people.log_in(PHONE, "Ann", PASSWORD)
    assert await house.people.who(PHONE) == ANN
    asked = house._ledger.store.rows
    monkeypatch.setattr(house._ledger.store, "rows", None)
    assert await house.people.who(PHONE) == ANN
    monkeypatch.setattr(house._ledger.store, "rows", asked)
    await house.people.log_out(PHONE)
    assert await house.people.who(PHONE) == PHONE


async def test_a_change_of_accounts_is_asked_for_anew_though_whoever_asked_has_gone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    write = house._ledger.store.write
    begun, may_go_on, written = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def late(work: Any) -> None:
        begun.set()
        await may_go_on.wait()
        await write(work)
        written.set()

    monkeypatch.setattr(house._ledger.store, "write", late)
    asked = asyncio.create_task(house.people.log_out(ANN))
    await begun.wait()
    asked.cancel()
    await asyncio.wait([asked])
    assert asked.cancelled()
    assert await house.people.who(ANN) == ANN
    ending = asyncio.create_task(house.people.drain())
    await asyncio.sleep(0)
    assert not ending.done()
    may_go_on.set()
    async with asyncio.timeout(60):
        await ending
    assert written.is_set()
    assert await house.people.who(ANN) != ANN


async def test_a_change_of_accounts_is_asked_for_anew_though_its_end_is_unknown(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.people.claim(ANN, "Ann", PASSWORD)
    assert await house.people.who(ANN) == ANN
    write = house._ledger.store.write

    async def breaking_off(work: Any) -> None:
        await write(work)
        raise Unsure

    monkeypatch.setattr(house._ledger.store, "write", breaking_off)
    with pytest.raises(Refused, match="counts once only"):
        await house.people.log_out(ANN)
    monkeypatch.setattr(house._ledger.store, "write", write)
    assert await house.people.who(ANN) != ANN
