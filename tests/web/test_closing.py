"""What is under way as the server closes: bodies that come in, and blocks that are ended from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from overtrick.web.closing import Block, Closing, Incoming
from overtrick.web.problems import Problem

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
