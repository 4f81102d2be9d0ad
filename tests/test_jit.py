"""Compiled kernels are kept on disk, for processes that start together too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.processes import PATIENCE, next_line

KERNEL = """
from overtrick._jit import kernel

@kernel
def twice(x):
    return x + x
"""
USE = "import sys, pathlib, time\nfrom doubling import twice\n"
WAIT = "print('ready', flush=True); sys.stdin.readline()\n"


def python(folder: Path, program: str) -> subprocess.Popen[str]:
    environment = os.environ | {"OVERTRICK_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", USE + program],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("trial", range(3))
def test_processes_that_compile_at_once_do_not_mix_up_their_code(trial: int, tmp_path: Path) -> None:
    (tmp_path / "doubling.py").write_text(KERNEL)
    calls = ["twice(1)", "twice(1.5)", "twice(1j)"]
    together = [python(tmp_path, WAIT + call) for call in calls]
    for process in together:
        assert next_line(process) == "ready\n"
    for process in together:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in together:
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    after, _ = (later := python(tmp_path, f"print({', '.join(calls)})")).communicate(timeout=PATIENCE)
    assert later.returncode == 0
    assert after == "2 3.0 2j\n"


def test_a_second_process_reads_what_the_first_compiled(tmp_path: Path) -> None:
    (tmp_path / "doubling.py").write_text(KERNEL)
    for loaded in (0, 1):
        process = python(tmp_path, "twice(1); print(sum(twice.stats.cache_hits.values()))")
        said, _ = process.communicate(timeout=PATIENCE)
        assert said == f"{loaded}\n"
