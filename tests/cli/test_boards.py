"""An owner's own boards: a folder of files, no code (D-4)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from overtrick.games import load
from overtrick.games.record import to_json

SHORT = """
name = "garden"
title = "The garden"
reconstructed = false
default_for_level = 2
gems = [1, 0, 2, 0, 1, 0, 1]
start = 3
plus = [1, 5]
tokens = 2
"""


def overtrick(*arguments: str, boards: str | None = None, said: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({"OVERTRICK_BOARDS": boards} if boards else {})
    return subprocess.run(
        [sys.executable, "-m", "overtrick", *arguments],
        env=environment,
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )


def a_round(**options: object) -> str:
    game = load("duet")
    record = to_json(game, [game.random_deal(random.Random(1))], [], {})
    return json.dumps(record | {"options": options})


def test_a_board_from_the_owners_folder_is_played_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "garden.toml").write_text(SHORT)
    asked = ["--boards", str(tmp_path), "replay", "--json", "-"]
    state = json.loads(overtrick(*asked, said=a_round(board="garden")).stdout)["state"]
    assert (state["gems"], state["tracker"], state["tokens"]) == ([1, 0, 2, 0, 1, 0, 1], 3, 2)


def test_a_record_that_names_no_board_says_the_same_whatever_boards_there_are(tmp_path: Path) -> None:
    (tmp_path / "garden.toml").write_text(SHORT)
    asked = ("replay", "--json", "-")
    alone, beside = (overtrick(*asked, boards=b, said=a_round(level=2)) for b in (None, str(tmp_path)))
    assert json.loads(alone.stdout)["ok"]
    assert beside.stdout == alone.stdout


def test_a_faulty_board_is_refused_in_a_sentence_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(SHORT.replace("start = 3", "start = 0"))
    refused = overtrick("replay", "--json", "-", boards=str(tmp_path), said=a_round())
    assert refused.returncode == 2
    assert "bad.toml" in refused.stderr
    assert "start" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_unknown_board_is_refused_with_the_boards_that_are_known() -> None:
    refused = overtrick("replay", "--json", "-", said=a_round(board="garden"))
    verdict = json.loads(refused.stdout)
    assert (verdict["ok"], verdict["move"]) == (False, None)
    assert "side-a" in verdict["error"]
