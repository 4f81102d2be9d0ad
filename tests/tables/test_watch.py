"""One device's following of a table: what it is shown, and when it ends."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from overtrick.tables import House, Person, TableView, refusals, watch
from overtrick.tables.commands import Sit
from tables.setting import ANN, BEN, Bell, making

pytestmark = pytest.mark.anyio


async def table_of(house: House) -> str:
    return await house.make(ANN, making("duet"))


async def until(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(20):
        while not holds():
            await anyio.sleep(0.005)


async def test_a_viewer_is_shown_the_table_at_once_and_each_change_until_they_go(house: House) -> None:
    table_id, ann = await table_of(house), Bell()
    with await house.watch(table_id, ANN, ann):
        assert ann.newest is not None
        assert ann.newest.seats[1].kind == "empty"
        await house.act(table_id, BEN, Sit(1, "Ben"))
        await until(lambda: ann.newest is not None and ann.newest.seats[1].name == "Ben")
        assert house._ledger.hub.watched(table_id)
    assert not house._ledger.hub.watched(table_id)


async def test_a_look_that_cannot_be_shown_is_told_of_in_the_log_and_ends_one_viewer_alone(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Bell):
        def show(self, look: TableView) -> None:
            raise KeyError("a template")

    table_id, broken, well = await table_of(house), Broken(), Bell()
    with (
        caplog.at_level(logging.ERROR),
        await house.watch(table_id, ANN, broken),
        await house.watch(table_id, None, well),
    ):
        assert (broken.ended, broken.error) == (True, None)
        assert f"table {table_id}: a look at it could not be shown" in caplog.text
        await house.act(table_id, BEN, Sit(1, "Ben"))
        await until(lambda: well.newest is not None and well.newest.seats[1].name == "Ben")
        assert not well.ended


async def test_who_watches_stays_while_nobody_can_tell_for_whom_they_stand(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "ASK_AGAIN", 0.01)
    table_id, ann, who, asked = await table_of(house), Bell(), house.people.who, []

    async def away(device: Person) -> Any:
        asked.append(device)
        if len(asked) < 3:
            raise refusals.UNREADABLE()
        return await who(device)

    with await house.watch(table_id, ANN, ann):
        await house.act(table_id, BEN, Sit(1, "Ben"))
        await until(lambda: ann.newest is not None and ann.newest.seats[1].name == "Ben")
        house.people._remembered.clear()
        monkeypatch.setattr(house.people, "who", away)
        (follower,) = house._ledger.hub._watched[table_id].watchers
        follower.tell(house._ledger.hub._watched[table_id].newest)
        await until(lambda: house.people.remembered(ANN) == ANN)
        assert len(asked) == 3
        assert not ann.ended
