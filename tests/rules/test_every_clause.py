"""Every clause of the rules is cited where it is implemented and held by a test that names it.

D-24 is about talking: it binds the table's chat and its reference panel, not the rules of play, so it has no test here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import overtrick

CLAUSES = [f"{game}-{number}" for game in "LD" for number in range(1, 26)]
OF_THE_TABLE = {"D-24"}
SOURCES = Path(overtrick.__file__).parent
RANGE = re.compile(r"\b([LD])-(\d+) to \1-(\d+)")


def cited(text: str) -> set[str]:
    """Return the clauses that a text cites one by one; a range such as `L-1 to L-25` cites none."""
    return set(re.findall(r"\b[LD]-\d+", RANGE.sub("", text)))


def docstrings_of_tests() -> Iterator[str]:
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_is_held_by_a_test_that_names_it(clause: str) -> None:
    if clause not in OF_THE_TABLE:
        assert any(clause in cited(docstring) for docstring in docstrings_of_tests())


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_is_cited_where_it_is_implemented(clause: str) -> None:
    folders = ("tables", "web") if clause in OF_THE_TABLE else ("rules", "games")
    files = [file for folder in folders for file in (SOURCES / folder).rglob("*.py")]
    assert any(clause in cited(file.read_text(encoding="utf-8")) for file in files)


def test_no_clause_is_cited_that_does_not_exist() -> None:
    for file in SOURCES.rglob("*.py"):
        assert cited(file.read_text(encoding="utf-8")) <= set(CLAUSES), file
