"""The good beginner, and the beginner: both weigh a view by rules of thumb; one of them slips."""

from __future__ import annotations

from math import log
from random import Random

from overtrick.bots.bot import Budget, Choice
from overtrick.bots.thoughts import choice, thoughts
from overtrick.games import View
from overtrick.search import luz_beginner

SLIP = {"luz": luz_beginner.SLIP, "duet": 0.25}
"""How far off, by game, a beginner judges an action: the scale of a Gumbel error, in points of Luz's first deal (they
grow with the deal, as what is at stake does) and in gems of Duet."""


class RulesOfThumb:
    """Chooses what looks best one trick ahead."""

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose the action of the greatest worth; of equals, the first."""
        thought = thoughts(view, seed)
        action = max(thought.worth, key=thought.worth.__getitem__)
        return choice(view, action, thought.why(action))


class Easy:
    """Thinks like the good beginner but misjudges a little: close calls go wrong often, plain ones rarely."""

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose the action that looks best at a careless look."""
        thought, rng = thoughts(view, seed), Random(f"slips {seed}")
        scale = SLIP[view.game.name] * (int(view.observation["deal"][0]) if view.game.name == "luz" else 1)
        looks = {action: worth - scale * log(-log(rng.random())) for action, worth in thought.worth.items()}
        action = max(looks, key=looks.__getitem__)
        return choice(view, action, thought.why(action))
