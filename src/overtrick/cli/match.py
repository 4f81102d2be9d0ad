"""`overtrick match`: how well bots play, on the same deals in every rotation of the seats."""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from overtrick.match import Setting, Workers

FAILED, USAGE, INTERRUPTED = 1, 2, 130

GAMES = 100
"""Different games of a match whose length was not given."""

Seats = Annotated[
    str,
    typer.Option(
        metavar="BOT,BOT,...",
        help="Who plays, seat by seat; the last also takes the seats that are left. "
        "A bot may have a budget of its own: strong@nodes=2000, medium@ms=20.",
    ),
]
GameName = Annotated[str, typer.Option("--game", help="luz or duet.")]
Deals = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Different deals: four make a game of Luz; in Duet a game counts as one."
    ),
]
Games = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Different games, if not --deals; 100 if neither is given."),
]
Seed = Annotated[int, typer.Option(help="All games are dealt from it; 1 if not given.")]
Players = Annotated[int | None, typer.Option(help="Luz: 3 to 5; as many as bots are named, or 4.")]
BeadSupply = Annotated[int | None, typer.Option(help="Luz: 15 for a limited supply of bet beads.")]
Level = Annotated[int | None, typer.Option(help="Duet: 1 to 3.")]
BoardName = Annotated[str | None, typer.Option("--board", help="Duet: a board's name, if not the level's.")]
BudgetNodes = Annotated[int | None, typer.Option(metavar="N", help="Search nodes a decision, for all bots.")]
BudgetMs = Annotated[float | None, typer.Option(metavar="MS", help="Milliseconds a decision, for all bots.")]
Jobs = Annotated[int, typer.Option(metavar="N", help="Games at once; -1 is one for each core.")]
Backend = Annotated[str, typer.Option(help="joblib's: loky, threading, sequential, dask or ray.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Of a Dask scheduler or a Ray cluster that is running."),
]
KeepFolder = Annotated[
    Path | None,
    typer.Option("--keep", help="A folder for finished games; the same command goes on from there."),
]
Records = Annotated[Path | None, typer.Option(help="A .jsonl file for every game's record.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


@dataclass(frozen=True)
class Asked:
    """What was asked for: different games, where they are played, where they are kept, how they are printed."""

    games: int
    workers: Workers
    keep: Path | None
    records: Path | None
    as_json: bool


def match(
    *,
    seats: Seats,
    game: GameName = "luz",
    deals: Deals = None,
    games: Games = None,
    seed: Seed = 1,
    players: Players = None,
    bead_supply: BeadSupply = None,
    level: Level = None,
    board: BoardName = None,
    budget_nodes: BudgetNodes = None,
    budget_ms: BudgetMs = None,
    jobs: Jobs = -1,
    backend: Backend = "loky",
    cluster: Cluster = None,
    keep: KeepFolder = None,
    records: Records = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play the same deals in every rotation of the seats, and say how well each did.

    Exit status: 0 when every game was played, 1 if a bot failed, 2 for usage, 130 when interrupted.
    """
    from overtrick.match import InvalidMatch, Workers, checked_budget, make_setting, parse_entrant

    options = {"bead_supply": bead_supply, "level": level, "board": board}
    try:
        budget = checked_budget(budget_nodes, budget_ms)
        entrants = [parse_entrant(text, budget) for text in seats.split(",")]
        given = {key: value for key, value in options.items() if value is not None}
        chosen = make_setting(game, given, entrants, seed=seed, players=players)
        length = _length(chosen, deals, games)
        asked = Asked(length, Workers(backend, jobs, cluster), keep, records, as_json)
        _match(chosen, asked)
    except InvalidMatch as error:
        raise _fatal(str(error), USAGE) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _fatal(
            f"{error.filename or 'The match'} cannot be used: {error.strerror or error}.", USAGE
        ) from None


def _length(setting: Setting, deals: int | None, games: int | None) -> int:
    from overtrick.match import InvalidMatch

    if deals is not None and games is not None:
        raise InvalidMatch("The length of a match is given by --deals or by --games, not by both.")
    if deals is not None:
        return setting.games_for(deals)
    return GAMES if games is None else games


def _match(setting: Setting, asked: Asked) -> None:
    """Play what is not yet played, and print the figures; raise InvalidMatch, OSError or typer.Exit."""
    from overtrick.match import Keep, figures_of
    from overtrick.match.arena import Misplay

    # Of games that were under way when the match ended early joblib warns; we say so ourselves.
    warnings.filterwarnings("ignore", r"\d+ tasks ", UserWarning)
    load, began = os.getloadavg(), time.perf_counter()
    with Keep.open(setting, asked.keep, asked.records) as kept:
        before = len(kept.finished)
        try:
            _play_the_rest(setting, asked, kept)
        except Misplay as error:
            raise _fatal(str(error), FAILED) from error
        except KeyboardInterrupt:
            raise _fatal(_interrupted(setting, asked, len(kept.finished)), INTERRUPTED) from None
        wanted = set(setting.places(asked.games))
        report = figures_of(setting, (ended for place, ended in kept.finished.items() if place in wanted))
    report["run"] = {
        "games_played": len(kept.finished) - before,
        "seconds": round(time.perf_counter() - began, 2),
        "jobs": asked.workers.count,
        "backend": asked.workers.backend,
        "load_before": load,
        "load_after": os.getloadavg(),
    }
    if asked.as_json:
        print(json.dumps(report, indent=1))
    else:
        from overtrick.cli.match_report import print_report

        print_report(report)


def _play_the_rest(setting: Setting, asked: Asked, kept: Any) -> None:
    from overtrick.match import play_all
    from overtrick.match.setting import missing

    places = missing(setting, asked.games, kept.finished)
    if not places:
        return
    with_records = asked.records is not None
    with _progress() as progress:
        bar = progress.add_task("games", total=asked.games * len(setting.rotations))
        progress.update(bar, completed=asked.games * len(setting.rotations) - len(places))
        with closing(play_all(setting, places, asked.workers, with_records=with_records)) as ended_games:
            for ended in ended_games:
                kept.add(ended)
                progress.advance(bar)


def _progress() -> Any:
    """Return a progress bar on standard error, which shows on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)


def _interrupted(setting: Setting, asked: Asked, finished: int) -> str:
    done = f"Interrupted after {finished} of {asked.games * len(setting.rotations)} games"
    if asked.keep is None:
        return f"{done}; they were not kept (--keep FOLDER keeps them)."
    return f"{done}; the same command goes on from there."


def _fatal(sentence: str, status: int) -> typer.Exit:
    print(f"overtrick: {sentence}", file=sys.stderr)
    return typer.Exit(status)
