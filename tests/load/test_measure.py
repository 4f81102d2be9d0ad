"""`overtrick bench tables`: a small load on the real server, and figures that agree with each other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from overtrick.cli.main import app
from overtrick.load import NoFigures, Plan

FEW = ["--tables", "2", "--seconds", "1"]


def figures(*options: str) -> dict[str, Any]:
    """What the command prints, of a server that it starts."""
    shown = CliRunner().invoke(app, ["bench", "tables", "--json", *FEW, *options])
    assert shown.exit_code == 0, shown.output
    found: dict[str, Any] = json.loads(shown.stdout)
    return found


def agree(found: dict[str, Any], viewers: int) -> None:
    """Hold what is true of the figures of any load without errors."""
    assert found["errors"] == {}
    assert found["moves"] == found["told"] > 0
    assert found["moves_per_s"] == pytest.approx(found["moves"] / found["seconds"], rel=0.01)
    assert found["server_cpu_s"] > 0
    for times in (found["answer_ms"], found["last_viewer_ms"]):
        assert 0 < times["p50"] <= times["p99"] <= times["most"]
    memory = found["memory"]
    assert memory["a_viewer_kb"] * viewers == pytest.approx(
        1000 * (memory["viewers_mb"] - memory["tables_mb"]), abs=250
    )
    assert {"processor", "load_before", "load_after"} <= set(found["machine"])


def test_every_move_reaches_every_viewer_by_stream_and_by_page() -> None:
    found = figures("--viewers", "5", "--pages", "2")
    assert found["asked"]["rate"] is None
    agree(found, viewers=14)


def test_at_a_fixed_rate_every_move_that_was_meant_is_made() -> None:
    found = figures("--game", "duet", "--viewers", "2", "--rate", "20")
    assert found["moves"] == 20
    agree(found, viewers=4)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "chess"}, "game must be one of luz, duet"),
        ({"streams": 3}, "3 viewers a table are too few"),
        ({"url": "http://127.0.0.1:1"}, "give both"),
        ({"pid": 1}, "give both"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NoFigures, match=sentence):
        Plan(**{"tables": 1, **wrong})


def test_a_server_that_is_not_there_is_said_so() -> None:
    shown = CliRunner().invoke(
        app, ["bench", "tables", *FEW, "--url", "http://127.0.0.1:1", "--pid", "99999999"]
    )
    assert shown.exit_code == 1
    assert "no process 99999999" in shown.stderr


def test_more_sockets_than_the_system_allows_are_refused_before_anything_is_started() -> None:
    shown = CliRunner().invoke(app, ["bench", "tables", "--tables", "1000000000", "--seconds", "1"])
    assert shown.exit_code == 1
    assert "open sockets are needed" in shown.stderr


def test_what_is_refused_at_any_of_the_tables_ends_the_measurement_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OVERTRICK_LIMIT_TABLES", "2")
    shown = CliRunner().invoke(app, ["bench", "tables", "--game", "duet", "--tables", "40", "--viewers", "2"])
    assert shown.exit_code == 1
    assert "was refused: 429" in shown.stderr
