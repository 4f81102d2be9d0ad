"""The layers of the package, as pyproject.toml's import-linter contracts draw them."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent


def test_imports_go_one_way_and_the_rules_half_stays_pure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports(cache_dir=None)
    assert status == 0, capsys.readouterr().out
