"""A bot that knows the rules and nothing else."""

from __future__ import annotations

from random import Random

from overtrick.bots.bot import Budget, Choice, Reason
from overtrick.errors import N_
from overtrick.games import View


class Uniform:
    """Plays any legal move, each as likely as the others."""

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose by the seed alone."""
        return Choice(
            Random(seed).choice(view.legal), Reason(N_("I play any move that is allowed, by chance."))
        )
