"""While the engine is being prepared the server answers, and says so; a click waits for it."""

from __future__ import annotations

import asyncio
import logging
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
    click = threading.Thread(target=lambda: answers.append(ann.post("/tables", **make_fields())))
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
    ann = early.browser()
    ann.get("/")
    line = threading.Thread(target=lambda: [ann.post("/tables", **make_fields())])
    line.start()
    early.server.should_exit = True
    gate.set()
    early.thread.join(PATIENCE)
    line.join(PATIENCE)
    assert not early.thread.is_alive()


def test_an_engine_that_cannot_be_prepared_stops_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = "sqlite+aiosqlite:////nowhere/at/all/tables.db"
    with (
        caplog.at_level(logging.ERROR),
        serving(settings_for(tmp_path, database_url=nowhere), ready=False) as running,
    ):
        running.thread.join(PATIENCE)
        assert not running.thread.is_alive()
    assert running.site.services.engine.failed
    assert "could not be made ready" in caplog.text


def test_the_engine_tells_that_it_is_not_ready(tmp_path: Path) -> None:
    async def ask() -> None:
        engine = prepare.Engine(settings_for(tmp_path))
        with pytest.raises(Preparing):
            await engine.house()
        with pytest.raises(Preparing):
            await engine.house(0.01)
        engine.begin()
        house = await engine.house(PATIENCE)
        assert await house.open_tables() == []
        await engine.close()

    asyncio.run(ask())
