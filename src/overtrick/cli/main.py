"""The `overtrick` command: what each subcommand takes, and nothing else; the work is in the modules beside this one.

Modules are imported by the command that needs them, so that a replay does not wait for a web server's imports.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from overtrick import __version__
from overtrick.cli.backup import backup
from overtrick.cli.match import match
from overtrick.cli.migrate import migrate
from overtrick.cli.serve import serve
from overtrick.cli.tables import app as tables_app

app = typer.Typer(
    name="overtrick",
    help="Luz and The Fox in the Forest Duet: a table in the browser, and the engine behind it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
bench_app = typer.Typer(help="Measure the engine on this machine.", no_args_is_help=True)
app.add_typer(bench_app, name="bench")
app.add_typer(tables_app, name="tables")
app.command()(serve)
app.command()(migrate)
app.command()(backup)
app.command()(match)


def _version(value: bool) -> None:
    if value:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    boards: Annotated[
        Path | None,
        typer.Option(
            envvar="OVERTRICK_BOARDS",
            file_okay=False,
            help="A folder of Duet boards of your own, as .toml files.",
        ),
    ] = None,
) -> None:
    """Play and study two trick-taking games in which nobody sees everything."""
    if boards is not None:
        _add_boards(boards)


def _add_boards(folder: Path) -> None:
    from overtrick.games.boards import InvalidBoard, add_folder

    try:
        add_folder(folder)
    except (InvalidBoard, OSError) as error:
        raise typer.BadParameter(str(error), param_hint="--boards") from None


@app.command()
def replay(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Records; - is standard input, .jsonl holds many.")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line for each record.")] = False,
    view: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Add what this seat, or `public`, may know at that point."),
    ] = None,
    at: Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop after N moves.")] = None,
) -> None:
    """Replay records move by move and check every rule.

    Exit status: 0 if every record is sound, 1 if one is not, 2 for usage.
    """
    from overtrick.cli.replay import Options, parse_seat, replay_files

    try:
        options = Options(as_json=as_json, at=at, seats=() if view is None else (parse_seat(view),))
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--view") from None
    raise typer.Exit(replay_files(files, options))


@app.command()
def verify(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Records; - is standard input, .jsonl holds many.")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line for each record.")] = False,
    published: Annotated[
        str | None,
        typer.Option(
            metavar="HASHES",
            help="The commitments noted at the start, in order: themselves, or a file that holds them.",
        ),
    ] = None,
) -> None:
    """Check that the deals of records are those that the server sealed at the start.

    Exit status: 0 if every record's are, 1 if one's are not, 2 for usage.
    """
    from overtrick.cli.verify import Options, parse_published, verify_files

    try:
        noted = None if published is None else parse_published(published)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--published") from None
    raise typer.Exit(verify_files(files, Options(as_json=as_json, published=noted)))


FiguresAsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Repeats = Annotated[int, typer.Option(min=1, help="Runs of each measurement; best and median are given.")]


@bench_app.command()
def rules(
    *,
    as_json: FiguresAsJson = False,
    repeats: Repeats = 5,
    seconds: Annotated[float, typer.Option(min=0.05, help="About how long one run takes.")] = 0.5,
    records: Annotated[Path | None, typer.Option(help="A .jsonl of records to measure replaying on.")] = None,
) -> None:
    """Measure random games in kernels, in batches and from Python, replaying, and compiling; on one core."""
    from overtrick.cli.bench import bench_rules

    bench_rules(as_json=as_json, repeats=repeats, seconds=seconds, records=records)


@bench_app.command()
def search(
    *,
    as_json: FiguresAsJson = False,
    repeats: Repeats = 5,
    seconds: Annotated[float, typer.Option(min=0.001, help="About how long one run takes.")] = 0.3,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also a bot's first start, with nothing compiled: a minute.")
    ] = False,
) -> None:
    """Measure playouts, worlds drawn, exact odds and exact endings, for each game; on one core."""
    from overtrick.cli.bench_search import bench_search

    bench_search(as_json=as_json, repeats=repeats, seconds=seconds, cold=cold)


@bench_app.command()
def tables(
    *,
    as_json: FiguresAsJson = False,
    game: Annotated[str, typer.Option(help="luz, of four persons, or duet.")] = "luz",
    tables: Annotated[int, typer.Option(min=1, help="Tables at which scripted people play.")] = 100,
    viewers: Annotated[
        int, typer.Option(min=1, help="Viewers a table by event stream, those who play among them.")
    ] = 4,
    pages: Annotated[int, typer.Option(min=0, help="More viewers a table, as the page in a browser.")] = 0,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="Moves a second over all tables; each table as fast as answered if not given."
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long they play.")] = 10.0,
    url: Annotated[
        str, typer.Option(help="A server that runs already, here; one is started if not given.")
    ] = "",
    pid: Annotated[int, typer.Option(min=0, help="Its process.")] = 0,
) -> None:
    """Let scripted people play at tables of a real server and watch, and measure what that costs it.

    Exit status: 0, or 1 if any request failed.
    """
    from overtrick.cli.bench_tables import bench_tables

    asked = {
        "game": game, "tables": tables, "streams": viewers, "pages": pages, "rate": rate, "seconds": seconds,
        "url": url, "pid": pid,
    }  # fmt: skip
    raise typer.Exit(bench_tables(asked, as_json=as_json))


def run() -> None:
    """Run the command; a pipe that its reader closes ends it quietly, and no terminal is too plain to print on."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
