"""Luz as a good beginner plays it: count the likely tricks, bet them, then steer towards the bet; and why.

How it judges stands in `search.luz_beginner`, where the search foresees such players by it.
"""

from __future__ import annotations

from overtrick._cached import cached_property
from overtrick.bots.bot import ONLY_CARD, Reason
from overtrick.errors import N_
from overtrick.games import View
from overtrick.rules import luz
from overtrick.search.luz_advice import Advice, advice


class LuzThoughts:
    """What a good beginner thinks of each legal action: the expected points of this deal. Nothing is drawn at random.

    It never uses the safety bead: `worth` has no bet with one.
    """

    def __init__(self, view: View, seed: int) -> None:
        self._view = view

    @property
    def worth(self) -> dict[int, float]:
        """By action."""
        return self._advice.worth

    @cached_property
    def _advice(self) -> Advice:
        return advice(self._view)

    def why(self, action: int) -> Reason:
        """Say what an action is for; all of it follows from what the seat sees."""
        if action >= luz.BET:
            tricks = f"{self._advice.tricks:.1f}"
            return Reason(N_("My cards look good for about %(tricks)s tricks."), {"tricks": tricks})
        if len(self._view.legal_actions) == 1:
            return Reason(ONLY_CARD)
        seen = self._view.observation[0]
        seat = int(seen["seat"])
        wanted = int(seen["bets"][seat]) - int(seen["tricks"][seat])
        return _why(wanted, self._advice.chances[action])


def _why(wanted: int, chance: float) -> Reason:
    percent = {"chance": round(100 * chance)}
    if wanted > 0 and chance >= 0.5:
        return Reason(
            N_("I still need tricks, and this card should take this one: %(chance)d %% likely."), percent
        )
    if wanted > 0:
        return Reason(N_("I still need tricks, but keep better cards for them than this one."))
    if chance < 0.5:
        return Reason(N_("I want no more tricks; this card should lose: %(chance)d %% likely."), {
            "chance": 100 - percent["chance"]
        })  # fmt: skip
    return Reason(N_("I want no more tricks, but my other cards look harder to lose with later."))
