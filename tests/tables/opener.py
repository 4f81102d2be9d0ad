"""A process that opens a database when it is told to. Usage: python opener.py DATABASE_URL"""

from __future__ import annotations

import asyncio
import sys

from overtrick.tables.store import Store


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def main(url: str) -> None:
    say("ready")
    sys.stdin.readline()
    store = await Store.open(url)
    say("open")
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
