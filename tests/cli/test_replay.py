"""`overtrick replay` does what the records page says: verdicts, views, several files, standard input, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.replaying import LINES, RECORDS, example, replay, verdict, verdicts
from naive.replaying import replay as replay_twin

COMMAND = [sys.executable, "-c", "from overtrick.cli.main import run; run()", "replay"]


def jsonl(records: list[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as a shell would."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, check=False, timeout=120
    )


# verdicts


@pytest.mark.parametrize("line", LINES, ids=[f"line-{number}" for number in range(1, len(LINES) + 1)])
def test_example_comes_out_as_expected(line: dict[str, Any]) -> None:
    assert verdict(line["record"]) == line["expected"]


def test_all_examples_in_one_file_come_out_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(jsonl(RECORDS))

    result = replay(file)

    assert verdicts(result) == [line["expected"] for line in LINES]
    assert result.status == 0


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_stopping_after_any_number_of_moves_shows_that_moment(game: str) -> None:
    record = example(game)
    for at in range(0, len(record["moves"]) + 1, 5):
        twin = replay_twin(record, at=at)
        found = verdict(record, at=at)
        assert found == {
            "ok": True,
            "moves": at,
            "over": twin.over,
            "to_act": twin.to_act,
            "legal": twin.legal(),
            "state": twin.state(),
            "result": twin.result(),
        }


def test_stopping_at_nought_shows_the_deal() -> None:
    assert verdict(example("duet"), at=0)["moves"] == 0


def test_stopping_beyond_the_last_move_shows_the_end() -> None:
    record = example("duet")
    assert verdict(record, at=100000) == verdict(record)


def test_stopping_before_a_bad_move_finds_the_record_sound() -> None:
    record = example("duet")
    record["moves"][10] = "nonsense"
    assert verdict(record, at=10)["ok"]
    assert not verdict(record, at=11)["ok"]


@pytest.mark.parametrize("game", ["luz", "duet"])
@pytest.mark.parametrize("over", [True, False])
def test_view_of_any_seat_and_of_the_public_is_added(game: str, over: bool) -> None:
    record = example(game, over=over)
    twin = replay_twin(record)
    for seat in (0, 1):
        assert verdict(record, view=str(seat))["view"] == twin.view(seat)
    assert verdict(record, view="public")["view"] == twin.view(None)
    assert "view" not in verdict(record)


@pytest.mark.parametrize("at", [0, 3, 9, 20, 33])
def test_view_is_that_of_the_moment_stopped_at(at: int) -> None:
    for record in (example("luz"), example("duet")):
        assert verdict(record, at=at, view="1")["view"] == replay_twin(record, at=at).view(1)


def test_options_left_out_have_their_defaults() -> None:
    record = next(r for r in RECORDS if r["game"] == "luz" and r["options"] == {"players": 4, "dealer": 0})
    bare = {key: value for key, value in record.items() if key != "options"}
    assert verdict(bare) == verdict(record)
    assert verdict(bare, view="public")["view"]["options"] == {"players": 4, "dealer": 0, "bead_supply": None}
    duet = next(r for r in RECORDS if r["game"] == "duet" and r["options"] == {"level": 1, "dealer": 0})
    assert verdict({**duet, "options": {}}) == verdict(duet)
    assert verdict({**duet, "options": {"board": "side-a"}}) == verdict(duet)


def test_meta_is_ignored_whatever_is_in_it() -> None:
    record = example("luz")
    metas: list[Any] = [None, 3, [], {"moves": ["nonsense"], "a": {"b": [1e300]}}]
    for meta in metas:
        assert verdict({**record, "meta": meta}) == verdict(record)


def test_resign_ends_a_game_of_duet_as_given_up() -> None:
    record = example("duet", over=False)
    found = verdict({**record, "moves": [*record["moves"], "resign"]})
    assert (found["over"], found["result"]["reason"], found["legal"]) == (True, "given up", [])


# files


def test_several_files_are_replayed_in_turn(tmp_path: Path) -> None:
    one, two, many = tmp_path / "one.json", tmp_path / "two.json", tmp_path / "many.jsonl"
    one.write_text(json.dumps(RECORDS[0]))
    two.write_text(json.dumps(RECORDS[1], indent=2) + "\n\n")
    many.write_bytes(jsonl(RECORDS[2:5]))

    result = replay(one, many, two)

    assert verdicts(result) == [LINES[number]["expected"] for number in (0, 2, 3, 4, 1)]


def test_standard_input_may_hold_one_record_over_many_lines_or_many_records() -> None:
    assert verdicts(replay("-", stdin=json.dumps(RECORDS[0], indent=1).encode())) == [LINES[0]["expected"]]
    assert verdicts(replay("-", stdin=jsonl(RECORDS[:3]))) == [x["expected"] for x in LINES[:3]]
    assert verdicts(replay("-", stdin=json.dumps(RECORDS[0]).encode())) == [LINES[0]["expected"]]


def test_empty_lines_between_records_are_passed_over() -> None:
    text = b"\n" + jsonl(RECORDS[:1]) + b"\n  \n" + jsonl(RECORDS[1:2]) + b"\n"
    assert verdicts(replay("-", stdin=text)) == [x["expected"] for x in LINES[:2]]


def test_lines_may_end_as_they_do_on_windows(tmp_path: Path) -> None:
    file = tmp_path / "windows.jsonl"
    file.write_bytes(jsonl(RECORDS[:3]).replace(b"\n", b"\r\n"))
    assert verdicts(replay(file)) == [x["expected"] for x in LINES[:3]]


def test_bad_record_does_not_stop_the_others(tmp_path: Path) -> None:
    bad = {**example("duet"), "moves": ["play:X1"]}
    file = tmp_path / "mixed.jsonl"
    file.write_bytes(jsonl([RECORDS[0], bad]) + b"\x00\xff{{{\n" + jsonl([7, RECORDS[1]]))

    result = replay(file)

    assert [found["ok"] for found in verdicts(result)] == [True, False, False, False, True]
    assert verdicts(result)[-1] == LINES[1]["expected"]
    assert result.status == 1


def test_file_without_records_is_sound(tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_bytes(b"\n\n")
    result = replay(file)
    assert (result.status, result.stdout) == (0, "")


@pytest.mark.parametrize("text", [b"", b"\n", b"  "])
def test_empty_json_file_is_no_record(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "empty.json"
    file.write_bytes(text)
    assert replay(file).status == 1


# exit status


def test_exit_status_is_nought_when_every_record_is_sound() -> None:
    assert run("-", stdin=jsonl(RECORDS[:2])).returncode == 0


def test_exit_status_is_one_when_a_record_is_not() -> None:
    done = run("-", "--json", stdin=jsonl([RECORDS[0], {}]))
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--no-such-option", "-"],
        ["--at", "-1", "-"],
        ["--at", "x", "-"],
        ["--view", "x", "-"],
        ["--view", "-1", "-"],
        ["--view", "", "-"],
    ],
)
def test_exit_status_is_two_for_usage(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr


def test_missing_file_is_named_and_the_others_are_replayed(tmp_path: Path) -> None:
    file = tmp_path / "there.jsonl"
    file.write_bytes(jsonl(RECORDS[:1]))

    result = replay(tmp_path / "not-there.json", tmp_path, file)

    assert result.status == 2
    assert verdicts(result) == [LINES[0]["expected"]]
    assert "not-there.json" in result.stderr
    assert len(result.stderr.splitlines()) == 2


def test_real_command_prints_one_json_line_a_record(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(jsonl(RECORDS))
    done = run(file, "--json")
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [line["expected"] for line in LINES]


def test_reader_that_goes_away_ends_the_command_quietly(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(jsonl(RECORDS * 40))
    process = subprocess.Popen(
        [*COMMAND, str(file), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert errors == b""


# the readable account


@pytest.mark.parametrize("line", LINES[:12], ids=[f"line-{number}" for number in range(1, 13)])
def test_readable_account_tells_every_move_and_the_end(line: dict[str, Any]) -> None:
    record, expected = line["record"], line["expected"]
    result = replay("-", as_json=False, stdin=json.dumps(record).encode())
    assert result.status == 0
    for move in record["moves"]:
        assert move in result.stdout
    end = expected["result"] or expected["state"]
    assert all(key in result.stdout for key in end)


def test_readable_account_of_a_bad_record_ends_with_the_sentence() -> None:
    record = example("luz")
    record["moves"][17] = "play:R99"
    told = replay("-", as_json=False, stdin=json.dumps(record).encode()).stdout
    assert verdict(record)["error"] in told
    assert "17" in told.splitlines()[-1]


def test_readable_account_takes_any_file_name(tmp_path: Path) -> None:
    file = tmp_path / "t\u00e9l\u202e\U0001f98a.jsonl"
    file.write_bytes(jsonl(RECORDS[:1]))
    odd = bytes(tmp_path) + b"/\xff\xfe.jsonl"
    Path(odd.decode("utf-8", "surrogateescape")).write_bytes(jsonl(RECORDS[:1]))
    for name in (bytes(file), odd):
        command = [*[word.encode() for word in COMMAND], name]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (0, b"")
