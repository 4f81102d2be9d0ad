"""With the compiler off, for whoever debugs a kernel, bots choose as they do with it on."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import random
from overtrick.bots import Budget, make_bot
from overtrick.games import load
from overtrick.search import Search, Settings

SETTINGS = Settings(bank=4, belief=0.8, depth=2, tree=64)

for game in ("luz", "duet"):
    chance, position = random.Random(1), load(game).start()
    position = position.deal(position.game.random_deal(chance))
    for ply in range(12):
        if ply in (0, 10):
            view = position.view(position.to_act)
            search = Search(view, SETTINGS, seed=1)
            search.run(60)
            print(search.tried, search.best in view.legal_actions, end=" ")
            print(make_bot("rules_of_thumb").choose(view, seed=1, budget=Budget()).move)
        position = position.play(chance.choice(position.legal_moves()))
"""


def said(**environment: str) -> str:
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_searches_and_rules_of_thumb_do_without_the_compiler() -> None:
    uncompiled = said(NUMBA_DISABLE_JIT="1")
    assert uncompiled == said()
    assert uncompiled.count("True") == 4
