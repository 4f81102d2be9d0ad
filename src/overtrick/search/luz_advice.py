"""What a good beginner thinks of a Luz view, for Python."""

from __future__ import annotations

from typing import Any, NamedTuple

from overtrick._jit import kernel, records
from overtrick.games import View
from overtrick.rules import luz
from overtrick.rules.rng import seeded
from overtrick.search.luz_beginner import judge, strengths
from overtrick.search.luz_worlds import KNOWLEDGE, MIND, ponder, sample


class Advice(NamedTuple):
    """One decision, weighed."""

    worth: dict[int, float]
    """The points of this deal to be expected after each action; no bet with the safety bead is among them."""
    tricks: float
    """How many tricks the cards held look good for."""
    chances: dict[int, float]
    """How likely each card that may be played takes the trick on the table, or the one that it would lead."""


def advice(view: View) -> Advice:
    """Weigh the legal actions of a view of Luz that is asked to act."""
    know, state, mind = records(KNOWLEDGE), records(luz.STATE), records(MIND)
    seen = view.observation
    _advise(seen, know, state, mind, seeded(0))
    weight, keep, now = (mind[field][0].tolist() for field in ("weight", "keep", "now"))
    held = int(seen["held"][0, int(seen["seat"][0])])
    plain = [a for a in view.legal_actions if a < luz.BET or (a - luz.BET) % 2 == 0]
    return Advice(
        worth={action: weight[action] for action in plain},
        tricks=sum(keep[place] for place in range(luz.HAND) if held >> place & 1),
        chances={action: now[action] for action in plain if action < luz.BET},
    )


@kernel
def _advise(seen: Any, know: Any, state: Any, mind: Any, rng: Any) -> None:
    """Judge in any world that agrees with the view: it comes out the same in all of them. All are arrays of one."""
    ponder(seen[0], know[0])
    sample(seen[0], know[0], state[0], mind[0], rng)
    strengths(state[0], mind[0])
    judge(state[0], mind[0], luz.legal(state[0]))
