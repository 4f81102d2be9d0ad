"""Not one byte more can be written to any file: SQLite's log breaks off in the middle of a transaction."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("full_disk.py")
PATIENCE = 120.0


def test_what_does_not_fit_is_refused_and_the_game_goes_on_once_there_is_room(tmp_path: Path) -> None:
    path = os.pathsep.join([str(PROGRAM.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, str(PROGRAM), f"sqlite:///{tmp_path / 'tables.db'}"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *refused, moves, status = done.stdout.splitlines()
    assert len(refused) == 2, "a move and a claim"
    # A commit that fails may still count; then the sentence says so.
    for sentence in refused:
        assert sentence.startswith("unavailable: ")
        assert "nothing has happened" in sentence or "counts once only" in sentence
    assert moves == "moves: 0"
    assert status == "over"
