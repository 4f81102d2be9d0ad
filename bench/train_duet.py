"""Fit the numbers of `overtrick/search/duet_weights.py` to searching pairs: `python bench/train_duet.py [GAMES]`.

Pairs that search more or less play the first rounds, so that rounds end well and badly; from the end of a round a pair
that searches plays on. What the board showed then is fitted to the score in which the game ended, 0 if lost.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import weights_file
from overtrick._jit import kernel
from overtrick.games import load
from overtrick.rules import duet
from overtrick.rules.rng import below, seeded
from overtrick.search import duet_policy, duet_value, duet_weights
from self_play import decide, desk

HEADING = "Numbers fitted to games of searching pairs by `bench/train_duet.py`, which writes this file."
BANK = 64
TEACHERS = np.array([60, 200, 600])
"""Playouts a decision in the rounds whose ends are looked at."""
PLAYS_ON = 600


@kernel
def play_round(work: Any, states: Any, owner: Any, nodes: int, rng: Any) -> None:
    """Deal and play a round."""
    state = states[0]
    decree = duet.random_owner(owner, rng)
    duet.deal(state, owner, decree)
    while not duet_policy.settled(state):
        duet.apply(state, decide(work, state, nodes, 0.0))


@kernel
def play(work: Any, states: Any, owner: Any, rows: Any, scores: Any, teachers: Any, rng: Any) -> int:
    """Play a game; write what the ends of its rounds showed and the final score; return how many they were.

    Half of the forest tokens go where the search has them, the others anywhere, so that both choices are seen.
    """
    n = 0
    state = states[0]
    while state.phase != duet.OVER:
        play_round(work, states, owner, int(teachers[below(rng, 3)]) if state.number == 0 else PLAYS_ON, rng)
        if state.phase == duet.FORESTING:
            if below(rng, 2):
                rows[n] = duet_value.describe(state)
                n += 1
                duet.apply(state, decide(work, state, 100, 0.0))
            else:
                duet.apply(state, duet.FOREST + below(rng, 2))
        if state.phase == duet.DEALING:
            rows[n] = duet_value.describe(state)
            n += 1
    scores[:n] = duet.score(state, 0)
    return n


def ends_of_rounds(level: int, games: int, seed: int) -> tuple[Any, Any]:
    """Return what the board showed at the ends of rounds, [n, FEATURES], and the final scores, [n]."""
    work = desk(duet.OBSERVATION, seed=seed, bank=BANK)
    rows, scores = np.zeros((8, duet_value.FEATURES)), np.zeros(8)
    rng, owner = seeded(seed), np.zeros(duet.CARDS, np.int8)
    shown, ended = [], []
    for number in range(games):
        states = load("duet", level=level, dealer=number % 2).start().states.copy()
        n = play(work, states, owner, rows, scores, TEACHERS, rng)
        shown.append(rows[:n].copy())
        ended.append(scores[:n].copy())
    return np.concatenate(shown), np.concatenate(ended)


def fit(rows: Any, scores: Any) -> Any:
    """Return the least squares weights, held back a little (ridge), and print how much they explain."""
    spread = rows.std(axis=0) + 1e-9
    weights = np.linalg.solve(rows.T @ rows + np.diag(2.0 * spread * spread), rows.T @ scores)
    left = scores - rows @ weights
    print(f"{len(rows)} ends, scores {scores.mean():.1f}, sd {scores.std():.2f}, left {left.std():.2f}")
    return weights


def main() -> None:
    """Play and fit, level by level; write the file anew."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    fitted = []
    for level in (1, 2, 3):
        began = time.time()
        rows, scores = ends_of_rounds(level, games, seed=level)
        print(f"level {level}: {games} games in {time.time() - began:.0f} s", flush=True)
        fitted.append(fit(rows, scores))
    meaning = "By level: what each feature of `duet_value` adds to the score."
    weights_file.write(Path(duet_weights.__file__), HEADING, {"ROUNDS_AHEAD": (fitted, meaning)})


if __name__ == "__main__":
    main()
