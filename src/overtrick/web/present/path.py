"""The path of Duet: spaces with gems and marks, covered ends, the tracker, and where a move would lead (D-3, D-10)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from overtrick.web.present.cards import Scene

if TYPE_CHECKING:
    from overtrick.web.present.duet import DuetTable

STEP = 10  # width of one space in the drawing's units
HIGH, LOW = 12, 28  # heights of odd and even spaces there: the path winds


def path_scene(at: DuetTable) -> Scene:
    """Return the spaces from seat 0's end to seat 1's, and the line that joins them."""
    seen = at.seen
    spaces = [_space(at, number) for number in range(len(seen["gems"]))]
    return {
        "spaces": spaces,
        "ends": [_end(at, 0), _end(at, 1)],
        "width": STEP * len(spaces),
        "line": _line(len(spaces)),
        "gems_left": sum(seen["gems"]),
        "words": _words(at),
        "chooses": any(space["move"] for space in spaces),
    }


def _end(at: DuetTable, seat: int) -> Scene:
    """Return whose end this is, with the tricks they have taken and the cards they hold."""
    return {**at.people.tag(seat), "tricks": at.seen["tricks"][seat], "cards": at.seen["hand_sizes"][seat]}


def _space(at: DuetTable, number: int) -> Scene:
    seen = at.seen
    gems = seen["gems"][number]
    return {
        "number": number,
        "gems": gems,
        "pips": range(gems if gems <= 3 else 1),
        "plus": number in seen["plus"],
        "start": number == seen["start"],
        "covered": is_covered(at, number),
        "here": number == seen["tracker"],
        "high": number % 2 == 1,
        "words": _space_words(at, number),
        "move": _move_to(at, number),
    }


def is_covered(at: DuetTable, number: int) -> bool:
    """Say whether a forest token lies on a space (D-11)."""
    low, high = at.seen["covered"]
    return bool(number < low or number >= len(at.seen["gems"]) - high)


def move_steps(at: DuetTable) -> list[int]:
    """Return the displacements that the viewer may choose now, toward seat 0 first."""
    return sorted(int(move.removeprefix("move:")) for move in at.legal if move.startswith("move:"))


def _move_to(at: DuetTable, number: int) -> str | None:
    """Return the legal move that ends on this space, if one does; moves off the path end nowhere."""
    for steps in move_steps(at):
        if at.seen["tracker"] + steps == number and not is_covered(at, number):
            return f"move:{steps:+d}" if steps else "move:0"
    return None


def _line(count: int) -> str:
    """Return the winding line through all spaces, as SVG path data."""
    points = [(STEP * number + STEP / 2, HIGH if number % 2 else LOW) for number in range(count)]
    drawn = [f"M{points[0][0]:g} {points[0][1]}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = (x1 + x2) / 2
        drawn.append(f"C{middle:g} {y1} {middle:g} {y2} {x2:g} {y2}")
    return "".join(drawn)


def _space_words(at: DuetTable, number: int) -> str:
    """Return what lies on a space, as a screen reader says it."""
    _, seen = at.tongue.gettext, at.seen
    if is_covered(at, number):
        return _("Space %(number)s: covered by forest", number=number)
    parts = [gem_words(at, number)]
    if number == seen["tracker"]:
        parts.insert(0, _("the lantern stands here"))
    if number == seen["start"]:
        parts.append(_("start"))
    if number in seen["plus"]:
        parts.append(_("gets a gem between rounds"))
    return _("Space %(number)s: %(what)s", number=number, what=", ".join(parts))


def gem_words(at: DuetTable, number: int) -> str:
    """Return how many gems lie on a space."""
    gems = at.seen["gems"][number]
    return (
        at.tongue.ngettext("%(n)s gem", "%(n)s gems", gems, n=gems) if gems else at.tongue.gettext("no gem")
    )


def _words(at: DuetTable) -> str:
    gems = sum(at.seen["gems"])
    return at.tongue.ngettext("%(n)s gem left", "%(n)s gems left", gems, n=gems)
