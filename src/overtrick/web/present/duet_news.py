"""What has just happened at a Duet table, and who is asked for what, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.present.cards import Scene, duet_name

if TYPE_CHECKING:
    from overtrick.web.present.duet import DuetTable

MINE = {
    "foxes": N_("Your turn: who may change the decree?"),
    "decree": N_("Your turn: keep or swap the decree"),
    "gift": N_("Your turn: choose a card to give"),
    "move": N_("Your turn: move the lantern"),
    "forest": N_("Your turn: where does the forest grow?"),
}
THEIRS = {
    "play": N_("%(name)s is to play"),
    "foxes": N_("%(name)s says who may change the decree"),
    "decree": N_("%(name)s may change the decree"),
    "gift": N_("%(name)s chooses a card to give"),
    "move": N_("%(name)s moves the lantern"),
    "forest": N_("%(name)s says where the forest grows"),
}
ENDED = {
    "won": N_("The team has won: every gem is found"),
    "lost in the forest": N_("The team is lost in the forest"),
    "out of time": N_("The team has lost: gems are left after the third round"),
    "given up": N_("The team has given up"),
}


def duet_turn(at: DuetTable) -> Scene:
    """Return who is to act and what is asked, and whether that is the viewer."""
    turn, phase = at.seen["to_act"], at.seen["phase"]
    return {"mine": at.mine, "text": _my_turn(at) if at.mine else _their_turn(at, turn, phase)}


def _my_turn(at: DuetTable) -> str:
    _, phase = at.tongue.gettext, at.seen["phase"]
    if phase == "play":
        return _("Your turn: answer the lead") if at.seen["trick"] else _("Your turn: lead any card")
    return _(MINE[phase])


def _their_turn(at: DuetTable, turn: int | None, phase: str) -> str:
    _ = at.tongue.gettext
    if phase == "over":
        return _ended(at)
    if turn is None:
        return _("The cards are being dealt")
    if at.held_up:
        return at.held_up
    if phase == "play" and not at.seen["trick"]:
        return _("%(name)s is to lead", name=at.people.name(turn))
    return _(THEIRS[phase], name=at.people.name(turn))


def _ended(at: DuetTable) -> str:
    late = [at.people.name(seat) for seat in (0, 1) if at.people.has_forfeited(seat)]
    if late:
        return at.tongue.gettext("The team has lost: %(name)s ran out of time", name=late[0])
    return at.tongue.gettext(ENDED[at.seen["result"]["reason"]])


def duet_news(at: DuetTable) -> str:
    """Return the last thing that happened: a card played or a trick taken; empty if nothing yet."""
    seen = at.seen
    if seen["trick"]:
        return _card_played(at)
    if seen["last_trick"]:
        return _trick_taken(at)
    return ""


def duet_then(at: DuetTable) -> str:
    """Return what followed the trick just taken, which the eye finds beside its cards, for those who only hear."""
    if at.seen["trick"] or not at.seen["last_trick"]:
        return ""
    return f"{moved_words(at)} {round_begins(at)}".strip()


def round_begins(at: DuetTable) -> str:
    """Return what came between two rounds, until the new one's first trick: gems, the forest as it lies now (D-21)."""
    if not at.begins or at.seen["phase"] == "over":
        return ""
    _, (low, high) = at.tongue.gettext, at.seen["covered"]
    begins = _("Round %(round)s begins, with new gems on the + spaces.", round=at.seen["round"])
    forest = _("Forest: %(low)s covered at the low end, %(high)s at the high end.", low=low, high=high)
    return f"{begins} {forest}"


def duet_heard(at: DuetTable) -> str:
    """Return what the news leaves to the eye, for those who only hear it: the cards of the trick just taken."""
    last = at.seen["last_trick"]
    if at.seen["trick"] or not last:
        return ""
    first, second = (duet_name(at.tongue, code) for code in last["cards"])
    return at.tongue.gettext("%(first)s, then %(second)s.", first=first, second=second)


def _card_played(at: DuetTable) -> str:
    seen = at.seen
    seat = (seen["leader"] + len(seen["trick"]) - 1) % 2
    card = duet_name(at.tongue, seen["trick"][-1])
    if at.was_mine(seat):
        return at.tongue.gettext("You played %(card)s.", card=card)
    return at.tongue.gettext("%(name)s played %(card)s.", name=at.mover(seat), card=card)


def _trick_taken(at: DuetTable) -> str:
    last = at.seen["last_trick"]
    if last["winner"] == at.people.me:
        return at.tongue.gettext("You take the trick.")
    return at.tongue.gettext("%(name)s takes the trick.", name=at.people.name(last["winner"]))


def moved_words(at: DuetTable) -> str:
    """Return how the tracker moved at the last trick, and what it found (D-10 to D-13)."""
    _, last = at.tongue.gettext, at.seen["last_trick"]
    steps = last["move"]
    if (at.seen["result"] or {}).get("reason") == "lost in the forest":
        return _("The lantern left the path, and no forest token was left to save the team.")
    if last["ran_off"]:
        return _("The lantern left the path: back to the start, and the forest grows.")
    if steps == 0:
        way = _("The lantern stays.")
    else:
        way = _toward(at, steps)
    return f"{way} {_('The team finds a gem.')}" if last["gem"] else way


def _toward(at: DuetTable, steps: int) -> str:
    ngettext, n, seat = at.tongue.ngettext, abs(steps), 1 if steps > 0 else 0
    if seat == at.people.me:
        return ngettext(
            "The lantern goes %(n)s space toward you.", "The lantern goes %(n)s spaces toward you.", n, n=n
        )
    return ngettext(
        "The lantern goes %(n)s space toward %(name)s.",
        "The lantern goes %(n)s spaces toward %(name)s.",
        n,
        n=n,
        name=at.people.name(seat),
    )
