"""Scripted people at one table of a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path

import pytest

from overtrick.load.people import Desk, Party, Tally, percentiles
from overtrick.load.server import NoFigures
from overtrick.load.wire import EventsViewer
from web.serving import Served, serving, settings_for


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("data")
    with serving(settings_for(folder)) as served:
        yield served


def run(work: Coroutine[None, None, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(120):
            await work

    asyncio.run(in_time())


@pytest.mark.parametrize(("game", "streams"), [("luz", 4), ("duet", 3)])
def test_they_play_game_after_game_by_the_rules_and_every_viewer_hears_of_it(
    served: Served, game: str, streams: int
) -> None:
    async def play() -> None:
        desk, tally = Desk(("127.0.0.1", served.port)), Tally()
        party = Party(desk, tally, game, 7)
        await party.sit_down()
        await party.watch(streams, 1)
        first, moves = party.look.id, 0
        while party.look.id == first or party.look.ply < 3:
            await party.move(None)
            moves += 1
        await party.settle()
        assert tally.games_over == 1
        assert tally.errors == {}
        assert len(tally.answers) == len(tally.updates) == moves
        party.count_lost()
        assert tally.errors == {}
        party.go()
        desk.close()

    run(play())


def test_a_viewer_of_no_table_is_lost(served: Served) -> None:
    async def watch() -> None:
        viewer = EventsViewer(("127.0.0.1", served.port), "no-such-table", "", lambda *_: None)
        await viewer.connect()
        while not viewer.lost:
            await asyncio.sleep(0.01)
        assert viewer.seq == 0
        viewer.close()

    run(watch())


def test_what_the_server_refuses_before_the_game_ends_the_measurement(served: Served) -> None:
    async def refused() -> None:
        desk = Desk(("127.0.0.1", served.port))
        with pytest.raises(NoFigures, match="404"):
            await desk.need("GET", "/api/tables/no-such-table")
        desk.close()

    run(refused())


def test_a_request_goes_out_again_when_its_connection_had_ended(served: Served) -> None:
    async def ask() -> None:
        desk = Desk(("127.0.0.1", served.port))
        await desk.need("GET", "/health")
        (asker,) = desk._free
        asker.close()
        assert (await desk.ask("GET", "/health"))[0] == 200
        desk.close()

    run(ask())


def test_percentiles_are_of_all_that_was_timed_and_in_milliseconds() -> None:
    assert percentiles([n / 1000 for n in range(1, 102)]) == {"p50": 51.0, "p99": 100.0, "most": 101.0}
    assert percentiles([]) == {"p50": 0.0, "p99": 0.0, "most": 0.0}
