"""`overtrick bench rules`: how fast the engine is here, on one core, with the machine's state beside the figures."""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from overtrick._jit import records as make_records
from overtrick.games import Batch, Game, kernels, load
from overtrick.games.record import to_json
from overtrick.rules.rng import seeded

SETUPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("luz", {"players": 3}),
    ("luz", {"players": 4}),
    ("luz", {"players": 5}),
    ("duet", {"level": 1}),
    ("duet", {"level": 2}),
    ("duet", {"level": 3}),
)

GAMES_A_CALL = 1000
BATCH = 1000

COMPILE_ALL = """
import time
begun = time.perf_counter()
from overtrick.games import warm
imported = time.perf_counter()
warm()
print(imported - begun, time.perf_counter() - imported)
"""
"""A start: everything that playing and replaying both games takes."""


def bench_rules(*, as_json: bool, repeats: int, seconds: float, records: Path | None) -> None:
    """Measure and print; each figure is per second of one core, best and median of `repeats` runs."""
    report: dict[str, Any] = {"machine": machine(), "repeats": repeats, "seconds": seconds, "rules": []}
    for name, options in SETUPS:
        game = load(name, **options)
        row = {"game": name, **options}
        row["kernels"] = _rates(lambda game=game: _kernel_games(game, seconds), repeats)  # type: ignore[misc]
        row["batch"] = _rates(lambda game=game: _batch_games(game, seconds), repeats)  # type: ignore[misc]
        row["position"] = _rates(lambda game=game: _position_games(game, seconds), repeats)  # type: ignore[misc]
        report["rules"].append(row)
    report["replay"] = _replays(records, repeats)
    report["compile"] = compiles(COMPILE_ALL)
    report["machine"]["load_after"] = os.getloadavg()
    if as_json:
        print(json.dumps(report, indent=1))
    else:
        _print_table(report)


def machine() -> dict[str, Any]:
    """Return what the figures depend on: the processor, its load, the versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_before": os.getloadavg(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def about(machine: dict[str, Any]) -> str:
    """Return the machine in one line."""
    return (
        f"{machine['processor']}, {machine['cores']} cores, load {machine['load_before'][0]:.2f}, "
        f"Python {machine['python']}, Numba {machine['numba']}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


Counted = tuple[int, int, float]
"""Games, decisions, seconds."""


def _rates(run: Callable[[], Counted], repeats: int) -> dict[str, dict[str, float]]:
    run()  # compiles, and warms the caches
    runs = [run() for _ in range(repeats)]
    games = [games / took for games, _, took in runs]
    decisions = [decisions / took for _, decisions, took in runs]
    return {"games_per_s": summary(games), "decisions_per_s": summary(decisions)}


def summary(rates: list[float]) -> dict[str, float]:
    """Return the best and the median of the rates of several runs."""
    return {"best": round(max(rates)), "median": round(statistics.median(rates))}


def _until(seconds: float, play: Callable[[], tuple[int, int]]) -> Counted:
    """Call `play`, which returns (games, decisions), until the time is over."""
    games = decisions = 0
    begun = time.perf_counter()
    while (took := time.perf_counter() - begun) < seconds:
        more_games, more_decisions = play()
        games += more_games
        decisions += more_decisions
    return games, decisions, took


def _kernel_games(game: Game, seconds: float) -> Counted:
    states, begun = make_records(game.state_dtype, GAMES_A_CALL), game.begun()
    generator, owner = seeded(1), np.empty(game.deck.size, np.int8)
    return _until(seconds, lambda: (GAMES_A_CALL, kernels.random_games(states, begun, generator, owner)))


def _batch_games(game: Game, seconds: float) -> Counted:
    """Whole games through `Batch`: choosing at random, checking and stepping, one call each for all games."""
    seeds = iter(range(1 << 62))

    def play() -> tuple[int, int]:
        batch, decisions = Batch(game, BATCH, seed=next(seeds)), 0
        while (going := np.count_nonzero(batch.to_act >= 0)) > 0:
            batch.step(batch.random_actions())
            decisions += int(going)
        return BATCH, decisions

    return _until(seconds, play)


def _position_games(game: Game, seconds: float) -> Counted:
    """Whole games through `Position`, a move at a time, as a person's program would."""
    rng = random.Random(1)

    def play() -> tuple[int, int]:
        return 1, len(random_record(game, rng)["moves"])

    return _until(seconds, play)


def random_record(game: Game, rng: random.Random) -> dict[str, Any]:
    """Return the record of a whole random game, played through `Position`."""
    position, deals, moves = game.start(), [], []
    while not position.over:
        if position.needs_deal:
            deals.append(game.random_deal(rng))
            position = position.deal(deals[-1])
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return to_json(game, deals, moves, {})


def _replays(path: Path | None, repeats: int) -> dict[str, Any]:
    """Measure whole records a second: reading a line, checking every rule, writing the verdict of `--json`."""
    from overtrick.cli.replay import Options, verdict_on

    if path is None:
        rng = random.Random(1)
        games = [load(name, **options) for name, options in SETUPS]
        lines = [json.dumps(random_record(games[i % len(games)], rng)).encode() for i in range(600)]
    else:
        lines = path.read_bytes().splitlines()
    options = Options(as_json=True, at=None, seats=())

    def run() -> Counted:
        moves, begun = 0, time.perf_counter()
        for line in lines:
            verdict, _ = verdict_on(line, options)
            moves += verdict.get("moves", 0)
            json.dumps(verdict)
        return len(lines), moves, time.perf_counter() - begun

    rates = _rates(run, repeats)
    return {
        "records": len(lines),
        "records_per_s": rates["games_per_s"],
        "moves_per_s": rates["decisions_per_s"],
    }


def compiles(program: str) -> dict[str, float]:
    """Measure, in processes of their own, a first start with nothing compiled and a start from the disk's cache.

    program: prints the seconds of its imports and of the rest.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"OVERTRICK_CACHE_DIR": folder}
        cold, warm = (_compile_once(program, environment) for _ in range(2))
    return {"cold_s": cold[1], "warm_s": warm[1], "import_s": warm[0]}


def _compile_once(program: str, environment: dict[str, str]) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    )
    imported, played = done.stdout.split()
    return round(float(imported), 3), round(float(played), 3)


def _print_table(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(about(report["machine"]))
    table = Table("game", "through", "games/s best", "median", "decisions/s best", "median")
    for row in report["rules"]:
        label = f"{row['game']} {row.get('players', row.get('level'))}"
        for way in ("kernels", "batch", "position"):
            games, decisions = row[way]["games_per_s"], row[way]["decisions_per_s"]
            figures = (games["best"], games["median"], decisions["best"], decisions["median"])
            table.add_row(label, way, *(f"{figure:,.0f}" for figure in figures))
    console.print(table)
    replay, compiled = report["replay"], report["compile"]
    console.print(f"replay --json: {replay['records_per_s']['best']:,.0f} records/s best, "
                  f"{replay['records_per_s']['median']:,.0f} median")  # fmt: skip
    console.print(f"first compile {compiled['cold_s']} s; from the disk's cache {compiled['warm_s']} s")
