"""Works that come while one is under way are done together, each with an outcome of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from overtrick.tables.together import MOST, Together

pytestmark = pytest.mark.anyio


class Doing:
    """Does numbers when it is let; a negative one fails by itself, 0 fails with its whole group."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.gate = asyncio.Event()

    async def __call__(self, works: Sequence[int]) -> list[Exception | None]:
        self.groups.append(list(works))
        await self.gate.wait()
        if 0 in works:
            raise OSError("the disk is full")
        return [ValueError(work) if work < 0 else None for work in works]


async def asked(together: Together[int], *works: int) -> list[asyncio.Future[None]]:
    """Ask for all of them, and let what can begin begin."""
    asked_for = [together(work) for work in works]
    for _ in range(3):
        await asyncio.sleep(0)
    return asked_for


async def test_what_comes_while_one_is_under_way_shares_the_next() -> None:
    doing = Doing()
    together = Together(doing)
    tasks = await asked(together, 1)
    tasks += await asked(together, 2, 3)
    doing.gate.set()
    await asyncio.gather(*tasks)
    await together(4)
    assert doing.groups == [[1], [2, 3], [4]]


async def test_an_error_of_one_does_not_touch_the_others_of_its_group() -> None:
    doing = Doing()
    tasks = await asked(Together(doing), 1, -2, 3)
    doing.gate.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), ValueError, type(None)]


async def test_what_fails_the_group_fails_each_and_not_those_who_come_after() -> None:
    doing = Doing()
    together = Together(doing)
    tasks = await asked(together, 1, 0)
    tasks += await asked(together, 2)
    doing.gate.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [OSError, OSError, type(None)]


async def test_who_has_gone_keeps_nobody_waiting() -> None:
    doing = Doing()
    gone, stays = await asked(Together(doing), 1, 2)
    gone.cancel()
    doing.gate.set()
    async with asyncio.timeout(10):
        await stays
    assert doing.groups == [[1, 2]]
    assert gone.cancelled()


async def test_no_group_is_larger_than_the_most() -> None:
    doing = Doing()
    together = Together(doing)
    tasks = await asked(together, 1)
    tasks += await asked(together, *range(1, MOST + 11))
    doing.gate.set()
    await asyncio.gather(*tasks)
    assert [len(group) for group in doing.groups] == [1, MOST, 10]
