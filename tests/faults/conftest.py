"""What the tests of faults share: the event loop, and databases that nobody else uses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from servers import Postgres


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def _own_postgres() -> Iterator[Postgres]:
    server = Postgres()
    try:
        yield server
    finally:
        server.remove()


@pytest.fixture
def own_postgres(_own_postgres: Postgres) -> Iterator[Postgres]:
    """A server that runs, and that the test may stop and start."""
    _own_postgres.start()
    yield _own_postgres
    _own_postgres.stop()
