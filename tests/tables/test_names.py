"""Names: any script, nothing invisible."""

from __future__ import annotations

import pytest

from overtrick.tables.names import clean_name, same_name
from overtrick.tables.refusals import Refused


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \t  of\u00a0Cleves\n", "Ann of Cleves"),
        ("Zoe\u0308", "Zoë"),
        ("Олена", "Олена"),
        ("林小明", "林小明"),
        ("שרה", "שרה"),
        ("देवनागरी", "देवनागरी"),
        ("<b>Ann</b>", "<b>Ann</b>"),
        ("%(name)s {x}", "%(name)s {x}"),
        ("🦊", "🦊"),
        ("❤\ufe0f", "❤"),
        ("x" * 24, "x" * 24),
    ],
)
def test_a_name_of_any_script_is_kept(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\u00a0\u3000",
        "\ufe0f",
        "x" * 25,
        "x" * 10_000,
        " " * 10_000 + "x",
        "A\u0000nn",
        "A\u001bnn",
        "A\u007fnn",
        "A\u0085nn",
        "A\u200bnn",
        "A\u200dnn",
        "A\u2060nn",
        "\ufeffAnn",
        "A\u00adnn",
        "\u202eAnn",
        "\u2066Ann\u2069",
        "Ann\u200f",
        "A\u2028nn",
        "\u3164",
        "\u2800\u2800",
        "A\u034fnn",
        "A\ud800nn",
        "A\ue000nn",
        "A\U000e0041nn",
        "\u0308Ann",
        "A" + "\u0336" * 4 + "nn",
    ],
)
def test_a_name_that_hides_or_turns_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(text)
    assert refused.value.kind == "name"


@pytest.mark.parametrize("other", ["ann", "ANN", "Ａnn"])
def test_names_that_read_the_same_are_the_same(other: str) -> None:
    assert same_name("Ann", other)


def test_names_that_read_differently_differ() -> None:
    assert not same_name("Ann", "Anna")
