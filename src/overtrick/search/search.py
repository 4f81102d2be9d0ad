"""The face of the search for Python: one decision, thought about in portions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

from overtrick.games import Position, View
from overtrick.search import engine, solver
from overtrick.search.race import CHOICES, error_of, leader


@dataclass(frozen=True, slots=True)
class Settings:
    """How a search thinks.

    bank: worlds drawn at once; with `belief` they are drawn by weight from as many. belief: how far the others' bets
    and plays are believed to tell what is hidden, 0 (not at all) to 1. depth: own later decisions in the tree, 0:
    flat. tree: nodes of the tree, a power of two. bias: weight of the confidence bound in the tree. doubt: standard
    errors of a difference beyond which an action is out of the race. enough: a difference, in units of `worth`, not
    worth thinking on. least: worlds before the first action may drop out. exact: an ending of at most so many worlds
    is solved instead of sampled, 0: never.
    """

    bank: int = 64
    belief: float = 0.0
    depth: int = 0
    tree: int = 1 << 14
    bias: float = 0.3
    doubt: float = 3.0
    enough: float = 0.0
    least: int = 16
    exact: int = 0


@dataclass(frozen=True, slots=True)
class Rival:
    """An action that was not beaten beyond doubt: how far its mean lies behind the best's, and the error of that.

    In an ending that was solved there is no error, and every other action is one.
    """

    action: int
    behind: float
    error: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search thinks of an action: its mean worth, the standard error of that, and the worlds tried."""

    action: int
    mean: float
    error: float
    worlds: int


class Search:
    """One decision of one seat. `run` it in portions, then ask for the `best` action; it knows no clock.

    The same view, settings, seed and number of nodes give the same action.
    """

    def __init__(self, view: View, settings: Settings, *, seed: int) -> None:
        if not view.legal_actions:
            raise ValueError("a search needs a seat that is to act")
        observation = view.observation
        tree = settings.tree if settings.depth else 1
        self.settings = settings
        self._work = engine.work_for(observation, seed=seed, bank=settings.bank, tree=tree)
        self._work.seen[0] = observation[0]
        race = self._work.race[0]
        race["seat"] = observation["seat"][0]
        race["zero"] = observation["base"][0]
        race["alive"] = observation["choices"][0]
        for field in ("bank", "depth", "bias", "doubt", "enough", "least"):
            race[field] = getattr(settings, field)
        self._work.know["belief"][0] = settings.belief
        self._ending = solver.ending_for(observation, settings.exact) if self._few_cards else None

    @property
    def _few_cards(self) -> bool:
        return self.settings.exact > 0 and solver.within_reach(self._work.seen)

    @classmethod
    def of_the_truth(cls, position: Position, settings: Settings, *, seed: int) -> Search:
        """Return a search that is shown every card: its only world is the position. A yardstick, never a player."""
        seat = position.to_act
        search = cls(position.view(seat), replace(settings, bank=1, exact=0), seed=seed)
        engine.show(search._work, position.states)
        return search

    @property
    def decided(self) -> bool:
        """Whether one action only is left in the race."""
        return int(self._work.race["alive"][0]).bit_count() == 1

    @property
    def nodes(self) -> int:
        """Playouts made so far."""
        return int(self._work.race["nodes"][0])

    def run(self, nodes: int) -> int:
        """Search on for about so many playouts, without the GIL; return how many were made, 0 once decided.

        An ending that can be solved is solved at once, whatever the number.
        """
        if self._ending is not None:
            ending, self._ending = self._ending, None
            before = self.nodes
            if solver.solve(self._work, ending):
                return self.nodes - before
        return int(engine.think(self._work, nodes))

    @property
    def best(self) -> int:
        """The best action so far; the first legal one if nothing was tried."""
        race = self._work.race
        return int(race["zero"][0]) + int(leader(race))

    @property
    def solved(self) -> bool:
        """Whether the ending was solved: every world that is left was gone through."""
        return bool(self._work.race["solved"][0])

    @property
    def tried(self) -> int:
        """How many worlds were tried, or at most so many: those drawn twice count once if that is certain."""
        race = self._work.race[0]
        ways = int(race["ways"])
        return ways if race["solved"] else min(int(race["worlds"]), ways)

    @property
    def kept(self) -> float | None:
        """The share of the worlds in which the best action makes the seat's bet; None if nothing was sampled."""
        race = self._work.race[0]
        if race["solved"] or not race["worlds"]:
            return None
        return int(race["kept"][int(leader(self._work.race))]) / int(race["worlds"])

    def rivals(self) -> list[Rival]:
        """Return what came near the best action, the nearest first: in the race to the end, or in a solved ending."""
        race = self._work.race[0]
        worlds, best = int(race["worlds"]), int(leader(self._work.race))
        others = (int(race["alive"]) | int(race["runners"])) & ~(1 << best)
        found = []
        for bit in range(CHOICES):
            if others >> bit & 1 and worlds:
                behind = float(race["total"][best] - race["total"][bit]) / worlds
                products = race["together"]
                square = float(products[best, best] + products[bit, bit] - 2 * products[best, bit]) / worlds
                error = 0.0 if race["solved"] else error_of(behind, square, float(worlds))
                found.append(Rival(int(race["zero"]) + bit, behind, error))
        return sorted(found, key=lambda rival: rival.behind)

    @staticmethod
    def warm(view: View) -> None:
        """Compile, or read from the disk's cache, all that searches of this game may call."""
        search = Search(view, Settings(bank=2, depth=1, tree=2, exact=1), seed=0)
        solver.solve(search._work, solver.ending_for(view.observation, 1))
        search.run(1)
        search.rivals()

    def estimates(self) -> list[Estimate]:
        """Return what is thought of the actions still in the race, the best first."""
        race = self._work.race[0]
        alive, worlds = int(race["alive"]), int(race["worlds"])
        found = []
        for bit in range(CHOICES):
            if alive >> bit & 1 and worlds:
                mean = float(race["total"][bit]) / worlds
                spread = max(float(race["together"][bit, bit]) / worlds - mean * mean, 0.0)
                found.append(Estimate(int(race["zero"]) + bit, mean, sqrt(spread / worlds), worlds))
        return sorted(found, key=lambda estimate: -estimate.mean)
