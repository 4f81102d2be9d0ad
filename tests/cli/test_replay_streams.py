"""What comes by standard input or from a hostile file: every record gets its verdict, none stops the others."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest

from overtrick.games import load
from overtrick.games.record import to_json

GAME = load("duet")
SOUND = json.dumps(to_json(GAME, [GAME.random_deal(random.Random(1))], [], {}))


def verdicts(text: bytes) -> list[bool]:
    done = subprocess.run(
        [sys.executable, "-m", "overtrick", "replay", "--json", "-"],
        input=text,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return [json.loads(line)["ok"] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"garbage\n{SOUND}\n", [False, True]),
        (f"{SOUND[:50]}\n{SOUND}\n", [False, True]),
        (f"\n\n{SOUND}\n\n{SOUND}", [True, True]),
        (json.dumps(json.loads(SOUND), indent=1), [True]),
        (f"{SOUND}\ngarbage\n{SOUND}", [True, False, True]),
        ("x" * 5_000_000 + f"\n{SOUND}", [False, True]),
        ("", []),
    ],
    ids=[
        "junk first",
        "cut off first",
        "blank lines",
        "over many lines",
        "junk between",
        "too long first",
        "empty",
    ],
)
def test_a_stream_gives_a_verdict_on_each_of_its_records(text: str, expected: list[bool]) -> None:
    assert verdicts(text.encode()) == expected


def test_no_depth_of_nesting_brings_it_down() -> None:
    """The decoder gives up at some depth; just above it a value must not break the sentence that names it."""
    lines = []
    for depth in range(900, 1010):
        nested = "[" * depth + "]" * depth
        lines.append(SOUND.replace('"level": 1', f'"level": {nested}').encode())
        lines.append(SOUND.replace('"moves": []', f'"moves": [{nested}]').encode())
    assert verdicts(b"\n".join(lines)) == [False] * len(lines)


def test_a_plain_terminal_is_printed_on_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "overtrick", "replay", "-"],
        input=SOUND.replace("[]", '["play:\u00e9"]', 1),
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
