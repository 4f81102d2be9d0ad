"""Every page is sound HTML that a strict policy lets through, names its parts, and escapes what people type."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from overtrick.games import Board
from overtrick.games.duet import Duet
from overtrick.tables.listing import TableSummary
from overtrick.tables.tableview import SeatView
from overtrick.web import pages
from overtrick.web.contexts import ErrorPage, LobbyPage
from web.looks import Element, finished, game_moments, look, read, read_page, waiting

STATIC = Path(pages.__file__).parent / "static"
HOSTILE = "<script>alert(1)</script>\"' onload=x & ‏"


def table_pages() -> dict[str, Element]:
    found = {}
    for variant in ("luz-3", "luz-5", "duet-1", "duet-2"):
        for moment in game_moments(variant, seed=31, every=12):
            position = moment.position()
            for seat in (None, 0, 1):
                name = f"{variant} {position.phase} seat {seat} after {len(moment.moves)}"
                found[name] = read_page(look(position, seat, error="Not now."))
        found[f"{variant} over"] = read_page(look(finished(variant), 0))
    for me in (0, 1, None):
        found[f"room {me}"] = read_page(waiting("person", "person", "empty", "bot", me=me))
    return found


def other_pages() -> dict[str, Element]:
    tables = tuple(
        TableSummary(
            id=f"t{n}", game=game, options={}, dealer="random", names=("Zoë",), bots=1, free=1, made_at=1
        )
        for n, game in enumerate(("luz", "duet"))
    )
    return {
        "lobby": read(pages.lobby_page(LobbyPage(csrf="c", token="t", tables=tables, error="Not now."))),
        "empty lobby": read(pages.lobby_page(LobbyPage(csrf="c", token="t"))),
        "error": read(pages.error_page(ErrorPage(404, "There is no such table."))),
        "preparing": read(pages.preparing_page()),
    }


@pytest.fixture(scope="module")
def every_page() -> dict[str, Element]:
    return {**table_pages(), **other_pages()}


def test_nothing_is_inline_that_the_policy_forbids(every_page: dict[str, Element]) -> None:
    for name, page in every_page.items():
        assert not page.all("style"), name
        assert all(script["src"].startswith("/static/") for script in page.all("script")), name
        for element in page.walk():
            attributes = element.attributes
            assert "style" not in attributes, (name, element)
            assert not [key for key in attributes if key.startswith(("on", "hx-on"))], (name, element)
            assert not element["href"].startswith("javascript:"), name


def test_nothing_comes_from_another_host(every_page: dict[str, Element]) -> None:
    for name, page in every_page.items():
        for element in page.walk():
            for key in ("src", "href", "action", "hx-post"):
                assert not re.match(r"(https?:)?//", element[key]), (name, element[key])


def test_static_files_that_pages_name_exist(every_page: dict[str, Element]) -> None:
    symbols = set(re.findall(r'symbol id="([\w-]+)"', (STATIC / "sprite.svg").read_text()))
    for name, page in every_page.items():
        for element in page.walk():
            for path in (element["src"], element["href"]):
                if path.startswith("/static/"):
                    file, _, symbol = path.removeprefix("/static/").partition("#")
                    assert (STATIC / file).is_file(), (name, path)
                    assert not symbol or symbol in symbols, (name, path)


def test_ids_are_there_once_and_references_lead_somewhere(every_page: dict[str, Element]) -> None:
    for name, page in every_page.items():
        ids = [element["id"] for element in page.walk() if element["id"]]
        assert len(ids) == len(set(ids)), name
        for element in page.walk():
            for key in ("for", "aria-labelledby", "aria-describedby", "data-copy"):
                assert not element[key] or element[key] in ids, (name, element[key])


def test_everything_to_press_or_fill_has_a_name(every_page: dict[str, Element]) -> None:
    for name, page in every_page.items():
        labels = {label["for"] for label in page.all("label")}
        for element in [*page.all("button"), *page.all("a")]:
            assert element["aria-label"] or element.words(), (name, element)
        for entry in [*page.all("input"), *page.all("select")]:
            wrapped = entry.parent is not None and entry.parent.tag == "label"
            assert entry["type"] == "hidden" or entry["id"] in labels or wrapped, (name, entry)


def test_every_page_has_one_main_part_one_first_heading_and_a_way_to_skip(
    every_page: dict[str, Element],
) -> None:
    for name, page in every_page.items():
        assert len(page.all("main")) == 1, name
        assert len(page.all("h1")) == 1, name
        assert page.all("main")[0]["id"] == page.all("a", class_="skip")[0]["href"][1:], name
        assert page.all("html")[0]["lang"] == "en", name
        assert page.all("title")[0].words(), name


def test_drawings_are_silent_and_cards_are_said_in_words(every_page: dict[str, Element]) -> None:
    for name, page in every_page.items():
        assert all(svg["aria-hidden"] == "true" for svg in page.all("svg")), name
        for card in page.all("span", class_="card"):
            parts = [card, *ancestors(card)]
            assert any(part["aria-hidden"] == "true" for part in parts), name


def ancestors(element: Element) -> list[Element]:
    found = []
    while element.parent is not None:
        element = element.parent
        found.append(element)
    return found


def test_a_name_is_shown_as_it_was_typed_and_never_as_markup() -> None:
    page = look(next(game_moments("luz-3", seed=1)).position(), 1)
    seats = (SeatView(0, "person", HOSTILE, None, is_me=False, is_host=True), *page.table.seats[1:])
    text = pages.table_page(look(next(game_moments("luz-3", seed=1)).position(), 1, seats=seats))
    assert "<script>" not in text
    tree = read(text)
    assert len(tree.all("script")) == 3
    assert HOSTILE.split()[0] in tree.words()


def test_what_was_typed_into_a_refused_form_comes_back() -> None:
    form = {
        "game": "luz", "name": HOSTILE, "players": "3", "bead_supply": "15", "dealer": "2", "public": "1",
        "seat-0": "friend", "seat-1": "me", "seat-2": "bot:strong",
    }  # fmt: skip
    page = read(pages.lobby_page(LobbyPage(csrf="c", token="t", form=form, error="Not now.")))
    assert page.all("input", id="luz-name")[0]["value"] == HOSTILE
    chosen = [option["value"] for option in page.all("option") if "selected" in option.attributes]
    assert chosen[:3] == ["friend", "me", "bot:strong"]
    ticked = {entry["id"] or entry["name"] for entry in page.all("input") if "checked" in entry.attributes}
    assert ticked == {"luz-players-3", "bead_supply", "public", "duet-level-1", "show_played"}


def test_a_refusal_is_said_at_once_to_who_cannot_see_it(every_page: dict[str, Element]) -> None:
    for name, page in every_page.items():
        if "seat" in name or name == "lobby":
            assert [alert.words() for alert in page.all("p", class_="alert") if alert["role"] == "alert"] == [
                "Not now."
            ]


def test_the_title_says_when_it_is_my_turn() -> None:
    position = next(game_moments("luz-4", seed=1)).position()
    me = position.to_act
    assert me is not None
    mine, other = read_page(look(position, me)), read_page(look(position, (me + 1) % 4))
    assert mine.all("title")[0].words() == "● Your turn – Luz"
    assert other.all("title")[0].words() == "Luz – Overtrick"
    assert mine.all(id="table")[0]["data-title"] == "● Your turn – Luz"


@pytest.mark.parametrize(("variant", "said"), [("duet-1", False), ("duet-2", True), ("duet-3", True)])
def test_side_b_says_that_it_is_a_reconstruction(variant: str, said: bool) -> None:
    """D-4."""
    words = read_page(look(next(game_moments(variant, seed=1)).position(), 0)).words()
    assert ("Side B of the board is a reconstruction" in words) == said


def test_a_game_on_an_owners_board_says_its_title_and_what_it_is_though_its_file_is_gone() -> None:
    """D-4."""
    mine = Board("mine", "The garden", (1, 0, 2, 0, 1, 0, 1), 3, (1, 5), 2, reconstructed=True)
    game = Duet(2, 0, mine)
    position = game.start().deal(game.random_deal(random.Random(1)))
    words = read_page(look(position, 0)).words()
    assert "level 2, The garden" in words
    assert "is a reconstruction" in words
