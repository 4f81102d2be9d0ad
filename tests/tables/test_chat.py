"""What a message may be made of, and what is kept of it."""

from __future__ import annotations

import pytest

from overtrick.tables.chat import LONGEST, clean_message
from overtrick.tables.refusals import Refused

FAMILY = "\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Good luck!", "Good luck!"),
        (" two \n lines\u00a0here ", "two lines here"),
        ("Удачі!", "Удачі!"),
        ("שלום", "שלום"),
        ("加油", "加油"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("%(name)s {x} {{ x }}", "%(name)s {x} {{ x }}"),
        (FAMILY, FAMILY),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_a_message_of_any_script_is_kept(text: str, message: str) -> None:
    assert clean_message(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\u202eevil\u202c", "evil"),
        ("\u2066a\u2069b", "ab"),
        ("a\u200fb\u061cc", "abc"),
        ("a\u0000b\u001bc\u0085d", "abcd"),
        ("a\u200bb\ufeffc\u00add\u2060e", "abcde"),
        ("a\u2028b", "ab"),
        ("\u200dab\u200d", "ab"),
        ("a\u200d \u200db", "a b"),
        ("a\u200d\u200c\u200db", "ab"),
        ("a\u3164b\u2800c", "abc"),
        ("a\U000e0041b", "ab"),
        ("Z" + "\u0336" * 50 + "algo", "Z" + "\u0336" * 3 + "algo"),
        ("\u0301\u0301a", "a"),
        ("Z" + "\u200d\u0336" * 9 + "!", "Z" + "\u200d\u0336" * 3 + "!"),
        ("\u0301\u200da", "a"),
        ("a \u0301b", "a b"),
    ],
)
def test_what_hides_turns_or_piles_up_is_taken_out(text: str, message: str) -> None:
    assert clean_message(text) == message


@pytest.mark.parametrize(
    "text", ["", "  \n", "\u200b", "\u202e\u202c", "\ufe0f", "\u3164", "\u0301", "x" * 301, "x" * 100_000]
)
def test_a_message_that_is_empty_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_message(text)
    assert refused.value.kind == "message"


def test_cleaning_what_is_clean_changes_nothing() -> None:
    for text in (
        "a\u200d\u0301b",
        "e\u200b\u0301\u0301\u0301\u0301x",
        f"{FAMILY}\u200d",
        "\u1100\u200b\u1161",
    ):
        once = clean_message(text)
        assert clean_message(once) == once
