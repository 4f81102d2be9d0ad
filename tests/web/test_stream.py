"""Viewers slow and quick: what they are sent, and when they are cut off."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from overtrick.web import stream
from overtrick.web.stream import Teller

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


BROKEN = 13
"""The number of a look of which no message can be made."""


class Reader:
    """The other end: takes messages, or not."""

    def __init__(self) -> None:
        self.got: list[Any] = []
        self.ended: list[Exception | None] = []
        self.taking = asyncio.Event()
        self.taking.set()
        self.teller = Teller(
            self.send,
            self.message,
            self.ended.append,  # type: ignore[arg-type]
        )

    def message(self, look: Any) -> Any:
        if look.seq == BROKEN:
            raise KeyError("a template's fault")
        return {"look": look.seq} if look.seq else None

    async def send(self, message: Any) -> None:
        await self.taking.wait()
        self.got.append(message)

    def show(self, seq: int) -> None:
        self.teller.show(SimpleNamespace(seq=seq, id="one"))  # type: ignore[arg-type]


async def test_who_takes_what_is_sent_gets_it_before_anything_else_can_run() -> None:
    reader, tasks = Reader(), asyncio.all_tasks()
    for seq in (1, 0, 2):
        reader.show(seq)
    assert reader.got == [{"look": 1}, {"look": 2}]
    assert asyncio.all_tasks() == tasks


@pytest.mark.parametrize("slow", [False, True])
async def test_a_look_that_cannot_be_shown_is_logged_and_ends_that_viewer_alone(
    caplog: pytest.LogCaptureFixture, *, slow: bool
) -> None:
    reader = Reader()
    if slow:
        reader.taking.clear()
        reader.show(1)
    reader.show(BROKEN)
    reader.taking.set()
    while not reader.ended:
        await asyncio.wait_for(asyncio.sleep(0), 10)
    assert reader.ended == [None]
    assert [record.getMessage() for record in caplog.records] == [
        "table one: a look at it could not be shown"
    ]
    assert caplog.records[0].exc_info is not None


async def test_who_is_slow_gets_the_newest_look_and_no_sign_of_life_meanwhile() -> None:
    reader = Reader()
    reader.taking.clear()
    for seq in range(1, 50):
        reader.show(seq)
        reader.teller.send({"sign": "of life"})  # type: ignore[typeddict-item,misc]
    reader.taking.set()
    while len(reader.got) < 2:
        await asyncio.wait_for(asyncio.sleep(0), 10)
    reader.show(50)
    assert reader.got == [{"look": 1}, {"look": 49}, {"look": 50}]
    assert reader.ended == []


async def test_who_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "STALLED_AFTER", 0.02)
    reader = Reader()
    reader.taking.clear()
    reader.show(1)
    async with asyncio.timeout(10):
        while not reader.ended:
            await asyncio.sleep(0.005)
    assert isinstance(reader.ended[0], TimeoutError)
    reader.teller.close()


async def test_a_line_that_breaks_ends_the_telling() -> None:
    ended: list[Exception | None] = []

    async def broken(_: Any) -> None:
        raise ConnectionError

    Teller(broken, lambda _: None, ended.append).send({"sign": "of life"})  # type: ignore[typeddict-item,misc]
    assert ended == [None]


async def test_nothing_goes_on_for_a_viewer_who_has_gone() -> None:
    reader, tasks = Reader(), asyncio.all_tasks()
    reader.taking.clear()
    reader.show(1)
    reader.teller.close()
    async with asyncio.timeout(10):
        while asyncio.all_tasks() != tasks:
            await asyncio.sleep(0)
    assert (reader.got, reader.ended) == ([], [])
