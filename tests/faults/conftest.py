"""What the tests of faults share: the event loop, and servers that nobody else uses, to be stopped and started."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from servers import Postgres, Redis, Server

A_SERVER = TypeVar("A_SERVER", bound=Server)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@contextmanager
def made(kind: type[A_SERVER]) -> Iterator[A_SERVER]:
    """A server for the tests of one file."""
    server = kind()
    try:
        yield server
    finally:
        server.remove()


@contextmanager
def started(server: A_SERVER) -> Iterator[A_SERVER]:
    """It runs when a test begins, and is stopped after it, whatever the test did to it."""
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def _own_postgres() -> Iterator[Postgres]:
    with made(Postgres) as server:
        yield server


@pytest.fixture
def own_postgres(_own_postgres: Postgres) -> Iterator[Postgres]:
    with started(_own_postgres) as server:
        yield server


@pytest.fixture(scope="module")
def _own_redis() -> Iterator[Redis]:
    with made(Redis) as server:
        yield server


@pytest.fixture
def own_redis(_own_redis: Redis) -> Iterator[Redis]:
    with started(_own_redis) as server:
        yield server
