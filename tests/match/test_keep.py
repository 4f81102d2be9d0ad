"""Finished games outlast the run, whatever ends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from overtrick.match import InvalidMatch, Keep, Setting, make_setting, parse_entrant
from overtrick.match.arena import play_game
from overtrick.match.setting import Place

PLACES: list[Place] = [(0, 0), (0, 1), (1, 0)]


@pytest.fixture
def setting() -> Setting:
    entrants = [parse_entrant("rules_of_thumb"), parse_entrant("uniform")]
    return make_setting("duet", {}, entrants, seed=3)


def ended(setting: Setting, place: Place) -> dict[str, Any]:
    return play_game(setting, place, with_record=True)


def kept(setting: Setting, folder: Path, records: Path, places: list[Place]) -> dict[Place, dict[str, Any]]:
    """Add these games to the keep and return what it then holds."""
    with Keep.open(setting, folder, records) as keep:
        for place in places:
            keep.add(ended(setting, place))
        return keep.finished


def moves(records: Path) -> list[Any]:
    return [json.loads(line)["moves"] for line in records.read_text("utf-8").splitlines()]


def test_what_was_kept_is_there_again(setting: Setting, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    first = kept(setting, tmp_path / "match", records, PLACES[:2])
    again = kept(setting, tmp_path / "match", records, PLACES[2:])
    assert list(again) == PLACES
    assert {place: game["result"] for place, game in first.items()} == {
        place: again[place]["result"] for place in PLACES[:2]
    }
    assert moves(records) == [ended(setting, place)["record"]["moves"] for place in PLACES]


@pytest.mark.parametrize("torn", [b"{", b'{"game":7,"rotation":0', b"\xff"])
def test_half_a_line_is_cut_off(setting: Setting, tmp_path: Path, torn: bytes) -> None:
    folder, records = tmp_path / "match", tmp_path / "records.jsonl"
    kept(setting, folder, records, PLACES[:2])
    for path in (folder / "games.jsonl", records):
        with path.open("ab") as file:
            file.write(torn)
    assert list(kept(setting, folder, records, PLACES[2:])) == PLACES
    assert moves(records) == [ended(setting, place)["record"]["moves"] for place in PLACES]


def test_a_record_whose_game_does_not_count_is_cut_off(setting: Setting, tmp_path: Path) -> None:
    """As when the run was killed between the two."""
    folder, records = tmp_path / "match", tmp_path / "records.jsonl"
    kept(setting, folder, records, PLACES)
    games = (folder / "games.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "games.jsonl").write_bytes(b"".join(games[:2]))
    assert list(kept(setting, folder, records, PLACES[2:])) == PLACES
    assert len(moves(records)) == 3


def test_a_run_killed_before_its_first_game_goes_on(setting: Setting, tmp_path: Path) -> None:
    folder, records = tmp_path / "match", tmp_path / "records.jsonl"
    kept(setting, folder, records, [])
    records.write_bytes(b'{"overtrick":1')
    assert list(kept(setting, folder, records, PLACES)) == PLACES
    assert len(moves(records)) == 3


def test_another_match_is_refused(setting: Setting, tmp_path: Path) -> None:
    kept(setting, tmp_path / "match", tmp_path / "records.jsonl", [])
    other = make_setting("duet", {}, list(setting.seats), seed=4)
    with pytest.raises(InvalidMatch, match="holds another match: its seed is 3, not 4"):
        kept(other, tmp_path / "match", tmp_path / "records.jsonl", [])
    other = make_setting("duet", {}, [parse_entrant("uniform")], seed=3)
    with pytest.raises(InvalidMatch, match="its seats is"):
        kept(other, tmp_path / "match", tmp_path / "records.jsonl", [])
    with pytest.raises(InvalidMatch, match="go on with the same"):
        kept(setting, tmp_path / "match", tmp_path / "elsewhere.jsonl", [])


def test_two_runs_cannot_share_a_folder(setting: Setting, tmp_path: Path) -> None:
    with (
        Keep.open(setting, tmp_path, None),
        pytest.raises(InvalidMatch, match="Another match is writing"),
        Keep.open(setting, tmp_path, None),
    ):
        pass


def test_somebodys_file_is_never_written_over(setting: Setting, tmp_path: Path) -> None:
    records = tmp_path / "letters.txt"
    records.write_text("Dear Ann,")
    for folder in (None, tmp_path / "match"):
        with pytest.raises(InvalidMatch, match="not empty"), Keep.open(setting, folder, records):
            pass
    assert records.read_text() == "Dear Ann,"


def test_records_that_were_lost_are_missed(setting: Setting, tmp_path: Path) -> None:
    folder, records = tmp_path / "match", tmp_path / "records.jsonl"
    kept(setting, folder, records, PLACES[:1])
    records.unlink()
    with pytest.raises(InvalidMatch, match="shorter than the records"):
        kept(setting, folder, records, [])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("match.json", "{"),
        ("match.json", "[]"),
        ("match.json", ""),
        ("games.jsonl", "x\n"),
        ("games.jsonl", "[]\n"),
    ],
)
def test_a_folder_of_something_else_is_refused(
    setting: Setting, tmp_path: Path, name: str, content: str
) -> None:
    with Keep.open(setting, tmp_path, None):
        pass
    (tmp_path / name).write_text(content)
    with pytest.raises(InvalidMatch, match=name), Keep.open(setting, tmp_path, None):
        pass


def test_a_match_goes_on_with_its_own_file_of_records(setting: Setting, tmp_path: Path) -> None:
    kept(setting, tmp_path / "match", tmp_path / "records.jsonl", PLACES[:1])
    expected = pytest.raises(InvalidMatch, match=r"records\.jsonl: go on with the same")
    with expected, Keep.open(setting, tmp_path / "match", None):
        pass


def test_games_whose_setting_is_lost_are_not_taken_for_this_match(setting: Setting, tmp_path: Path) -> None:
    kept(setting, tmp_path / "match", tmp_path / "records.jsonl", PLACES[:1])
    (tmp_path / "match" / "match.json").unlink()
    with pytest.raises(InvalidMatch, match=r"match\.json is missing"):
        kept(setting, tmp_path / "match", tmp_path / "records.jsonl", [])


def test_a_file_is_no_folder_for_a_match(setting: Setting, tmp_path: Path) -> None:
    (tmp_path / "match").write_text("a letter")
    with pytest.raises(InvalidMatch, match="is no folder"), Keep.open(setting, tmp_path / "match", None):
        pass
    assert (tmp_path / "match").read_text() == "a letter"
