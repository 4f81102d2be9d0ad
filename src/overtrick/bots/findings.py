"""What a search found, in a player's words: how much it tried, how its choice compares, and what rules of thumb say.

All of it follows from the seat's view, the seed and the nodes searched, and none of it is for others to hear while the
game goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from overtrick.bots.bot import Reason
from overtrick.bots.thoughts import Thoughts, agrees
from overtrick.errors import N_, NN_
from overtrick.games import View
from overtrick.search import Search

SURE = 3.0
"""Standard errors of a difference beyond which a move is called clearly the best, as where the search drops one."""
LIKELY = 1.0
SAME = 0.002
"""A difference, in units of the search's worth, that nobody would notice."""

SAMPLED = NN_("I tried %(n)s way that the cards may lie.", "I tried %(n)s ways that the cards may lie.")
SOLVED = NN_(
    "I went through the %(n)s way that is left for the cards to lie.",
    "I went through all %(n)s ways that are left for the cards to lie.",
)
KEPT = N_("My bet came out in %(percent)s %% of the trials.")
CLEAR = N_("This move is clearly the best.")
AHEAD = N_("This move came out best, ahead of %(other)s.")
CLOSE = N_("It is close: %(other)s came out about as well.")
NO_TIME = N_("I had no time to try anything.")


def why(search: Search, view: View, thought: Thoughts) -> Reason:
    """Return the reason for the best action of a search over this view."""
    first, *rest = _sentences(search, view, thought)
    return Reason(first.msgid, first.params, first.plural, tuple(rest))


def _sentences(search: Search, view: View, thought: Thoughts) -> Iterator[Reason]:
    if search.tried:
        singular, plural = SOLVED if search.solved else SAMPLED
        yield Reason(singular, {"n": search.tried}, plural)
        if view.game.name == "luz" and search.kept is not None:
            yield Reason(KEPT, {"percent": round(100 * search.kept)})
        yield _compared(search, view)
    else:
        yield Reason(NO_TIME)
    if agrees(thought, search.best):
        yield thought.why(search.best)


def _compared(search: Search, view: View) -> Reason:
    """Say how the best action stands to the nearest other, which is named as the seat itself may name it."""
    nearest = next(iter(search.rivals()), None)
    if nearest is None:
        return Reason(CLEAR)
    is_close = nearest.behind <= max(SAME, LIKELY * nearest.error)
    if not is_close and not search.solved and nearest.behind > SURE * nearest.error:
        return Reason(CLEAR)
    other = view.game.seat_moves(view.observation, [nearest.action])[0]
    return Reason(CLOSE if is_close else AHEAD, {"other": other})
