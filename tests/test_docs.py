"""The papers are true: what follows from the code is up to date, samples run, links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest
import typer.main

from overtrick.bots import BOTS
from overtrick.cli.main import app
from overtrick.games.boards import BOARDS, parse_board
from overtrick.tables.events import EVENTS
from overtrick.web.app import create_app
from overtrick.web.settings import Settings, variable_of

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")), ROOT / "changelog.d" / "README.md"]
KINDS = ("added", "changed", "fixed", "removed")


def text(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def samples(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_what_follows_from_the_code_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "script" / "_docs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run script/docs: {done.stdout}{done.stderr}"


def test_every_setting_is_in_the_docs() -> None:
    assert [s.name for s in fields(Settings) if f"`{variable_of(s.name)}`" not in text("hosting.md")] == []


def test_every_command_and_option_is_in_the_docs() -> None:
    page, missing = text("command-line.md"), []

    def look(command: click.Command, name: str) -> None:
        wanted = [
            name,
            *(opt for p in command.params for opt in p.opts if opt.startswith("--") and opt != "--help"),
        ]
        missing.extend(word for word in wanted if f"`{word}" not in page)
        for sub, inner in getattr(command, "commands", {}).items():
            look(inner, f"{name} {sub}")

    look(typer.main.get_command(app), "overtrick")
    assert missing == []


def test_every_route_of_the_api_is_in_the_docs(tmp_path: Path) -> None:
    paths = create_app(Settings(data=str(tmp_path))).openapi_schema.to_schema()["paths"]
    routes = [f"`{method.upper()} {path}`" for path, methods in paths.items() for method in methods]
    assert len(routes) > 10
    assert [route for route in routes if route not in text("api.md")] == []


@pytest.mark.parametrize(
    ("page", "names"),
    [("architecture.md", EVENTS), ("bots.md", BOTS), ("rules.md", BOARDS)],
    ids=["events", "bots", "boards"],
)
def test_every_one_of_a_kind_is_in_the_docs(page: str, names: dict[str, object]) -> None:
    assert [name for name in names if f"`{name}`" not in text(page)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_samples_run(page: Path) -> None:
    for sample in samples(page, "python"):
        command = [sys.executable, "-W", "error", "-c", sample]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_of_the_checkout(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_sample_board_is_one() -> None:
    (sample,) = samples(ROOT / "docs" / "rules.md", "toml")
    assert parse_board(sample, "docs/rules.md").name == "my-forest"


def test_json_samples_of_records_are_json() -> None:
    found = samples(ROOT / "docs" / "records.md", "json")
    assert found
    for sample in found:
        for line in [sample] if sample.count("\n{") == 0 else sample.strip().splitlines():
            json.loads(line)


def test_news_fragments_are_named_for_a_kind() -> None:
    fragments = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]
    assert [
        name for name in fragments if not re.fullmatch(rf"[a-z0-9-]+\.({'|'.join(KINDS)})\.md", name)
    ] == []


def test_the_changelog_gathers_the_fragments(tmp_path: Path) -> None:
    (tmp_path / "script").mkdir()
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "script" / "changelog").write_bytes((ROOT / "script" / "changelog").read_bytes())
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.1.0, 2026-01-01\n\n- Old.\n")
    (tmp_path / "changelog.d" / "README.md").write_text("Stays.\n")
    (tmp_path / "changelog.d" / "a.added.md").write_text("New\nand long.\n")
    (tmp_path / "changelog.d" / "b.fixed.md").write_text("Mended.\n")
    subprocess.run(["bash", "script/changelog", "0.2.0", "2026-02-02"], cwd=tmp_path, check=True)
    expected = (
        "# Changelog\n\n## 0.2.0, 2026-02-02\n\n### Added\n\n- New\n  and long.\n\n### Fixed\n\n- Mended.\n"
    )
    assert (tmp_path / "CHANGELOG.md").read_text() == expected + "\n## 0.1.0, 2026-01-01\n\n- Old.\n"
    assert [path.name for path in (tmp_path / "changelog.d").iterdir()] == ["README.md"]
