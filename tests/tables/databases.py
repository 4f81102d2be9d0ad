"""A database from below: statements of a test's own, and what its engine is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import text
from sqlalchemy.engine import Engine

from overtrick.tables import House
from overtrick.tables.store import Store
from overtrick.tables.transactions import InThreads, OnLoop, Transactions, transactions_of


@asynccontextmanager
async def transactions(url: str) -> AsyncIterator[Transactions]:
    """Those of somebody who knows nothing of the store."""
    made = transactions_of(url)
    try:
        yield made
    finally:
        await made.close()


async def do(there: House | Store, statement: str, **values: Any) -> None:
    """Change what is there by a statement."""
    store = there._ledger.store if isinstance(there, House) else there
    await store.write(lambda connection: connection.execute(text(statement), values))


def engine_of(store: Store) -> Engine:
    """The engine whose events tell of each of a store's statements."""
    ours = store._transactions
    assert isinstance(ours, InThreads | OnLoop)
    return ours._engine if isinstance(ours, InThreads) else ours._engine.sync_engine
