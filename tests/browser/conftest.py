"""A real server in a process of its own, a real browser, and people who use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from browser.playing import Player, Server

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives the browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for the tests of a file: while it is open, Playwright's event loop keeps out those of other tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        yield browser
        browser.close()


Arrive = Callable[..., Player]


@pytest.fixture
def arrive(chromium: Browser, server: Server) -> Iterator[Arrive]:
    """Make a person with a browser of their own; what their page complains of fails the test."""
    contexts: list[BrowserContext] = []
    players: list[Player] = []

    def new(name: str = "Oksana", *, at: Server = server, **options: Any) -> Player:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        players.append(Player(context.new_page(), at.url, name))
        return players[-1]

    yield new
    for context in contexts:
        context.close()
    for player in players:
        assert player.complaints == []
