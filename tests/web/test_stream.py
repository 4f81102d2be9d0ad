"""Bodies as they come in while the server closes, blocks that are ended from outside, and viewers slow and quick."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from overtrick.web import stream
from overtrick.web.problems import Problem
from overtrick.web.stream import Block, Closing, Incoming, Teller

pytestmark = pytest.mark.anyio

WHOLE = {"type": "http.request", "body": b"{}", "more_body": False}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def at_once() -> Any:
    return WHOLE


async def never() -> Any:
    await asyncio.wait_for(asyncio.Event().wait(), 60)


def incoming(receive: Callable[[], Awaitable[Any]], closing: Closing) -> Incoming:
    return Incoming(receive, closing)


async def test_a_body_that_is_waited_for_is_cut_off_as_the_server_closes() -> None:
    closing = Closing()
    asyncio.get_running_loop().call_later(0.01, closing.set)
    with pytest.raises(Problem) as refused:
        await asyncio.wait_for(incoming(never, closing)(), 10)
    assert refused.value.status == 503


async def test_once_the_server_closes_a_whole_body_gets_through_and_half_a_one_does_not() -> None:
    closing = Closing()
    closing.set()
    assert await incoming(at_once, closing)() == WHOLE
    with pytest.raises(Problem) as refused:
        await asyncio.wait_for(incoming(never, closing)(), 10)
    assert refused.value.status == 503
    await asyncio.sleep(0)  # nothing of it is left to cancel what comes after


async def test_who_is_cancelled_for_another_reason_stays_cancelled() -> None:
    task = asyncio.create_task(incoming(never, Closing())())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_block_ends_with_the_servers_closing_and_is_kept_nowhere() -> None:
    closing = Closing()
    asyncio.get_running_loop().call_later(0.01, closing.set)
    with closing.block():
        await never()
    assert closing._blocks == set()
    await asyncio.sleep(0)


async def test_a_block_raises_what_it_was_ended_with_first() -> None:
    async def work() -> None:
        with Closing().block() as block:
            block.end(ValueError("one"))
            block.end(ValueError("two"))
            await never()

    with pytest.raises(ValueError, match="one"):
        await work()


async def test_a_block_that_is_through_is_ended_by_nobody_any_more() -> None:
    with Closing().block() as block:
        block.end(ValueError("too late"))
    block.end()
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_who_is_cancelled_in_a_block_that_is_ended_too_stays_cancelled() -> None:
    blocks: list[Block] = []

    async def work() -> None:
        with Closing().block() as block:
            blocks.append(block)
            await never()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    blocks[0].end()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


class Reader:
    """The other end: takes messages, or not."""

    def __init__(self) -> None:
        self.got: list[Any] = []
        self.ended: list[Exception | None] = []
        self.taking = asyncio.Event()
        self.taking.set()
        self.teller = Teller(
            self.send, lambda look: {"look": look.seq} if look.seq else None, self.ended.append
        )  # type: ignore[arg-type,typeddict-item]

    async def send(self, message: Any) -> None:
        await self.taking.wait()
        self.got.append(message)

    def show(self, seq: int) -> None:
        self.teller.show(SimpleNamespace(seq=seq))  # type: ignore[arg-type]


async def test_who_takes_what_is_sent_gets_it_before_anything_else_can_run() -> None:
    reader, tasks = Reader(), asyncio.all_tasks()
    for seq in (1, 0, 2):
        reader.show(seq)
    assert reader.got == [{"look": 1}, {"look": 2}]
    assert asyncio.all_tasks() == tasks


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
    assert isinstance(ended[0], ConnectionError)


async def test_nothing_goes_on_for_a_viewer_who_has_gone() -> None:
    reader, tasks = Reader(), asyncio.all_tasks()
    reader.taking.clear()
    reader.show(1)
    reader.teller.close()
    async with asyncio.timeout(10):
        while asyncio.all_tasks() != tasks:
            await asyncio.sleep(0)
    assert (reader.got, reader.ended) == ([], [])
