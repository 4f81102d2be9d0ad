"""A task that is to end does, even one that takes the cancelling for a failure and tries again."""

from __future__ import annotations

import asyncio

import pytest

from overtrick.tables import background
from overtrick.tables.background import end

pytestmark = pytest.mark.anyio

PATIENCE = 30.0


async def stubborn(times: int) -> None:
    """Go on for ever, and turn the first few cancellings into failures, as a library that cleans up does."""
    while True:
        try:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                if times == 0:
                    raise
                times -= 1
                raise OSError("the line is gone") from None
        except OSError:
            continue


@pytest.mark.parametrize("times", [0, 1, 3])
async def test_what_swallows_its_cancelling_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    monkeypatch.setattr(background, "AGAIN", 0.01)
    tasks = [asyncio.create_task(stubborn(times)) for _ in range(2)]
    await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await end(*tasks, None)
    assert [task.cancelled() for task in tasks] == [True, True]


async def test_what_has_ended_or_never_began_is_no_trouble() -> None:
    async def fail() -> None:
        raise OSError("long ago")

    failed = asyncio.create_task(fail())
    await asyncio.wait([failed], timeout=PATIENCE)
    await end(failed, None)
    await end()
