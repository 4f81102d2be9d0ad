"""A write goes on to its end though whoever asked for it has gone."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from overtrick.tables.outage import Unsure
from overtrick.tables.refusals import Refused
from overtrick.tables.writes import Writes

pytestmark = pytest.mark.anyio


def ignore(_write: asyncio.Future[Any]) -> None:
    """Nobody needs to be told."""


async def test_the_caller_gets_what_the_write_returns_after_those_who_are_told_of_its_end() -> None:
    heard: list[str] = []

    async def write() -> str:
        return "saved"

    result = await Writes().see_through(write(), lambda ended: heard.append(ended.result()))
    assert (result, heard) == ("saved", ["saved"])


async def test_a_write_outlives_its_caller_and_is_waited_for() -> None:
    writes, may_end, saved = Writes(), asyncio.Event(), []

    async def write() -> None:
        await may_end.wait()
        saved.append("all of it")

    caller = asyncio.create_task(writes.see_through(write(), ignore))
    await asyncio.sleep(0)
    caller.cancel()
    with suppress(asyncio.CancelledError):
        await caller
    draining = asyncio.create_task(writes.drain())
    await asyncio.sleep(0)
    assert not draining.done()
    may_end.set()
    await draining
    assert saved == ["all of it"]


async def test_a_commit_that_broke_off_is_refused_and_any_other_error_passes() -> None:
    async def write(error: Exception) -> None:
        raise error

    ended: list[BaseException | None] = []
    writes = Writes()
    with pytest.raises(Refused) as refused:
        await writes.see_through(write(Unsure()), lambda future: ended.append(future.exception()))
    assert refused.value.kind == "unavailable"
    with pytest.raises(ZeroDivisionError):
        await writes.see_through(write(ZeroDivisionError()), lambda future: ended.append(future.exception()))
    assert list(map(type, ended)) == [Unsure, ZeroDivisionError]
    await writes.drain()
