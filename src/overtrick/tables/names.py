"""Cleaning the names that people give themselves.

What could make a name invisible, pass for another one, or turn the text around it is refused.
"""

from __future__ import annotations

import unicodedata

from overtrick.tables import refusals
from overtrick.tables.texts import MOST_MARKS, has_ink, is_hidden, is_mark, spaced

LONGEST = 24
"""Code points that a name may have."""
LONGEST_RAW = 200
"""Code points looked at; a longer text is refused before any work is spent on it."""


def clean_name(text: str) -> str:
    """Return `text` as a name: NFC, spaces collapsed, 1 to 24 characters of which one is visible.

    Variation selectors, which only choose between two looks of a sign, are dropped.
    Raises Refused (kind "name").
    """
    if len(text) > LONGEST_RAW:
        raise refusals.NAME_TOO_LONG(most=LONGEST)
    name = spaced(text)
    if any(is_hidden(char) for char in name):
        raise refusals.NAME_INVISIBLE()
    if not has_ink(name):
        raise refusals.NAME_EMPTY()
    if len(name) > LONGEST:
        raise refusals.NAME_TOO_LONG(most=LONGEST)
    if _longest_pile(name) > MOST_MARKS or is_mark(name[0]):
        raise refusals.NAME_STACKED()
    return name


def same_name(one: str, other: str) -> bool:
    """Whether two cleaned names read the same, letter case and width aside."""
    return name_key(one) == name_key(other)


def name_key(name: str) -> str:
    """The same text for all cleaned names that read the same, letter case and width aside."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _longest_pile(name: str) -> int:
    longest = pile = 0
    for char in name:
        pile = pile + 1 if is_mark(char) else 0
        longest = max(longest, pile)
    return longest
