"""How one card is drawn and named: its sign in `static/sprite.svg`, its text, its name for a screen reader."""

from __future__ import annotations

from functools import cache
from typing import Any

from overtrick.errors import N_
from overtrick.web.i18n import Language

Scene = dict[str, Any]

LUZ_SUITS = {"R": N_("red"), "Y": N_("yellow"), "G": N_("green"), "B": N_("blue"), "P": N_("purple")}
DUET_SUITS = {"D": N_("dove"), "R": N_("rose"), "S": N_("star")}
DUET_SUITS_MANY = {"D": N_("doves"), "R": N_("roses"), "S": N_("stars")}
POWERS = {1: N_("Musician"), 3: N_("Foxes"), 5: N_("Gazelle"), 7: N_("Gift"), 9: N_("Royal Heir")}
"""D-15 to D-19: the odd ranks."""


@cache
def footprints() -> tuple[int, ...]:
    """Return the footprints of ranks 1 to 10 (D-2).

    The engine is imported here, not above: the first pages are shown while it is still being prepared.
    """
    from overtrick.rules.duet import FOOTPRINTS

    return tuple(int(feet) for feet in FOOTPRINTS)


def luz_back(tongue: Language, suit: str) -> Scene:
    """Return a Luz card of which only the colour shows (L-1)."""
    return {"game": "luz", "suit": suit, "value": None, "name": tongue.gettext(LUZ_SUITS[suit])}


def luz_card(tongue: Language, card: str) -> Scene:
    """Return a Luz card face up; `card` as in a record (`"R4"`)."""
    suit, value = card[0], int(card[1:])
    name = tongue.gettext("%(suit)s %(value)s", suit=tongue.gettext(LUZ_SUITS[suit]), value=value)
    return {"game": "luz", "suit": suit, "value": value, "name": name}


def duet_card(tongue: Language, card: str) -> Scene:
    """Return a Duet card face up, with its footprints (D-2) and the name of its power, if any (D-15 to D-19)."""
    suit, rank = card[0], int(card[1:])
    power = tongue.gettext(POWERS[rank]) if rank in POWERS else ""
    return {
        "game": "duet",
        "code": card,
        "suit": suit,
        "value": rank,
        "power": power,
        "trump": False,
        "feet": footprints()[rank - 1],
        "name": duet_name(tongue, card),
        "spoken": _spoken(tongue, card, power),
    }


def duet_name(tongue: Language, card: str) -> str:
    """Return a Duet card's short name, such as `dove 7`."""
    return tongue.gettext("%(suit)s %(value)s", suit=tongue.gettext(DUET_SUITS[card[0]]), value=int(card[1:]))


def _spoken(tongue: Language, card: str, power: str) -> str:
    feet = footprints()[int(card[1:]) - 1]
    steps = tongue.ngettext("%(n)s footprint", "%(n)s footprints", feet, n=feet)
    return ", ".join(part for part in (duet_name(tongue, card), power, steps) if part)
