"""Run `overtrick replay` for a test: in this process, with whatever bytes as a file or standard input."""

from __future__ import annotations

import copy
import io
import json
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.cli.replay import Options, parse_seat, replay_files

EXAMPLES = Path(__file__).parents[1] / "data" / "examples.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
RECORDS: list[dict[str, Any]] = [line["record"] for line in LINES]

Record = dict[str, Any]


def example(game: str, *, over: bool = True) -> Record:
    """Return a copy of the first example of a game that is, or is not, over."""
    found = next(x for x in LINES if x["record"]["game"] == game and x["expected"]["over"] == over)
    return copy.deepcopy(found["record"])


@dataclass(frozen=True)
class Done:
    """What a run left: its exit status, its output, its complaints."""

    status: int
    stdout: str
    stderr: str


def replay(
    *files: str | Path,
    as_json: bool = True,
    at: int | None = None,
    view: str | None = None,
    stdin: bytes = b"",
) -> Done:
    """Do what the command does once its arguments are read; whatever that raises fails the test."""
    options = Options(as_json=as_json, at=at, seats=() if view is None else (parse_seat(view),))
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = replay_files([str(file) for file in files], options)
    finally:
        sys.stdin = before
    return Done(status, out.getvalue(), err.getvalue())


def verdicts(result: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def verdict(record: object, *, at: int | None = None, view: str | None = None) -> dict[str, Any]:
    """Return the one verdict on one record, given as a JSON value, and check what holds of every verdict."""
    return verdict_on(json.dumps(record).encode(), at=at, view=view)


def verdict_on(text: bytes, *, at: int | None = None, view: str | None = None) -> dict[str, Any]:
    result = replay("-", at=at, view=view, stdin=text)
    [found] = verdicts(result)
    check(found)
    assert result.status == (0 if found["ok"] else 1)
    return found


def check(found: dict[str, Any]) -> None:
    """A verdict has the fields of RECORD.md and, if it is a refusal, one whole sentence."""
    if found["ok"]:
        assert list(found) == [
            "ok",
            "moves",
            "over",
            "to_act",
            "legal",
            "state",
            "result",
            *(["view"] * ("view" in found)),
        ]
        return
    assert list(found) == ["ok", "move", "error"]
    assert found["move"] is None or type(found["move"]) is int
    assert 10 < len(found["error"]) < 400
    assert "\n" not in found["error"]
    assert "%(" not in found["error"]
    assert "Error" not in found["error"]


# refusals

Change = Callable[[Record], object]


def refused(record: object, move: int | None, sentence: str, clause: str = "") -> None:
    found = verdict(record)
    assert not found["ok"]
    assert found["move"] == move
    assert re.search(sentence, found["error"], re.IGNORECASE), found["error"]
    if clause:
        assert found["error"].endswith(f" ({clause})")


def changed(game: str, change: Change) -> Record:
    record = example(game)
    change(record)
    return record


def put(path: str, value: object) -> Change:
    """Return a change that puts a value at a path such as `deals.0.hands.1.4`."""

    def change(record: Record) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        inside: Any = record
        for step in steps:
            inside = inside[step]
        inside[last] = value

    return change


def drop(path: str) -> Change:
    def change(record: Record) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        inside: Any = record
        for step in steps:
            inside = inside[step]
        del inside[last]

    return change


WRONG = [None, True, False, 0, 1, -1, 7, 1.5, "", "x", "1", [], [1], {}, {"a": 1}, 10**400]
"""A value of every kind of JSON, to stand where something else was expected."""
