"""While the engine is being prepared the server answers, and says so; a click waits for it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from overtrick.web import prepare
from overtrick.web.problems import Preparing
from web.serving import PATIENCE, Served, make_fields, serving, settings_for, wait_for_start


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The engine is ready only once this is set, as when its kernels are compiled for the first time."""
    opened = threading.Event()
    warm = prepare.warm

    def slowly() -> None:
        assert opened.wait(PATIENCE)
        warm()

    monkeypatch.setattr(prepare, "must_compile", lambda: True)
    monkeypatch.setattr(prepare, "warm", slowly)
    yield opened
    opened.set()


@pytest.fixture
def early(gate: threading.Event, tmp_path: Path) -> Iterator[Served]:
    with serving(settings_for(tmp_path), ready=False) as running:
        wait_for_start(running)
        yield running
        gate.set()


@pytest.mark.parametrize("path", ["/", "/t/something"])
def test_pages_say_that_the_engine_is_being_prepared(early: Served, path: str) -> None:
    answer = early.browser().get(path)
    assert answer.status_code == 200
    assert 'http-equiv="refresh"' in answer.text
    assert "prepared" in answer.text
    assert answer.headers["retry-after"] == "2"


def test_the_api_answers_503_until_it_is_ready(early: Served, gate: threading.Event) -> None:
    guest = early.client()
    for answer in (guest.get("/tables"), guest.get("/tables/x/events"), guest.http.get("/tables/x/record")):
        assert (answer.status_code, answer.json()["kind"]) == (503, "preparing")
        assert answer.headers["retry-after"] == "2"
    assert guest.post("/tables", game="duet", seats=["me", "friend"], name="Ann").status_code == 503
    gate.set()
    early.await_ready()
    assert guest.get("/tables").status_code == 200


def test_health_tells_when_games_can_begin(early: Served, gate: threading.Event) -> None:
    browser = early.browser()
    waiting = browser.get("/health")
    assert (waiting.status_code, waiting.json()) == (503, {"status": "preparing"})
    gate.set()
    early.await_ready()
    ready = browser.get("/health")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})


def test_a_click_during_the_preparation_counts(early: Served, gate: threading.Event) -> None:
    ann = early.browser()
    ann.get("/")
    answers: list[httpx.Response] = []
    click = threading.Thread(target=lambda: answers.append(ann.post("/tables", **make_fields())), daemon=True)
    click.start()
    gate.set()
    click.join(PATIENCE)
    assert answers[0].status_code == 303
    assert ann.get(answers[0].headers["location"]).status_code == 200


def test_what_does_not_need_the_engine_works_meanwhile(early: Served) -> None:
    browser = early.browser()
    assert browser.get("/static/base.css").status_code == 200
    assert browser.get("/api/openapi.json").status_code == 200
    assert browser.get("/nowhere").status_code == 404


def test_stopping_does_not_wait_for_the_preparation(early: Served, gate: threading.Event) -> None:
    early.server.should_exit = True
    early.thread.join(PATIENCE)
    assert not early.thread.is_alive()
    assert early.site.services.engine.busy


def test_an_engine_that_cannot_be_prepared_stops_the_server(tmp_path: Path) -> None:
    nowhere = "sqlite:////nowhere/at/all/tables.db"
    with serving(settings_for(tmp_path, database_url=nowhere), ready=False) as running:
        running.thread.join(PATIENCE)
        assert not running.thread.is_alive()
    assert "The database cannot be used" in str(running.site.services.engine.failed)


def test_an_engine_that_only_has_to_be_loaded_is_waited_for(tmp_path: Path) -> None:
    """The kernels are compiled: the fixtures of other tests, or an earlier run, have seen to that."""
    prepare.warm()

    async def ask() -> None:
        engine = prepare.Engine(settings_for(tmp_path))
        engine.begin()
        house = await engine.house()
        assert await house.open_tables() == []
        await engine.close()

    asyncio.run(ask())


def test_an_engine_that_has_to_be_compiled_is_waited_for_by_acts_only(
    gate: threading.Event, tmp_path: Path
) -> None:
    async def ask() -> None:
        engine = prepare.Engine(settings_for(tmp_path))
        engine.begin()
        with pytest.raises(Preparing):
            await engine.house()
        act = asyncio.create_task(engine.house_in_time())
        gate.set()
        assert await (await act).open_tables() == []
        assert await engine.house() is await act
        await engine.close()

    asyncio.run(ask())


def test_after_warming_nothing_is_compiled_during_a_game(tmp_path: Path) -> None:
    """A process of its own, with a folder of kernels of its own, says how many there are before and after."""
    script = """
import random, sys
from overtrick.web.prepare import must_compile, warm
assert must_compile()
warm()
from overtrick._jit import CACHE_FOLDER
from overtrick.bots import Budget, make_bot
from overtrick.games import load
before = sorted(CACHE_FOLDER.rglob("*.nbc"))
for name, options in (("luz", {"players": 3, "bead_supply": 15}), ("luz", {"players": 5}), ("duet", {"level": 3})):
    game = load(name, **options)
    position, chance = game.start(), random.Random(1)
    while not position.over:
        if position.needs_deal:
            position = position.deal(game.random_deal(chance))
        for seat in (None, *range(game.seats)):
            position.view(seat).to_json()
        view = position.view(position.to_act)
        for move in ("play:#3", "play:D3", "bet:1", "gift:R1"):
            try:
                view.why_not(move)
            except ValueError:
                pass
        move = make_bot("uniform").choose(view, seed=1, budget=Budget()).move
        position = position.play(position.record_move(position.to_act, move))
    position.outcome(), position.state()
after = sorted(CACHE_FOLDER.rglob("*.nbc"))
assert not must_compile()
sys.exit(f"compiled late: {set(after) - set(before)}" if after != before else 0)
"""
    environment = {**os.environ, "OVERTRICK_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_bots_get_ready_before_anybody_asks_for_one(tmp_path: Path) -> None:
    async def ask() -> None:
        engine = prepare.Engine(settings_for(tmp_path, bot_processes=1))
        engine.begin()
        pool = (await engine.house_in_time())._upkeep._pool
        async with asyncio.timeout(PATIENCE):
            while len(pool.pids) < 2:
                await asyncio.sleep(0.01)
        await engine.close()

    asyncio.run(ask())
