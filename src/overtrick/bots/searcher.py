"""Bots that search: medium and strong."""

from __future__ import annotations

import time

from overtrick.bots import findings
from overtrick.bots.bot import Budget, Choice
from overtrick.bots.levels import plan
from overtrick.bots.thoughts import choice, thoughts
from overtrick.games import View
from overtrick.search import Search

PORTION = 256
"""Nodes between two looks at the clock: a millisecond or two."""


class Searcher:
    """Searches as its level says, for as long as its budget lasts or until one action is clearly the best."""

    def __init__(self, level: str) -> None:
        self._level = level

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose by search; a budget that names neither nodes nor time means the level's own."""
        thought = thoughts(view, seed)
        if len(view.legal_actions) == 1:
            (action,) = view.legal_actions
            return choice(view, action, thought.why(action))
        chosen = plan(self._level, view)
        search = Search(view, chosen.settings, seed=seed)
        action = searched(search, budget if budget.limited else chosen.budget)
        return choice(view, action, findings.why(search, view, thought))


def searched(search: Search, limits: Budget) -> int:
    """Search within the limits and return the best action."""
    ends = None if limits.milliseconds is None else time.perf_counter() + limits.milliseconds / 1000
    left = limits.nodes
    while not search.decided and (left is None or left > 0):
        made = search.run(PORTION if left is None else min(PORTION, left))
        if left is not None:
            left -= made
        if ends is not None and time.perf_counter() >= ends:
            break
        if limits.stopped():
            break
    return search.best
