"""How well the bots play: `python bench/strength.py [GAMES]`.

Luz: one bot against three of another kind, the seats rotated. Duet: a pair of the same bot. Each game is dealt from
the seed and its number, so figures repeat.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from overtrick.bots import BOTS, Budget, make_bot
from overtrick.games import Game, Outcome, load


@dataclass
class Tally:
    """What was seen over many games."""

    games: int = 0
    won: int = 0
    points: int = 0
    bets: list[bool] = field(default_factory=list)
    thought: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        share = self.won / self.games
        error = (share * (1 - share) / self.games) ** 0.5
        bets = f"bets won {sum(self.bets) / len(self.bets):.3f}, " if self.bets else ""
        thought = sorted(self.thought)
        return (
            f"games {self.games}, won {share:.3f} +- {error:.3f}, mean score {self.points / self.games:.1f}, {bets}"
            f"ms a decision: median {1000 * thought[len(thought) // 2]:.2f}, "
            f"99th of 100 {1000 * thought[len(thought) * 99 // 100]:.2f}"
        )


def play(game: Game, names: Sequence[str], number: int, tally: Tally, counted: int) -> Outcome:
    """Play one game and return how it ended; the counted seat's thinking time goes into the tally."""
    rng = Random(f"strength {number}")
    bots = [make_bot(name) for name in names]
    position = game.start()
    while not position.over:
        if position.needs_deal:
            position = position.deal(game.random_deal(rng))
            continue
        seat = position.to_act
        assert seat is not None
        began = time.perf_counter()
        choice = bots[seat].choose(position.view(seat), seed=rng.getrandbits(32), budget=Budget())
        if seat == counted:
            tally.thought.append(time.perf_counter() - began)
        position = position.play(position.record_move(seat, choice.move))
    outcome = position.outcome()
    assert outcome is not None
    return outcome


def luz(one: str, others: str, players: int, games: int) -> Tally:
    """Let one bot meet the others from every seat."""
    tally = Tally(games)
    for number in range(games):
        seat = number % players
        names = [one if s == seat else others for s in range(players)]
        result = play(
            load("luz", players=players, dealer=number // players % players), names, number, tally, seat
        )
        ended = result.to_json()
        tally.won += ended["winner"] == seat
        tally.points += ended["scores"][seat]
        tally.bets += [scores[seat] > 0 for scores in ended["by_deal"]]
    return tally


def duet(name: str, level: int, games: int) -> Tally:
    """Let a pair of the same bot walk the path."""
    tally = Tally(games)
    for number in range(games):
        result = play(load("duet", level=level, dealer=number % 2), [name, name], number, tally, 0).to_json()
        tally.won += result["won"]
        tally.points += result["score"]
    return tally


def main() -> None:
    """Print one line a match."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for players in (3, 4, 5):
        for others in BOTS:
            print(
                f"luz {players}: rules_of_thumb against {others}: {luz('rules_of_thumb', others, players, games)}"
            )
    for level in (1, 2, 3):
        for name in BOTS:
            print(f"duet {level}: a pair of {name}: {duet(name, level, games)}", flush=True)


if __name__ == "__main__":
    main()
