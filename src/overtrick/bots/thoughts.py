"""What a good beginner thinks of a view, of either game: each action's worth, and a reason for any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from overtrick.bots.bot import Choice, Reason
from overtrick.bots.rules_of_thumb_duet import DuetThoughts
from overtrick.bots.rules_of_thumb_luz import LuzThoughts
from overtrick.games import View


class Thoughts(Protocol):
    """One decision, weighed."""

    @property
    def worth(self) -> dict[int, float]:
        """What each action is worth, worked out when first asked for."""
        ...

    def why(self, action: int) -> Reason:
        """Return what speaks for an action, whether or not it is the best."""
        ...


EQUAL = 1e-5
"""A difference of worth that comes from rounding alone."""

_BY_GAME: Mapping[str, Callable[[View, int], Thoughts]] = {"luz": LuzThoughts, "duet": DuetThoughts}


def thoughts(view: View, seed: int) -> Thoughts:
    """Weigh the legal actions of a view; raise ValueError if there are none."""
    if not view.legal_actions:
        raise ValueError("a bot needs a seat that is to act")
    return _BY_GAME[view.game.name](view, seed)


def agrees(thought: Thoughts, action: int) -> bool:
    """Return whether no other action looks better than this one; of equals each does."""
    worth = thought.worth
    return action in worth and worth[action] >= max(worth.values()) - EQUAL


def choice(view: View, action: int, why: Reason) -> Choice:
    """Return the choice of an action in the seat's notation."""
    return Choice(view.game.seat_moves(view.observation, [action])[0], why)
