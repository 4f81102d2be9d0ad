"""What a page of Duet tells beside the cards: the reference, the supply, what is known of the other hand."""

from __future__ import annotations

from typing import Any

import pytest

from overtrick.games import View
from web.looks import Element, game_moments, look, read_page


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("variant", ["duet-1", "duet-3"])
def test_the_reference_is_there_throughout_a_round(variant: str, seat: int | None) -> None:
    """D-24: partners may not ask what a card does, so the page always says it (D-2, D-15 to D-19)."""
    met = set()
    for moment in game_moments(variant, seed=4, every=3):
        position = moment.position()
        met.add(position.phase)
        panel = read_page(look(position, seat)).all("section", class_="reference")[0]
        assert [power.words()[0] for power in panel.all("dt")] == ["1", "3", "5", "7", "9"]
        assert all(power.words() for power in panel.all("dd"))
        assert [cell.words() for cell in panel.all("td")][:10] == [str(rank) for rank in range(1, 11)]
        assert not any(part.tag == "details" for part in ancestors(panel)), "it would be hidden when closed"
    assert met >= {"play", "move"}


def ancestors(element: Element) -> list[Element]:
    return [] if element.parent is None else [element.parent, *ancestors(element.parent)]


def test_the_supply_of_gems_is_shown() -> None:
    """D-21: the gems laid on the path between rounds come from it."""
    seen = set()
    for moment in game_moments("duet-1", seed=4, every=5):
        position = moment.position()
        supply = position.view(0).to_json()["supply"]
        fact = read_page(look(position, 0)).all("div", class_="supply")[0]
        assert fact.words() == f"Gem supply {supply}"
        seen.add(supply)
    assert len(seen) > 1


class Knowing:
    """A view that knows other things of the partner's hand than the one it is made from."""

    def __init__(self, view: View, known: list[str], void: list[str]) -> None:
        self.shared_json = {**view.to_json(), "known": [[], known], "void": [[], void]}
        self.game, self.legal, self.why_not = view.game, view.legal, view.why_not


@pytest.mark.parametrize(
    ("known", "void", "words"),
    [
        ([], ["D"], "; no doves, as far as can be told"),
        (["D4"], ["D"], "; no other doves, as far as can be told"),
        (["R2"], ["D"], "; no doves, as far as can be told"),
        (["D4", "S1"], ["D", "R"], "; no other doves, no roses, as far as can be told"),
        (["D4"], [], ""),
    ],
)
def test_a_suit_is_said_to_be_missing_but_for_the_cards_that_are_known(
    known: list[str], void: list[str], words: str
) -> None:
    """D-8, D-16, D-18."""
    position = next(game_moments("duet-1", seed=1)).position()
    view: Any = Knowing(position.view(0), known, void)
    holds = read_page(look(position, 0, view=view)).all("p", class_="holds")[0].words()
    assert holds == f"holds 11 cards{words}"


def test_a_card_of_the_hand_sends_nothing_while_another_choice_is_asked() -> None:
    """The refusal would answer with the notation of records; the page says what comes first instead."""
    met = set()
    for seed in range(2):
        for moment in game_moments("duet-1", seed):
            position = moment.position()
            page = read_page(look(position, position.to_act))
            waits = position.phase in ("foxes", "move", "forest")
            for button in page.all(id="hand")[0].all("button") if page.all(id="hand") else []:
                assert button["type"] == ("button" if waits else "")
                why = page.all(id=button["aria-describedby"])[0].words() if waits else ""
                assert not waits or why.startswith("The choice above comes first.")
                met.add(position.phase)
            said = " ".join(why.words() for why in page.all("p", class_="why"))
            assert not any(form in said for form in ("move:", "foxes:", "forest:", "gift:", "play:"))
    assert met >= {"play", "foxes", "decree", "gift", "move"}
