"""A server process for the tests of deletion: Ann asks that all that is kept of her is deleted, and it is.

It says on standard output when it is open, what was answered, and each table as soon as nothing there names her; it may
be killed at any moment, and ends once no table does.
Usage: python forgetful.py DATABASE_URL NOW, where NOW is the Unix time in milliseconds that it takes it to be.
"""

from __future__ import annotations

import asyncio
import sys
import time

from overtrick.tables import House, Person
from overtrick.tables.traces import tables_naming
from tables.setting import ANN

PATIENCE = 120.0


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


async def main(url: str, now: int) -> None:
    began = time.monotonic()
    house = await House.open(url, pace=0, now=lambda: now + int(1000 * (time.monotonic() - began)))
    forgetting = house._forgetting
    forget_at = forgetting.forget_at

    async def told(table_id: str, person: Person) -> None:
        await forget_at(table_id, person)
        say("cleared", table_id)

    forgetting.forget_at = told  # type: ignore[method-assign]
    say("open")
    async with asyncio.timeout(PATIENCE):
        say("answered", str(await house.forget(ANN)))
        while await tables_naming(house._ledger.store, ANN.id):
            await asyncio.sleep(0.01)
        await house.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
