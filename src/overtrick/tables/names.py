"""Cleaning the names that people give themselves.

Markup and letters of any script are harmless text. What could make a name invisible, pass for another
one, or turn the text around it is refused.
"""

from __future__ import annotations

import unicodedata

from overtrick.tables import refusals

LONGEST = 24
"""Code points that a name may have."""
LONGEST_RAW = 200
"""Code points looked at; a longer text is refused before any work is spent on it."""
MOST_MARKS = 3
"""Combining marks that may follow each other."""

_SPACES = "\t\n\r"
# Letters and symbols by category, yet without any ink: fillers, the grapheme joiner, blank Braille.
_INKLESS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def clean_name(text: str) -> str:
    """Return `text` as a name: NFC, spaces collapsed, 1 to 24 characters of which one is visible.

    Variation selectors, which only choose between two looks of a sign, are dropped.
    Raises Refused (kind "name").
    """
    if len(text) > LONGEST_RAW:
        raise refusals.NAME_TOO_LONG(most=LONGEST)
    shown = "".join(" " if _is_space(char) else char for char in text if not _chooses_a_look(char))
    name = " ".join(part for part in unicodedata.normalize("NFC", shown).split(" ") if part)
    if any(_is_hidden(char) for char in name):
        raise refusals.NAME_INVISIBLE()
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        raise refusals.NAME_EMPTY()
    if len(name) > LONGEST:
        raise refusals.NAME_TOO_LONG(most=LONGEST)
    if _longest_pile(name) > MOST_MARKS or _is_mark(name[0]):
        raise refusals.NAME_STACKED()
    return name


def same_name(one: str, other: str) -> bool:
    """Whether two cleaned names read the same, letter case and width aside."""
    return _key(one) == _key(other)


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _is_space(char: str) -> bool:
    return char in _SPACES or unicodedata.category(char) == "Zs"


def _is_hidden(char: str) -> bool:
    category = unicodedata.category(char)
    # C*: control, format (zero-width and direction marks), surrogate, private, unassigned; Zl, Zp: line ends.
    return category[0] == "C" or category in ("Zl", "Zp") or char in _INKLESS


def _chooses_a_look(char: str) -> bool:
    if char in "\u180b\u180c\u180d\u180f":
        return True
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _longest_pile(name: str) -> int:
    longest = pile = 0
    for char in name:
        pile = pile + 1 if _is_mark(char) else 0
        longest = max(longest, pile)
    return longest
