"""What the tests of the tables share: the event loop, a database of their own, houses that get closed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from overtrick.tables import House
from servers import Postgres
from tables.setting import SeededEntropy


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of the test's own, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_url()


@pytest.fixture
async def house(url: str, anyio_backend: str) -> AsyncIterator[House]:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1))
    yield house
    await house.close()
