"""A yardstick, not a player: it is shown every card. `overtrick match` alone may give it a seat."""

from __future__ import annotations

from overtrick.bots.bot import Budget, Choice
from overtrick.bots.levels import plan
from overtrick.bots.searcher import searched
from overtrick.bots.thoughts import choice, thoughts
from overtrick.games import Position
from overtrick.search import Search


class Omniscient:
    """Searches as `strong` does, but in the one true world. It does not know the deals and rounds to come."""

    def choose_open(self, position: Position, seat: int, *, seed: int, budget: Budget) -> Choice:
        """Choose for the seat to act, which is `seat`; the others are taken to know no more than they do."""
        view = position.view(seat)
        thought = thoughts(view, seed)
        action = view.legal_actions[0]
        if len(view.legal_actions) > 1:
            chosen = plan("strong", view)
            limits = budget if budget.limited else chosen.budget
            action = searched(Search.of_the_truth(position, chosen.settings, seed=seed), limits)
        return choice(view, action, thought.why(action))
