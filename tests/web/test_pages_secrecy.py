"""What a viewer cannot know leaves no trace in the page: not in text, ids, classes, order or attributes."""

from __future__ import annotations

import random
import re

import pytest

from games.worlds import Viewer, luz_secrets, other_world
from naive.luz import Luz
from overtrick.web.pages import table_fragment, table_page
from strategies import VARIANTS
from web.looks import game_moments, look, read_page


@pytest.mark.parametrize("show_played", [True, False])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_worlds_alike_to_a_viewer_give_the_same_bytes(variant: str, show_played: bool) -> None:
    rng = random.Random(variant)
    others = 0
    for moment in game_moments(variant, seed=11, every=9):
        position = moment.position()
        viewers: list[Viewer] = [None, *range(position.game.seats)]
        for viewer in viewers:
            world = other_world(moment, viewer, rng)
            others += world.state() != position.state()
            assert table_page(look(world, viewer, show_played=show_played)) == table_page(
                look(position, viewer, show_played=show_played)
            )
    assert others > 10


def test_worlds_that_a_seat_tells_apart_give_different_pages() -> None:
    """The comparison can fail."""
    rng = random.Random(3)
    apart = 0
    for moment in game_moments("luz-4", seed=12, every=9):
        world = other_world(moment, 0, rng)
        apart += table_fragment(look(world, 1)) != table_fragment(look(moment.position(), 1))
    assert apart > 5


@pytest.mark.parametrize("variant", ["luz-3", "luz-4", "luz-5"])
def test_own_luz_cards_are_known_by_place_and_colour_alone(variant: str) -> None:
    for moment in game_moments(variant, seed=13, every=7):
        position, twin = moment.position(), moment.twin
        assert isinstance(twin, Luz)
        page = read_page(look(position, 0))
        for slot in position.view(0).to_json()["hands"][0]:
            html = page.all("li", id=f"place-{slot['place']}")[0]
            said = {
                html["class"],
                html.words(),
                *(a or "" for e in html.walk() for a in e.attributes.values()),
            }
            digits = set(re.findall(r"\d+", re.sub(r"why-\d|s0-", "", " ".join(said))))
            assert digits == {str(slot["place"])}
            assert f"suit-{slot['suit']}" in " ".join(said)


@pytest.mark.parametrize("variant", ["luz-4"])
def test_no_secret_value_stands_in_a_luz_page(variant: str) -> None:
    names = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "purple"}
    for moment in game_moments(variant, seed=14, every=11):
        assert isinstance(moment.twin, Luz)
        words = read_page(look(moment.position(), 0)).words()
        seen = moment.position().view(0).to_json()
        last = seen["last_trick"]
        # Of a deal that is over, it tells nothing about who holds its cards now.
        shown = set(last["cards"]) if last and last["deal"] < seen["deal"] else set()
        for card in luz_secrets(moment.twin, 0) - shown:
            assert not re.search(rf"\b{names[card[0]]} {card[1:]}\b", words)


def test_played_values_stay_hidden_where_the_table_does_not_list_them() -> None:
    """L-10: only the trick on the table and the last one show values then."""
    for moment in game_moments("luz-4", seed=15, every=13):
        position = moment.position()
        seen = position.view(0).to_json()
        page = read_page(look(position, 0, show_played=False))
        shown = [*seen["trick"], *(seen["last_trick"] or {"cards": []})["cards"]]
        for gap in page.all("li", class_="gone"):
            assert not gap.all("b")
        assert len(page.all("span", class_="lay")) - len(page.all("span", class_="empty")) == len(shown)


def test_a_partners_hand_is_only_a_number_of_backs() -> None:
    for moment in game_moments("duet-1", seed=16, every=5):
        position = moment.position()
        seen = position.view(0).to_json()
        partner = read_page(look(position, 0)).all("div", class_="backs")[0]
        assert len(partner.all("i", class_="back")) == seen["hand_sizes"][1] - len(seen["known"][1])
        assert len(partner.all("li")) == len(seen["known"][1])
