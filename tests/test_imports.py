"""What importing costs, and where the compiler is named."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import overtrick

PACKAGE = Path(overtrick.__file__).parent
SERVING = {
    "asyncio",
    "litestar",
    "uvicorn",
    "sqlalchemy",
    "sqlite3",
    "minijinja",
    "babel",
    "segno",
}


def modules_after(statement: str) -> set[str]:
    """The top-level modules that a clean process holds after a statement."""
    program = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-I", "-c", program], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_importing_the_package_brings_in_nothing_outside_the_standard_library() -> None:
    others = modules_after("import overtrick") - modules_after("pass") - sys.stdlib_module_names
    assert others == {"overtrick"}


@pytest.mark.parametrize("half", ["rules", "games", "search", "bots", "cli.replay"])
def test_the_engine_and_the_bots_bring_in_no_server(half: str) -> None:
    assert not modules_after(f"import overtrick.{half}") & SERVING


def test_only_the_compilers_policy_names_the_compiler() -> None:
    naming = re.compile(r"\bnjit\b|^\s*(from numba|import numba)\b", re.MULTILINE)
    strays = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if naming.search(path.read_text())
    }
    assert strays - {"cli/bench.py"} == {"_jit.py"}  # the benchmark prints Numba's version


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert overtrick.__version__ == version("overtrick")
