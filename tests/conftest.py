"""What every test may count on: no home folder of a person's is touched, and Hypothesis waits for compilers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from servers import Postgres, Redis

settings.register_profile("overtrick", deadline=None, print_blob=True)
settings.load_profile("overtrick")

# Servers that tests start keep their data under the folders that the tests give; one that forgets must not find
# somebody's tables. Compiled kernels stay where they are: they are named by what they were compiled from.
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / "overtrick-tests")
KEPT = ("OVERTRICK_CACHE_DIR", "OVERTRICK_FAULTS")
for name in [name for name in os.environ if name.startswith("OVERTRICK_") and name not in KEPT]:
    del os.environ[name]
# A core for each test process: a server that one starts has one process to search in, and not one for each core.
os.environ["OVERTRICK_BOT_PROCESSES"] = "1"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this process; it starts with the first that asks."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis server for all tests of this process; it starts with the first that asks."""
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of the test's own, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_url()
