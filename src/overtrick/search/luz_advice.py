"""What a good beginner thinks of a Luz view, for Python."""

from __future__ import annotations

from typing import Any, NamedTuple

from overtrick._jit import kernel, records
from overtrick.games import View
from overtrick.rules import luz
from overtrick.rules.bits import lowest
from overtrick.search.luz_beginner import judge
from overtrick.search.luz_mind import MIND, estimate
from overtrick.search.luz_worlds import KNOWLEDGE, copy_seen, ponder


class Advice(NamedTuple):
    """One decision, weighed."""

    worth: dict[int, float]
    """The points of this deal to be expected after each action; no bet with the safety bead is among them."""
    tricks: float
    """How many tricks the cards held look good for; 0 where only one move is legal."""
    chances: dict[int, float]
    """How likely each card that may be played takes the trick on the table, or the one that it would lead."""


def advice(view: View) -> Advice:
    """Weigh the legal actions of a view of Luz that is asked to act."""
    know, state, mind = records(KNOWLEDGE), records(luz.STATE), records(MIND)
    seen = view.observation
    _advise(seen, know, state, mind)
    weight, keep, now = (mind[field][0].tolist() for field in ("weight", "keep", "now"))
    held = int(seen["held"][0, int(seen["seat"][0])])
    plain = [a for a in view.legal_actions if a < luz.BET or (a - luz.BET) % 2 == 0]
    return Advice(
        worth={action: weight[action] for action in plain},
        tricks=sum(keep[place] for place in range(luz.HAND) if held >> place & 1),
        chances={action: now[action] for action in plain if action < luz.BET},
    )


@kernel
def _advise(seen: Any, know: Any, state: Any, mind: Any) -> None:
    """Judge what the seat sees; no world need be drawn for it. All are arrays of one."""
    ponder(seen[0], know[0])
    copy_seen(seen[0], state[0])
    me = int(know[0].seat)
    for suit in range(luz.SUITS):
        for seat in range(luz.MAX_PLAYERS):
            mind[0].cards[seat, suit] = know[0].visible[seat, suit]
        mind[0].aside[suit] = know[0].unseen[suit]
        estimate(state[0], mind[0], me, suit)
    for n in range(int(know[0].runs)):
        left = int(know[0].places[n])
        while left:
            state[0].hand[me, lowest(left)] = (
                int(know[0].suit[n]) * luz.RANKS
            )  # the colour is seen, the value is not
            left &= left - 1
    judge(state[0], mind[0], luz.legal(state[0]))
