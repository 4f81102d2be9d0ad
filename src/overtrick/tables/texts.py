"""What is wrong with the text that people type: signs that are invisible, turn the text around or pile up.

Markup and letters of any script are harmless text; pages escape it.
"""

from __future__ import annotations

import unicodedata

MOST_MARKS = 3
"""Combining marks that may follow each other."""

_SPACES = "\t\n\r"
# Letters and symbols by category, yet without any ink: fillers, the grapheme joiner, blank Braille.
_INKLESS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def spaced(text: str) -> str:
    """Return `text` in NFC with spaces of any kind collapsed, and without what only chooses a look of a sign."""
    shown = "".join(" " if _is_space(char) else char for char in text if not _chooses_a_look(char))
    return " ".join(part for part in unicodedata.normalize("NFC", shown).split(" ") if part)


def is_hidden(char: str) -> bool:
    """Whether a sign shows nothing, or turns the text around."""
    category = unicodedata.category(char)
    # C*: control, format (zero-width and direction marks), surrogate, private, unassigned; Zl, Zp: line ends.
    return category[0] == "C" or category in ("Zl", "Zp") or char in _INKLESS


def is_mark(char: str) -> bool:
    """Whether a sign sits on the letter before it."""
    return unicodedata.category(char)[0] == "M"


def has_ink(text: str) -> bool:
    """Whether there is anything to see."""
    return any(unicodedata.category(char)[0] in "LNPS" and char not in _INKLESS for char in text)


def _is_space(char: str) -> bool:
    return char in _SPACES or unicodedata.category(char) == "Zs"


def _chooses_a_look(char: str) -> bool:
    if char in "\u180b\u180c\u180d\u180f":
        return True
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
