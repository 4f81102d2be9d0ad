"""Bodies as they come in while the server closes, and works that end with the first of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from overtrick.web.problems import Problem
from overtrick.web.stream import Closing, Incoming, until_first

pytestmark = pytest.mark.anyio

WHOLE = {"type": "http.request", "body": b"{}", "more_body": False}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def at_once() -> Any:
    return WHOLE


async def never() -> Any:
    await asyncio.Event().wait()


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


async def test_works_end_with_the_servers_closing_and_with_each_others_failing() -> None:
    closing, ended = Closing(), []

    async def work() -> None:
        try:
            await never()
        finally:
            ended.append("work")

    async def fails() -> None:
        raise ValueError("failed")

    with pytest.raises(ValueError, match="failed"):
        await until_first(closing, work(), fails())
    asyncio.get_running_loop().call_later(0.01, closing.set)
    await asyncio.wait_for(until_first(closing, work(), work()), 10)
    assert ended == ["work"] * 3


async def test_who_has_gone_before_the_server_closes_is_told_nothing_and_kept_nowhere() -> None:
    closing = Closing()
    for _ in range(3):
        await until_first(closing, at_once_nothing(), never())
    assert closing._signals == set()
    closing.set()


async def at_once_nothing() -> None:
    pass
