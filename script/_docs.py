"""Write the parts of the documentation that follow from the code; `--check` only says whether they are up to date.

A page marks such a part by `<!-- generated: NAME -->` and `<!-- end -->`; what stands between is replaced by what the
function of that name below returns.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import typer.main

from overtrick.bots import BOTS
from overtrick.cli.main import app
from overtrick.games import boards
from overtrick.tables.events import EVENTS
from overtrick.web.app import create_app
from overtrick.web.settings import Settings, variable_of

DOCS = Path(__file__).parent.parent / "docs"
PART = re.compile(r"(<!-- generated: (?P<name>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    cells = [list(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "| " + " | ".join("---" for _ in cells[0]) + " |", *lines[1:]])


def settings() -> str:
    """Every setting of the server."""
    rows = (
        (f"`{variable_of(s.name)}`", f"`{s.default}`" if s.default != "" else "", s.metadata["help"])
        for s in fields(Settings)
    )
    return table(("variable", "default", "meaning"), rows)


def commands() -> str:
    """Every command and its options."""
    return "\n\n".join(_command_pages(typer.main.get_command(app), "overtrick"))


def _command_pages(command: Any, name: str) -> Iterator[str]:
    with click.Context(command, info_name=name) as context:
        arguments = [p for p in command.params if isinstance(p, click.Argument)]
        metavars = "".join(f" {p.make_metavar(context)}" for p in arguments)
        group = getattr(command, "commands", None)
        usage = f"`{name}{' COMMAND' if group else ''} [OPTIONS]{metavars}`"
        yield f"### {usage}\n\n{_joined(command.help)}"
        rows = [_option(p, context) for p in command.params if p.name != "help"]
        if rows:
            yield table(("option", "meaning"), rows)
        for sub in sorted(group or ()):
            yield from _command_pages(group[sub], f"{name} {sub}")


def _option(parameter: Any, context: click.Context) -> tuple[str, str]:
    if isinstance(parameter, click.Argument):
        return f"`{parameter.make_metavar(context)}`", parameter.help or ""  # type: ignore[attr-defined]
    flag = (
        parameter.opts[-1] if parameter.is_flag else f"{parameter.opts[-1]} {parameter.make_metavar(context)}"
    )
    default = parameter.default
    shown = "" if default in (None, False, True) or callable(default) else f" Default: {default}."
    return f"`{flag}`", f"{parameter.help}{shown}"


def routes() -> str:
    """Every route of the API."""
    with tempfile.TemporaryDirectory() as data:
        schema = create_app(Settings(data=data)).openapi_schema.to_schema()
    rows = [
        (f"`{method.upper()} {path}`", _joined(what["description"]), _who(what), ", ".join(what["responses"]))
        for path, methods in sorted(schema["paths"].items())
        for method, what in methods.items()
    ]
    return table(("route", "what it does", "who", "answers"), rows)


def _who(operation: dict[str, Any]) -> str:
    security = operation.get("security") or []
    return "anybody" if {} in security or not security else "a guest"


def events() -> str:
    """Every kind of event in a table's log."""
    rows = [
        (
            f"`{kind}`",
            str(event.VERSION),
            ", ".join(f"`{f.name}`" for f in fields(event)),
            _joined(event.__doc__),
        )
        for kind, event in EVENTS.items()
    ]
    return table(("kind", "version", "fields", "what happened"), rows)


def bots() -> str:
    """Every bot."""
    return table(
        ("name", "title", "what to expect"), ((f"`{b.name}`", b.title, b.about) for b in BOTS.values())
    )


def duet_boards() -> str:
    """Every board that comes with the package."""
    rows = [
        (
            f"`{board.name}`",
            board.title,
            " ".join(map(str, board.gems)),
            str(board.start),
            " ".join(map(str, board.plus)),
            str(board.tokens),
            "yes" if board.reconstructed else "no",
        )
        for board in boards.BOARDS.values()
    ]
    return table(("name", "title", "gems", "start", '"+" at', "tokens", "reconstructed"), rows)


def _joined(text: str | None) -> str:
    return " ".join((text or "").split())


def _simulated() -> dict[str, Callable[[], str]]:
    """The parts that bench/scale.py makes."""
    sys.path.insert(0, str(DOCS.parent / "bench"))
    import scale

    return scale.PARTS


PARTS: dict[str, Callable[[], str]] = {
    "settings": settings,
    "commands": commands,
    "routes": routes,
    "events": events,
    "bots": bots,
    "boards": duet_boards,
    **_simulated(),
}


def renewed(page: str) -> str:
    """Return a page with its generated parts made anew; raise KeyError for a part that nobody makes."""
    return PART.sub(lambda match: match[1] + PARTS[match["name"]]() + "\n" + match[3], page)


def main() -> int:
    """Write the pages, or with `--check` name those that are out of date and return 1."""
    stale = []
    for path in sorted(DOCS.glob("*.md")):
        page = path.read_text("utf-8")
        new = renewed(page)
        if new != page:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(new, "utf-8")
    if stale:
        print("out of date:" if "--check" in sys.argv else "renewed:", *stale)
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
