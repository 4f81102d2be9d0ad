"""A match against a search that we did not write: `python bench/ismcts.py [--bot strong] [--ms 100] [--games 20]`.

OpenSpiel's information-set Monte-Carlo tree search (Cowling, Powley and Whitehouse, 2012) meets a bot of ours: Luz for
four, two seats each, the same deals in both seatings, the same time a decision.

To be fair to that search: its worlds and its random playouts come from our compiled code, some hundred playouts for
each that OpenSpiel's own evaluator makes; it searches the deal at hand for points above the others' mean, not whole
games for a win far off. Its own code is as it comes, but for stopping when the time is over.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from openspiel import LUZ, SpielGame, SpielState, above_the_others, world
from overtrick._jit import kernel, records
from overtrick.bots import Budget, Choice, Reason
from overtrick.games import View
from overtrick.match import Entrant, Workers, figures_of, make_setting, parse_entrant, play_all
from overtrick.match.estimate import share_of
from overtrick.rules import bits, either, luz, rng


@kernel
def _play_out(states: Any, n: int, generator: Any, points: Any) -> None:
    """Play the deal to its end at random, n times; add each seat's points in it to points, float64[seats]."""
    for i in range(1, n + 1):
        states[i] = states[0]
        state = states[i]
        while state.phase != either.WAITING and not either.over(state):
            choices = either.legal(state)
            pick = rng.below(generator, bits.count(choices))
            either.apply(state, either.base(state) + bits.nth(choices, pick))
        for seat in range(len(points)):
            points[seat] += state.by_deal[state.deal - 1, seat]


class Playouts:
    """What OpenSpiel's search thinks of a state that is new to it: the mean of random playouts to the deal's end."""

    NUMBER = 16

    def __init__(self, seed: int) -> None:
        self._generator = rng.seeded(seed)
        self._states = records(luz.STATE, self.NUMBER + 1)

    def evaluate(self, state: SpielState) -> Any:
        """Return the mean utilities."""
        points = np.zeros(state.get_game().num_players())
        self._states[0] = state.states[0]
        _play_out(self._states, self.NUMBER, self._generator, points)
        return np.array(above_the_others((points / self.NUMBER).tolist()))

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Return the legal actions, all alike."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


class TimedSearch(ISMCTSBot):
    """OpenSpiel's search, which stops when the budget is used up: milliseconds, or nodes as its simulations."""

    def __init__(self, game: SpielGame, seed: int, budget: Budget, bias: float) -> None:
        chance = np.random.RandomState(seed)
        super().__init__(game, Playouts(seed), bias, budget.nodes or 0, random_state=chance)
        self._budget = budget

    def run_search(self, state: SpielState) -> list[tuple[int, float]]:
        """Search, and return the most visited actions with their probabilities."""
        began, simulations = time.perf_counter(), 0
        self.reset()
        self._root_node = self.create_new_node(state)
        while simulations < (self._budget.nodes or 1 << 60):
            self.run_simulation(self.sample_root_state(state))
            simulations += 1
            if 1000 * (time.perf_counter() - began) > (self._budget.milliseconds or 1e9):
                break
        return self.get_final_policy(state, self._root_node)


class IsmctsPlayer:
    """OpenSpiel's search as a bot of ours: it is given a view and nothing else."""

    def __init__(self, bias: float) -> None:
        self._bias = bias

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose by a search from a state that agrees with the view; the search draws others like it."""
        game = _one_deal(view.game.seats)
        state = game.new_initial_state()
        state.show(world(view.observation, rng.seeded(seed)))
        action = int(TimedSearch(game, seed % (1 << 32), budget, self._bias).step(state))
        return Choice(view.game.seat_moves(view.observation, [action])[0], Reason(""))


@cache
def _one_deal(players: int) -> SpielGame:
    return pyspiel.load_game(LUZ.short_name, {"players": players, "whole": False})


@dataclass(frozen=True, slots=True)
class Ismcts(Entrant):
    """The entrant whose player is OpenSpiel's search; bias: its constant of exploration."""

    bias: float = 0.2

    def player(self) -> IsmctsPlayer:
        """Return a new player."""
        return IsmctsPlayer(self.bias)


def match(bot: Entrant, rival: Ismcts, games: int, *, seed: int, jobs: int) -> dict[str, Any]:
    """Let the two meet on the deals of so many games of Luz, each in both seatings; return the figures."""
    setting = make_setting("luz", {}, [bot, rival, bot, rival], seed=seed)
    places = list(setting.places(games))
    ended = list(
        play_all(setting, places, Workers("loky" if jobs > 1 else "sequential", jobs), with_records=False)
    )
    report = figures_of(setting, ended)
    won = dict.fromkeys(places, 0.0)
    for game in ended:
        seating = setting.rotations[game["rotation"]]
        won[game["game"], game["rotation"]] = float(seating[game["result"]["winner"]] == bot)
    groups = [sum(won[number, i] for i in range(2)) / 2 for number in range(games)]
    report["won_by"] = {str(bot): share_of(groups, len(won)).to_json()}
    return report


def main() -> None:
    """Play, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bot", default="strong")
    parser.add_argument("--ms", type=float, default=100.0, help="milliseconds a decision, for both")
    parser.add_argument("--games", type=int, default=20, help="different games, each in two seatings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--bias", type=float, default=Ismcts("ismcts").bias)
    asked = parser.parse_args()
    budget = Budget(milliseconds=asked.ms)
    load_before = os.getloadavg()
    report = match(
        parse_entrant(asked.bot, budget), Ismcts("ismcts", budget, asked.bias), asked.games,
        seed=asked.seed, jobs=asked.jobs,
    )  # fmt: skip
    print(json.dumps(report | {"load": [load_before, os.getloadavg()]}, indent=1))


if __name__ == "__main__":
    # From the module of that name, which workers can import.
    from ismcts import main as run

    run()
