"""Gets ready as a process of the pool does, then plays whole games: exit status 0 if nothing was compiled in them.

Usage: python warmed.py
"""

from __future__ import annotations

import random
import sys

from overtrick._jit import CACHE_FOLDER
from overtrick.bots import BOTS, Budget, make_bot
from overtrick.bots.worker import ready
from overtrick.games import load

GAMES = (("luz", {"players": 3}), ("luz", {"players": 5}), ("duet", {"level": 1}), ("duet", {"level": 3}))


def kernels() -> set[str]:
    assert CACHE_FOLDER is not None
    return {path.name for path in CACHE_FOLDER.rglob("*.nbc")}


def main() -> None:
    ready("medium", {})
    before = kernels()
    names = [name for name, info in BOTS.items() if info.offered]
    for game_name, options in GAMES:
        chance, game = random.Random(2), load(game_name, **options)
        position = game.start()
        while not position.over:
            if position.needs_deal:
                position = position.deal(game.random_deal(chance))
            bot = make_bot(chance.choice(names))
            move = bot.choose(position.view(position.to_act), seed=1, budget=Budget(nodes=40)).move
            assert position.to_act is not None
            position = position.play(position.record_move(position.to_act, move))
    late = kernels() - before
    sys.exit(f"compiled late: {sorted(late)}" if late else 0)


if __name__ == "__main__":
    main()
