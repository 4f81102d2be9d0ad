"""How hard the searching bots think: one table, by level and by what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from overtrick.bots.bot import Budget
from overtrick.games import View
from overtrick.search import Settings


@dataclass(frozen=True, slots=True)
class Plan:
    """How to search for one kind of decision, and what it may cost unless somebody says otherwise."""

    settings: Settings
    budget: Budget


PLANS: Mapping[str, Mapping[str, Plan]] = {
    "medium": {
        "luz": Plan(Settings(bank=32), Budget(nodes=160)),
        "luz bet": Plan(Settings(bank=32), Budget(nodes=800)),
        "duet": Plan(Settings(), Budget(nodes=3000, milliseconds=20)),
    },
    "strong": {
        "luz": Plan(
            Settings(bank=1024, belief=0.8, depth=3, tree=1 << 12, bias=0.15, enough=0.002, exact=1024),
            Budget(nodes=20_000, milliseconds=300),
        ),
        "duet": Plan(
            Settings(bank=512, belief=1.0, depth=2, tree=1 << 12, bias=0.1),
            Budget(nodes=50_000, milliseconds=300),
        ),
    },
}
"""By level, then by game and phase, or by game alone."""


def plan(level: str, view: View) -> Plan:
    """Return how a level goes about the decision that the view asks for."""
    plans = PLANS[level]
    return plans.get(f"{view.game.name} {view.phase}") or plans[view.game.name]
