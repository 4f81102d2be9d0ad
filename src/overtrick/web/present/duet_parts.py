"""Parts of the Duet table: the control of each decision, the reference of powers, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.i18n import Language
from overtrick.web.present.cards import POWERS, Scene, duet_name
from overtrick.web.present.path import gem_words, is_covered, move_steps

if TYPE_CHECKING:
    from overtrick.web.present.duet import DuetTable

POWER_WORDS = {
    1: N_("The winner of the trick sends the lantern either way."),
    3: N_("At once: name a player; they may trade a card for the decree, and trump changes with it."),
    5: N_("The winner of the trick may leave out the footprints of one of the two cards."),
    7: N_("At once: both players give each other one card, unseen."),
    9: N_("When led, the other card need not follow suit."),
}
LEVEL_POINTS = 10  # D-22: for each level
EARLY_POINTS = 10  # D-22: for winning in round 2 or earlier
TOKEN_POINTS = 3  # D-22: for each forest token left


def decision(at: DuetTable) -> Scene | None:
    """Return the control of what the viewer is asked, or None when nothing but a card is asked.

    `buttons` are moves in words; for the decree and the gift a card of the hand answers too.
    """
    if not at.legal or at.seen["phase"] not in _CONTROLS:
        return None
    return _CONTROLS[at.seen["phase"]](at)


def _foxes(at: DuetTable) -> Scene:
    _ = at.tongue.gettext
    me = at.people.me or 0
    words = {
        "foxes:self": _("I may change it"),
        "foxes:partner": _("%(name)s may change it", name=at.people.name(1 - me)),
    }
    return _control(at, _("Foxes: who may trade a card for the decree?"), words)


def _decree(at: DuetTable) -> Scene:
    _ = at.tongue.gettext
    card = duet_name(at.tongue, at.seen["decree"])
    words = {"decree:keep": _("Keep %(card)s", card=card)}
    return _control(at, _("Keep the decree, or choose the card of yours that replaces it."), words)


def _gift(at: DuetTable) -> Scene:
    text = at.tongue.gettext("Gift: choose the card that you give; you get one back.")
    return _control(at, text, {})


def _move(at: DuetTable) -> Scene:
    words = {f"move:{steps:+d}" if steps else "move:0": _move_words(at, steps) for steps in move_steps(at)}
    return _control(at, at.tongue.gettext("Where does the lantern go?"), words)


def _move_words(at: DuetTable, steps: int) -> str:
    _, target, count = at.tongue.gettext, at.seen["tracker"] + steps, abs(steps)
    if not steps:
        return _("Stay on space %(space)s (%(gems)s)", space=target, gems=gem_words(at, target))
    seat = 1 if steps > 0 else 0
    name = at.tongue.gettext("you") if seat == at.people.me else at.people.name(seat)
    if not 0 <= target < len(at.seen["gems"]) or is_covered(at, target):
        return _("%(n)s toward %(name)s: off the path!", n=count, name=name)
    gems = gem_words(at, target)
    return _(
        "%(n)s toward %(name)s, to space %(space)s (%(gems)s)", n=count, name=name, space=target, gems=gems
    )


def _forest(at: DuetTable) -> Scene:
    words = {f"forest:{end}": said for end, said in _ends(at).items()}
    return _control(at, at.tongue.gettext("Which end does the forest take?"), words)


def _ends(at: DuetTable) -> dict[str, str]:
    """Return the ends that the forest may take, in words; not the one on which the lantern stands (D-21)."""
    _ = at.tongue.gettext
    low, high = at.seen["covered"]
    last = len(at.seen["gems"]) - 1
    return {
        end: _("Space %(space)s, at your end", space=space)
        if seat == at.people.me
        else _("Space %(space)s, at %(name)s's end", space=space, name=at.people.name(seat))
        for end, space, seat in (("low", low, 0), ("high", last - high, 1))
        if space != at.seen["tracker"]
    }


def proposing(at: DuetTable) -> Scene | None:
    """Return which end each partner proposes for the forest, and buttons to propose with; None at other times.

    A bot does not listen, so nobody is asked to propose to one.
    """
    if at.seen["phase"] != "forest":
        return None
    _, ends = at.tongue.gettext, _ends(at)
    made = [
        _("You propose: %(end)s.", end=ends[end])
        if seat == at.people.me
        else _("%(name)s proposes: %(end)s.", name=at.people.name(seat), end=ends[end])
        for seat, end in at.table.proposals
    ]
    partners = at.people.me is not None and not any(map(at.people.is_played_by_bot, (0, 1)))
    mine = dict(at.table.proposals).get(at.people.me) if at.people.me is not None else None
    buttons = [
        {"end": end, "text": _("Propose: %(end)s", end=said)} for end, said in ends.items() if end != mine
    ]
    return {"made": made, "buttons": buttons if partners else []} if made or partners else None


def _control(at: DuetTable, text: str, words: dict[str, str]) -> Scene:
    buttons = [{"move": move, "text": said} for move, said in words.items() if move in at.legal]
    return {"text": text, "buttons": buttons}


_CONTROLS = {"foxes": _foxes, "decree": _decree, "gift": _gift, "move": _move, "forest": _forest}


def reference(tongue: Language) -> list[Scene]:
    """Return what each power does, in our own words (D-15 to D-19), for the panel that is always there (D-24)."""
    return [
        {"rank": rank, "name": tongue.gettext(POWERS[rank]), "words": tongue.gettext(words)}
        for rank, words in POWER_WORDS.items()
    ]


def result_sheet(at: DuetTable) -> Scene:
    """Return how the game ended, and for a win the lines that make up its score (D-22)."""
    _, result = at.tongue.gettext, at.seen["result"]
    cards = sum(at.seen["hand_sizes"])
    lines = [
        {"label": _("Level %(level)s", level=at.level), "points": LEVEL_POINTS * at.level},
        {"label": _("Cards left in both hands"), "points": cards},
        {"label": _("Won before the third round"), "points": EARLY_POINTS if result["round"] < 3 else 0},
        {"label": _("Forest tokens left"), "points": TOKEN_POINTS * at.seen["tokens"]},
    ]
    adds_up = result["won"] and sum(line["points"] for line in lines) == result["score"]
    return {**result, "lines": lines if adds_up else []}
