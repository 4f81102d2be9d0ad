"""The audit of dependencies hides no vulnerability, and says so when it could not audit."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("audit", Path(__file__).parents[1] / "script" / "_audit.py")
assert SPEC is not None
assert SPEC.loader is not None
AUDIT = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(AUDIT)

SOUND = {"name": "numpy", "version": "2.1", "vulns": []}
SKIPPED = {"name": "numba", "skip_reason": "Dependency not found on PyPI and could not be audited"}
BAD = {
    "name": "jinja2",
    "version": "3.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1"], "aliases": []}],
}
NO_FIX = {"name": "x", "version": "1", "vulns": [{"id": "GHSA-2", "fix_versions": []}]}


@pytest.mark.parametrize("others", [[], [SOUND], [SKIPPED], [SOUND, SKIPPED]])
@pytest.mark.parametrize("errors", ["", "ConnectionError: while asking for another"])
def test_a_known_vulnerability_fails_whatever_else_there_is(others: list[object], errors: str) -> None:
    status, sentence = AUDIT.verdict(json.dumps({"dependencies": [*others, BAD, NO_FIX]}), errors)
    assert status == 1
    assert "jinja2 3.0: PYSEC-1, fixed in 3.1" in sentence
    assert "x 1: GHSA-2" in sentence


@pytest.mark.parametrize(
    ("packages", "sentence"),
    [
        ([SOUND, SOUND], "No known vulnerability in 2 packages."),
        ([SOUND, SKIPPED], "No known vulnerability in 1 packages; NOT AUDITED: 1 more."),
        ([SKIPPED, SKIPPED], "NOT AUDITED: the vulnerability service here knows none of the 2 packages."),
    ],
)
def test_what_was_not_audited_is_said(packages: list[object], sentence: str) -> None:
    assert AUDIT.verdict(json.dumps({"dependencies": packages}), "") == (0, sentence)


def test_a_service_out_of_reach_is_said_and_passes() -> None:
    errors = "ServiceError: HTTPSConnectionPool: Max retries exceeded with url: /pypi/numpy/2.1/json"
    assert AUDIT.verdict("", errors) == (
        0,
        "NOT AUDITED: the vulnerability service cannot be reached from here.",
    )


@pytest.mark.parametrize("answer", ["", "{", "[]", "{}", "null"])
def test_any_other_failure_fails(answer: str) -> None:
    status, sentence = AUDIT.verdict(answer, "No module named pip_audit")
    assert status == 1
    assert "No module named pip_audit" in sentence
