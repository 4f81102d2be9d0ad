"""How well a bot plays is said beside its name, to the eye and to the ear, until the end of the game and after."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from overtrick.bots import Reason
from overtrick.games import Position
from overtrick.tables.explaining import Told
from overtrick.tables.tableview import SeatView
from overtrick.web.contexts import TablePage
from strategies import VARIANTS
from web.looks import Element, finished, game_moments, look, read_page

LEVELS = ("easy", "strong", "medium", "uniform")
TOLD = (Told(1, 1, "bet:1", Reason("Why not.")),)


def look_at_bots(position: Position, seat: int | None, **changes: Any) -> TablePage:
    """The page of a table at which a person sits in seat 0 and bots of different levels in all others."""
    page = look(position, seat, **changes)
    bots = tuple(
        SeatView(number, "bot", None, LEVELS[number - 1], is_me=False, is_host=False)
        for number in range(1, position.game.seats)
    )
    return replace(page, table=structs.replace(page.table, seats=(page.table.seats[0], *bots)))


def spoken(element: Element) -> str:
    """What a screen reader reads of it."""
    if element["aria-hidden"] == "true":
        return ""
    words = " ".join([element.text, *(spoken(child) for child in element.children)])
    return " ".join(words.split())


def seen(element: Element) -> str:
    """What shows of it."""
    if "sr" in element["class"].split():
        return ""
    words = " ".join([element.text, *(seen(child) for child in element.children)])
    return " ".join(words.split())


@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_level_of_each_bot_stands_at_its_hand(variant: str, seat: int | None) -> None:
    for moment in game_moments(variant, seed=3, every=25):
        page = read_page(look_at_bots(moment.position(), seat))
        plates = [strip.all("h2")[0] for strip in page.all("article", class_="strip")]
        bots = zip(("Basil", "Clover", "Dill", "Elder"), ("Easy", "Strong", "Medium", "Random"), strict=True)
        for name, level in list(bots)[: moment.position().game.seats - 1]:
            (plate,) = [plate for plate in plates if name in plate.words()]
            assert seen(plate) == f"{name} {level}"
            assert spoken(plate).startswith(f"{name} (bot: {level})")


@pytest.mark.parametrize("variant", ["luz-3", "luz-5"])
def test_the_score_sheet_names_the_levels(variant: str) -> None:
    for position in (next(game_moments(variant, 5)).position(), finished(variant)):
        (sheet,) = read_page(look_at_bots(position, 0)).all("table", class_="scores")
        columns = sheet.all("th", scope="col")
        assert "bot" not in spoken(columns[0])
        assert seen(columns[1]) == "Basil Easy"
        assert seen(columns[2]) == "Clover Strong"
        assert "Clover" in spoken(columns[2])
        assert "(bot: Strong)" in spoken(columns[2])


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_account_of_a_game_begins_with_the_bots_and_their_levels(variant: str) -> None:
    (account,) = read_page(look_at_bots(finished(variant), 0, told=TOLD)).all("details", class_="account")
    listed = [spoken(bot) for bot in account.all("ul", class_="bots")[0].all("li")]
    assert listed[0] == "Basil (bot: Easy)"
    assert len(listed) == finished(variant).game.seats - 1


def test_no_person_is_given_a_level() -> None:
    assert not read_page(look(finished("luz-4"), 1)).all("small", class_="level")
