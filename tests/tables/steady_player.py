"""A server process for the durability test: one person plays at two tables with bots until both games are over.

It says each move on standard output as soon as it has been answered, and may be killed at any moment.
Usage: python steady_player.py DATABASE_URL SEED
"""

from __future__ import annotations

import asyncio
import random
import sys

from overtrick.tables import House
from overtrick.tables.commands import Make, Move, Start
from tables.setting import ANN, BOT, making, my_turn, until

MAKES = (
    making(token="luz", options={"players": 3}, seats=("me", BOT, BOT)),
    making("duet", token="duet", seats=("me", BOT)),
)


async def play(house: House, command: Make, rng: random.Random) -> None:
    """Go on with the table that the command made, or make it."""
    table_id = await house.make(ANN, command)
    if (await house.look(table_id, ANN)).status == "waiting":
        await house.act(table_id, ANN, Start())
    say("table", table_id)
    while True:
        view = await until(house, table_id, ANN, my_turn)
        if view.status == "over" or view.view is None:
            say("over", table_id)
            return
        move = rng.choice(view.view.legal)
        answer = await house.act(table_id, ANN, Move(view.ply, move))
        assert answer.ply > view.ply
        say("moved", table_id, str(view.ply), move)


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


async def main(url: str, seed: int) -> None:
    house = await House.open(url, pace=0)
    await asyncio.gather(*(play(house, command, random.Random(seed)) for command in MAKES))
    await house.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
