"""Boards are data: a new one needs no code, and a faulty one is told what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.errors import InvalidRecord
from overtrick.games import load
from overtrick.games.boards import BOARDS, InvalidBoard, add_folder, parse_board

GOOD = {
    "name": '"small"',
    "title": '"A small one"',
    "gems": "[1, 2, 0, 2, 1]",
    "start": "2",
    "plus": "[0, 4]",
    "tokens": "1",
    "reconstructed": "false",
}


def toml(**changes: str | None) -> str:
    return "\n".join(f"{key} = {value}" for key, value in (GOOD | changes).items() if value is not None)


@pytest.fixture
def known_boards() -> Iterator[None]:
    before = dict(BOARDS)
    yield
    BOARDS.clear()
    BOARDS.update(before)


@pytest.mark.usefixtures("known_boards")
def test_board_in_a_folder_can_be_played_on_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(toml())
    (tmp_path / "notes.txt").write_text("not a board")

    assert [board.name for board in add_folder(tmp_path)] == ["small"]

    game = load("duet", board="small", level=2)
    assert game.options == {"level": 2, "dealer": 0, "board": "small"}
    assert game.start().state()["gems"] == [1, 2, 0, 2, 1]
    assert game.start().view(None).to_json()["plus"] == [0, 4]


@pytest.mark.usefixtures("known_boards")
def test_board_read_twice_is_known_once_but_another_may_not_take_its_name(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(toml())
    add_folder(tmp_path)
    add_folder(tmp_path)
    (tmp_path / "other.toml").write_text(toml(start="1", tokens="0"))
    with pytest.raises(InvalidBoard, match=r"other\.toml.*small"):
        add_folder(tmp_path)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"gems": "[1, 1, 1, 1]"}, "5 to 15 spaces"),
        ({"gems": str([1] * 16)}, "5 to 15 spaces"),
        ({"gems": "[1, 2, -1, 2, 1]"}, "from 0"),
        ({"gems": '[1, 2, "0", 2, 1]'}, "whole numbers"),
        ({"gems": "[1, 2, 0.5, 2, 1]"}, "whole numbers"),
        ({"gems": "[1, 2, true, 2, 1]"}, "whole numbers"),
        ({"gems": "[0, 0, 0, 0, 0]"}, "1 to 22"),
        ({"gems": "[9, 9, 0, 9, 1]"}, "1 to 22"),
        ({"gems": "[99999999999999999999, 9, 0, 9, 1]"}, "gems"),
        ({"tokens": "5"}, "0 to 4"),
        ({"tokens": "-1"}, "0 to 4"),
        ({"tokens": "2"}, "start"),
        ({"start": "0"}, "start"),
        ({"start": "4"}, "start"),
        ({"start": "-3"}, "start"),
        ({"plus": "[5]"}, "plus"),
        ({"plus": "[-1]"}, "plus"),
        ({"plus": "[1, 1]"}, "plus"),
        ({"plus": '["1"]'}, "plus"),
        ({"default_for_level": "4"}, "default_for_level"),
        ({"colour": '"red"'}, "colour"),
        *[({field: None}, field) for field in GOOD],
        *[({field: "1970-01-01"}, field) for field in GOOD],
        ({"title": "="}, "not TOML"),
        ({"title": '"\\ud800"'}, "not TOML"),
    ],
)
def test_faulty_board_is_told_what_was_expected_and_where(
    changes: dict[str, str | None], expected: str
) -> None:
    with pytest.raises(InvalidBoard, match=expected) as caught:
        parse_board(toml(**changes), "mine.toml")
    assert "mine.toml" in str(caught.value)
    assert "%(" not in str(caught.value)


def test_board_that_is_no_text_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "junk.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidBoard, match=r"junk\.toml"):
        add_folder(tmp_path)


def test_board_that_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(InvalidRecord, match="side-a"):
        load("duet", board="nowhere")


def test_boards_of_the_box_are_the_defaults_of_the_levels() -> None:
    assert {board.default_for_level: name for name, board in BOARDS.items()} == {
        1: "side-a",
        2: "side-b",
        3: "side-b-diamonds",
    }
