"""Gets ready as a process of the pool does, then plays whole games: exit status 0 if nothing was compiled in them.

Whatever the levels' settings are, endings are solved in these games; that nothing is solved is a failure too.

Usage: python warmed.py
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from overtrick._jit import CACHE_FOLDER
from overtrick.bots import BOTS, Budget, findings, levels, make_bot
from overtrick.bots.worker import ready
from overtrick.games import load

GAMES = (("luz", {"players": 3}), ("luz", {"players": 5}), ("duet", {"level": 1}), ("duet", {"level": 3}))
EXACT = 100
"""Worlds of an ending that is solved: as few as compile all that more would."""


def kernels() -> set[str]:
    assert CACHE_FOLDER is not None
    return {path.name for path in CACHE_FOLDER.rglob("*.nbc")}


def solve_endings() -> None:
    """Let every level solve its endings."""
    levels.PLANS = {
        level: {
            asked: replace(plan, settings=replace(plan.settings, exact=EXACT))
            for asked, plan in plans.items()
        }
        for level, plans in levels.PLANS.items()
    }


def play(game_name: str, options: dict[str, int], names: list[str]) -> int:
    """Play a game, each move by one of these bots; return how many endings were solved."""
    solved, chance, game = 0, random.Random(2), load(game_name, **options)
    position = game.start()
    while not position.over:
        if position.needs_deal:
            position = position.deal(game.random_deal(chance))
        bot = make_bot(chance.choice(names))
        choice = bot.choose(position.view(position.to_act), seed=1, budget=Budget(nodes=40))
        solved += choice.why.msgid in findings.SOLVED
        assert position.to_act is not None
        position = position.play(position.record_move(position.to_act, choice.move))
    return solved


def main() -> None:
    offered = [name for name, info in BOTS.items() if info.offered]
    for first, names in (("easy", ["easy"]), ("medium", offered)):
        ready(first, {})
        before = kernels()
        solve_endings()
        for game_name, options in GAMES:
            if not play(game_name, options, names) and BOTS[first].searches:
                sys.exit(f"no ending of {game_name} was solved")
        if late := kernels() - before:
            sys.exit(f"compiled late by {first}: {sorted(late)}")


if __name__ == "__main__":
    main()
