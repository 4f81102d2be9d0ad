"""A bot and its budget, as they are named on the command line."""

from __future__ import annotations

import pytest

from overtrick.bots import BOTS, Budget
from overtrick.match import InvalidMatch, parse_entrant


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("uniform", Budget()),
        ("uniform@nodes=2000", Budget(nodes=2000)),
        ("uniform@ms=50", Budget(milliseconds=50)),
        ("uniform@ms=0.5", Budget(milliseconds=0.5)),
    ],
)
def test_an_entrant_reads_back_as_it_is_written(text: str, budget: Budget) -> None:
    entrant = parse_entrant(text)
    assert (entrant.name, entrant.budget, str(entrant)) == ("uniform", budget, text)


def test_an_entrants_own_budget_goes_before_the_matchs() -> None:
    assert parse_entrant("uniform", Budget(nodes=7)).budget == Budget(nodes=7)
    assert parse_entrant("uniform@ms=3", Budget(nodes=7)).budget == Budget(milliseconds=3)


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_can_enter(name: str) -> None:
    assert hasattr(parse_entrant(name).player(), "choose")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no bot without a name; "),
        ("nobody", "There is no bot nobody; the bots are "),
        ("uniform@", "names no budget"),
        ("uniform@nodes=", "names no budget"),
        ("uniform@nodes=1e3", "names no budget"),
        ("uniform@nodes=-1", "names no budget"),
        ("uniform@ms=nan", "names no budget"),
        ("uniform@ms=٣", "names no budget"),
        ("uniform@nodes=1@ms=1", "names no budget"),
        ("uniform@nodes=0", "A budget is 1 to "),
        ("uniform@nodes=9999999999", "A budget is 1 to "),
        ("uniform@ms=0", "A budget is more than 0"),
        ("uniform@ms=9999999", "A budget is more than 0"),
    ],
)
def test_what_names_no_entrant_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidMatch) as refused:
        parse_entrant(text)
    assert sentence.replace("'?", "") in str(refused.value)
    assert str(refused.value).endswith(".")
