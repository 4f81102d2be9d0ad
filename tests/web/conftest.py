"""One server for all tests of the web that need nothing special of theirs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from overtrick.tables import passwords
from web.serving import Browser, Client, Served, serving, settings_for

CHEAP = PasswordHasher.from_parameters(CHEAPEST)
NOBODYS = CHEAP.hash(b"nobody's")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(settings_for(tmp_path_factory.mktemp("data"))) as running:
        yield running


@pytest.fixture(autouse=True)
def _passwords_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2 at its cheapest: what the real one costs is for `tests/tables/test_people`, and for real servers."""
    monkeypatch.setattr(passwords, "_hasher", lambda: CHEAP)
    monkeypatch.setattr(passwords, "_nobodys", lambda: NOBODYS)


@pytest.fixture(autouse=True)
def _everybody_leaves(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "served" in request.fixturenames:
        request.getfixturevalue("served").see_out()


@pytest.fixture
def ann(served: Served) -> Browser:
    return served.browser()


@pytest.fixture
def ben(served: Served) -> Browser:
    return served.browser()


@pytest.fixture
def guest(served: Served) -> Client:
    return served.client()


@pytest.fixture
def other(served: Served) -> Client:
    return served.client()
