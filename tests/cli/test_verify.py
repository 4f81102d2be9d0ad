"""`overtrick verify`: records of real tables, sound and tampered with, and whatever else a file may hold."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.replaying import RECORDS, WRONG
from overtrick.cli.main import app
from overtrick.cli.replay import Options, verdict_on
from overtrick.tables.record import record
from tables.setting import finished

RUNNER = CliRunner()
GAMES = ("luz", "duet")


def run(*arguments: object, stdin: str = "") -> tuple[int, str]:
    done = RUNNER.invoke(app, ["verify", *map(str, arguments)], input=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout + done.stderr


@pytest.fixture(scope="module")
def records() -> dict[str, dict[str, Any]]:
    """A record of each game, as a table gives it out at the end."""
    found = {game: record(finished(game).table, made_at=1_700_000_000_000) for game in GAMES}
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def commitments(found: dict[str, Any]) -> list[str]:
    return [one["commitment"] for one in found["meta"]["seals"]]


def kept(folder: Path, found: object, name: str = "game.json") -> Path:
    file = folder / name
    file.write_text(json.dumps(found))
    return file


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_table_is_what_was_sealed(
    game: str, records: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    file = kept(tmp_path, records[game])
    status, said = run(file)
    assert status == 0
    assert all(one in said for one in commitments(records[game]))
    status, said = run(file, "--published", " ".join(commitments(records[game])))
    assert (status, "noted at the start" in said) == (0, True)


@pytest.mark.parametrize("game", GAMES)
def test_sealed_deals_are_no_hindrance_to_a_replay(game: str, records: dict[str, dict[str, Any]]) -> None:
    verdict, _ = verdict_on(json.dumps(records[game]).encode(), Options(as_json=True, at=None, seats=()))
    assert (verdict["ok"], verdict["over"]) == (True, True)


def test_json_says_how_many_deals_began_and_what_was_compared(
    records: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    file = kept(tmp_path, records["luz"])
    notes = tmp_path / "noted.txt"
    notes.write_text("\n".join(commitments(records["luz"])))
    status, said = run(file, "--json", "--published", notes)
    assert status == 0
    assert json.loads(said) == {
        "ok": True,
        "deals": 4,
        "sealed": 4,
        "published": True,
        "commitments": commitments(records["luz"]),
    }


def test_the_deal_that_was_not_sealed_is_named(records: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    found = copy.deepcopy(records["luz"])
    first, second = found["deals"][1]["hands"][:2]
    first[0], second[0] = second[0], first[0]
    status, said = run(kept(tmp_path, found), "--json")
    assert status == 1
    verdict = json.loads(said)
    assert (verdict["ok"], verdict["deal"]) == (False, 2)
    assert "Deal 2 was not played as it was sealed" in verdict["error"]
    status, said = run(kept(tmp_path, found))
    assert (status, "Deal 2 was not played as it was sealed" in said) == (1, True)


def test_a_server_that_seals_anew_at_the_end_is_found_out_by_whoever_noted_the_start(
    records: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    noted = commitments(records["duet"])
    other = record(finished("duet", token="other", dealer=1).table, made_at=None)
    other["meta"]["seals"][0]["nonce"] = "0" * 64
    assert run(kept(tmp_path, other))[0] == 1
    again = copy.deepcopy(records["duet"])
    noted[1] = "f" * 64
    status, said = run(kept(tmp_path, again), "--json", "--published", ",".join(noted))
    assert (status, json.loads(said)["deal"]) == (1, 2)


def test_every_record_of_a_file_gets_its_verdict(records: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    lines = [records["luz"], RECORDS[0], records["duet"]]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    status, said = run(file, "--json")
    verdicts = [json.loads(line) for line in said.splitlines()]
    assert status == 1
    assert [verdict["ok"] for verdict in verdicts] == [True, False, True]
    assert "holds no sealed deals" in verdicts[1]["error"]
    assert run("-", "--json", stdin=file.read_text())[1] == said


@pytest.mark.parametrize("arguments", [["missing.json"], [], ["-", "--published", "no-such-file"]])
def test_usage_is_told_apart_from_a_broken_record(arguments: list[str]) -> None:
    assert run(*arguments)[0] == 2


def test_notes_that_are_no_commitments_are_refused(tmp_path: Path) -> None:
    notes = tmp_path / "noted.txt"
    notes.write_text("the first deal was abc")
    status, said = run("-", "--published", notes)
    assert (status, "64 hexadecimal digits" in " ".join(said.split())) == (2, True)


def deep(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"d": value}
    return value


HOSTILE = [*WRONG, [deep(sys.getrecursionlimit() // 3)] * 4, [deep(40)] * 4]


@pytest.mark.parametrize("wrong", HOSTILE, ids=lambda wrong: str(wrong)[:12])
def test_whatever_stands_for_the_seals_gets_a_sentence(
    wrong: object, records: dict[str, dict[str, Any]]
) -> None:
    found = copy.deepcopy(records["luz"])
    for path in ("meta", "seals", "deal", "nonce"):
        other = copy.deepcopy(found)
        if path == "meta":
            other["meta"] = wrong
        elif path == "seals":
            other["meta"]["seals"] = wrong
        else:
            other["meta"]["seals"][0][path] = wrong
        status, said = run("-", "--json", stdin=json.dumps(other))
        assert status == 1, said
        verdict = json.loads(said)
        assert set(verdict) == {"ok", "deal", "error"}
        assert len(verdict["error"]) < 300
        assert "Error" not in verdict["error"]
