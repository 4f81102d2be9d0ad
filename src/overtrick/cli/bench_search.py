"""`overtrick bench search`: how fast the parts of the search are here, on one core, with the machine's state beside."""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from overtrick._jit import records
from overtrick.cli.bench import SETUPS, about, compiles, machine, summary
from overtrick.games import Game, View, load
from overtrick.rules.rng import seeded
from overtrick.search import Search, Settings, measure, solver

MOMENTS = 32
"""Moments of each kind that are gone through in turn, so that no single deal decides a figure."""
TRICKS = (0, 5)
"""Tricks taken at the moments that are measured: the beginning, and the middle."""
BELIEF = 0.8
EXACT = Settings(exact=1024)

GET_READY = """
import time
begun = time.perf_counter()
import overtrick.bots.searcher
from overtrick.bots.worker import ready
imported = time.perf_counter()
ready("strong", {})
print(imported - begun, time.perf_counter() - imported)
"""
"""What a process that bots think in does before its first move."""


def bench_search(*, as_json: bool, repeats: int, seconds: float, cold: bool) -> None:
    """Measure and print; best and median of `repeats` runs. `cold`: also a first start, with nothing compiled."""
    report: dict[str, Any] = {"machine": machine(), "repeats": repeats, "seconds": seconds, "search": []}
    for name, options in SETUPS:
        game = load(name, **options)
        report["search"].append({"game": name, **options, **_row(game, repeats, seconds)})
    if cold:
        report["compile"] = compiles(GET_READY)
    report["machine"]["load_after"] = os.getloadavg()
    if as_json:
        print(json.dumps(report, indent=1))
    else:
        _print_table(report)


def _row(game: Game, repeats: int, seconds: float) -> dict[str, Any]:
    """Return every figure of one game: rates a second, times a call in the unit that their names end in."""
    row: dict[str, Any] = {}
    for tricks in TRICKS:
        made = measure.moments(game, tricks=tricks, number=MOMENTS, seed=1)
        room = records(made.states.dtype), records(made.minds.dtype), seeded(2)
        row[f"trick_{tricks + 1}"] = {
            "playouts_per_s": _rates(partial(measure.playouts, made, *room), repeats, seconds),
            "worlds_per_s": _rates(partial(measure.draws, made, 0.0, *room), repeats, seconds),
            "believed_worlds_per_s": _rates(partial(measure.draws, made, BELIEF, *room), repeats, seconds),
            "odds_us": _each(_rates(partial(measure.odds, made), repeats, seconds), 1e6),
        }
    return row | {"endings": _endings(game, repeats)}


def _rates(run: Callable[[int], object], repeats: int, seconds: float) -> dict[str, float]:
    """Return runs a second over the moments; `run` goes through them all as often as it is told to."""
    run(1)  # compiles, and warms the caches
    begun = time.perf_counter()
    run(1)
    times = max(1, round(seconds / (time.perf_counter() - begun)))
    rates = []
    for _ in range(repeats):
        begun = time.perf_counter()
        run(times)
        rates.append(times * MOMENTS / (time.perf_counter() - begun))
    return summary(rates)


def _each(rates: dict[str, float], unit: float) -> dict[str, float]:
    return {which: round(unit / rate, 3) for which, rate in rates.items()}


def _endings(game: Game, repeats: int) -> dict[str, Any]:
    """Return how long it takes to solve endings of the most cards with which one is solved, and how many can be."""
    made = measure.moments(game, tricks=game.hand_size - solver.CARDS, number=MOMENTS, seed=1)
    views = [View(game, made.seen[i : i + 1].copy()) for i in range(MOMENTS)]
    views = [view for view in views if len(view.legal_actions) > 1]
    runs = [dict(_solved(views)) for _ in range(repeats + 1)][1:]
    means = [1000 * statistics.mean(run.values()) for run in runs if run]
    if not means:
        return {"asked": len(views), "solved": 0}
    slowest = min(max(run.values()) for run in runs)
    return {
        "asked": len(views),
        "solved": len(runs[0]),
        "solve_ms": {"best": round(min(means), 3), "median": round(statistics.median(means), 3)},
        "slowest_ms": round(1000 * slowest, 3),
    }


def _solved(views: list[View]) -> Iterator[tuple[int, float]]:
    """Yield the number of each ending that can be solved, and the seconds that it took."""
    for number, view in enumerate(views):
        search = Search(view, EXACT, seed=number)
        begun = time.perf_counter()
        search.run(1)
        took = time.perf_counter() - begun
        if search.solved:
            yield number, took


def _print_table(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(about(report["machine"]))
    table = Table("game", "from", "playouts/s best", "median", "worlds/s", "with belief", "odds, us")
    endings = Table("game", "endings", "solved", "ms best", "median", "the slowest")
    for row in report["search"]:
        label = f"{row['game']} {row.get('players', row.get('level'))}"
        for tricks in TRICKS:
            part = row[f"trick_{tricks + 1}"]
            rates = [part[name]["median"] for name in ("worlds_per_s", "believed_worlds_per_s")]
            playouts = part["playouts_per_s"]
            cells = (f"{rate:,.0f}" for rate in (playouts["best"], playouts["median"], *rates))
            table.add_row(label, f"trick {tricks + 1}", *cells, f"{part['odds_us']['median']:.2f}")
        found = row["endings"]
        took = found.get("solve_ms", {"best": 0, "median": 0})
        times = (took["best"], took["median"], found.get("slowest_ms", 0))
        endings.add_row(label, str(found["asked"]), str(found["solved"]), *(f"{ms:.2f}" for ms in times))
    console.print(table)
    console.print(endings)
    if "compile" in report:
        compiled = report["compile"]
        console.print(f"ready for the first move: first compile {compiled['cold_s']} s; "
                      f"from the disk's cache {compiled['warm_s']} s")  # fmt: skip
