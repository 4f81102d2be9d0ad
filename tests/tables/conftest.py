"""What the tests of the tables share: the event loop, a database of their own, houses that get closed."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from overtrick.tables import House
from tables.setting import SeededEntropy


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def house(url: str, anyio_backend: str) -> AsyncIterator[House]:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1))
    yield house
    await house.close()
