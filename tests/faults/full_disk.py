"""A server process on whose disk no byte fits any more for a while; it says what it was answered.

Usage: python full_disk.py DATABASE_URL
"""

from __future__ import annotations

import asyncio
import resource
import sys

from faults.people import Notes, assert_whole, first_move, play_on, seated
from overtrick.tables import House, Refused
from tables.setting import ANN, BEN, read_table

UNLIMITED = resource.RLIM_INFINITY


async def main(url: str) -> None:
    house = await House.open(url, pace=0)
    table_id = await seated(house)
    move = first_move(await read_table(url, table_id))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, UNLIMITED))
    for act in (house.act(table_id, ANN, move), house.people.claim(ANN, "Ann", "a long password")):
        try:
            await act
        except Refused as refused:
            sys.stdout.write(f"{refused.kind}: {refused}\n")
    resource.setrlimit(resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))
    sys.stdout.write(f"moves: {(await read_table(url, table_id)).ply}\n")
    await house.people.claim(ANN, "Ann", "a long password")
    notes = Notes()
    await house.act(table_id, ANN, move)
    await asyncio.gather(*(play_on(house, table_id, person, notes) for person in (ANN, BEN)))
    sys.stdout.write(f"{(await assert_whole(url, table_id, notes)).status}\n")
    await house.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
