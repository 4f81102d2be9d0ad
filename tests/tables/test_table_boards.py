"""The board of a table: chosen as the table is made, kept in its log from the start on (D-4, D-25)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overtrick.games import Board, load
from overtrick.games.boards import BOARDS, add_board
from overtrick.games.duet import Duet
from overtrick.tables import House
from overtrick.tables.commands import Sit, Start
from overtrick.tables.events import Started
from overtrick.tables.fold import fold, replay
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.making import make
from overtrick.tables.refusals import Refused
from tables.setting import ANN, BEN, give_up, logged, making, playing, waiting

GARDEN = Board("garden", "The garden", (1, 0, 2, 0, 1, 0, 1), 3, (1, 5), 2, False, 2)
OTHER = Board("garden", "Another one", (2, 2, 2, 0, 0, 0, 0), 3, (), 0, True, 2)


@pytest.fixture(autouse=True)
def garden() -> Iterator[None]:
    add_board(GARDEN, "garden.toml")
    yield
    BOARDS.pop("garden", None)


def let_the_file(what: str) -> None:
    """Do what an owner may do to the file between two starts of the server."""
    del BOARDS["garden"]
    if what == "change":
        add_board(OTHER, "garden.toml")


def test_a_table_without_a_board_named_gets_the_one_added_last_for_its_level() -> None:
    assert waiting("duet", options={"level": 2}).table.options["board"] == "garden"
    assert waiting("duet", options={"level": 1}).table.options["board"] == "side-a"
    assert waiting("duet", options={"level": 2, "board": "side-b"}).table.options["board"] == "side-b"


def test_a_game_loaded_without_a_board_named_stays_on_the_built_in_one() -> None:
    assert load("duet", level=2).options["board"] == "side-b"


def test_a_board_survives_the_way_through_its_json() -> None:
    for board in BOARDS.values():
        read = Board.of(board.to_json(), "log")
        assert Duet(1, 0, read).start().state() == Duet(1, 0, board).start().state()
        assert read.to_json() == board.to_json()


@pytest.mark.parametrize("what", ["change", "go"])
@pytest.mark.anyio
async def test_a_game_stays_as_it_is_whatever_happens_to_the_boards_file(url: str, what: str) -> None:
    first = await House.open(url)
    table_id = await first.make(ANN, making("duet", options={"level": 2}))
    await first.act(table_id, BEN, Sit(1, "Ben"))
    before = await first.act(table_id, ANN, Start())
    await first.close()
    let_the_file(what)
    second = await House.open(url)
    after = await second.look(table_id, ANN)
    assert before.view is not None
    assert after.view is not None
    assert after.view.to_json() == before.view.to_json()
    assert isinstance(after.view.game, Duet)
    assert after.view.game.board.to_json() == GARDEN.to_json()
    over = await give_up(second, table_id, ANN, BEN)
    assert over.view is not None
    assert over.view.to_json()["result"]["gems_left"] == sum(GARDEN.gems)
    await second.close()


def test_a_table_that_waits_starts_on_the_board_as_it_is_by_then() -> None:
    desk = waiting("duet", options={"board": "garden"}, seats=("bot:uniform", "bot:uniform"))
    let_the_file("change")
    desk.ask(ANN, Start())
    assert isinstance(desk.table.game, Duet)
    assert desk.table.game.board.title == "Another one"


def test_a_table_that_waits_for_a_board_that_is_gone_says_so() -> None:
    desk = waiting("duet", options={"board": "garden"}, seats=("bot:uniform", "bot:uniform"))
    let_the_file("go")
    with pytest.raises(Refused, match="garden"):
        desk.ask(ANN, Start())


@pytest.mark.parametrize("board", [None, {}, {**GARDEN.to_json(), "start": 99}])
def test_a_start_that_cannot_be_made_is_not_understood(board: dict[str, object] | None) -> None:
    table = replay("t", logged(make(ANN, making("duet", options={"board": "garden"}))))
    let_the_file("go")
    with pytest.raises(UnknownEvent):
        fold(table, Started({"level": 1, "dealer": 0, "board": "garden"}, table.rules_version, board), 1)


def test_luz_has_no_board_to_keep() -> None:
    table = playing("luz").table
    assert fold(waiting("luz").table, Started(table.options, table.rules_version), 1).status == "playing"
