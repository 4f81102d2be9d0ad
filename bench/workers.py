"""How much more two workers make than one, each with an equal share of a processor of its own: a real server.

    sudo .venv/bin/python bench/workers.py [--share 0.5] [--rounds 3] [--tables 40] [--seconds 10] [--json]

On a machine of two cores the scripted people and the database take their part of both, so that two busy workers get
less than two cores and the figure says nothing about them. Here the system holds each worker to a share of a core
(Linux's control groups, so it takes root), and the rest is for the others. One worker and two are measured in turn, on
a new SQLite database, or on the empty one that OVERTRICK_DATABASE_URL and OVERTRICK_REDIS_URL name.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

import psutil

from overtrick.load import Plan, measure
from overtrick.load.server import Server, started

GROUPS = Path("/sys/fs/cgroup")
PERIOD = 10_000
"""Microseconds in which a worker gets its share: short, so that it never stands still for long."""


def new_group(number: int, share: float) -> Path:
    """Make a control group whose processes get `share` of a core together; of either version of the system's."""
    quota = int(share * PERIOD)
    if (GROUPS / "cgroup.controllers").exists():
        (GROUPS / "cgroup.subtree_control").write_text("+cpu")
        group = GROUPS / f"overtrick-bench-{number}"
        group.mkdir(exist_ok=True)
        (group / "cpu.max").write_text(f"{quota} {PERIOD}")
    else:
        group = GROUPS / "cpu" / f"overtrick-bench-{number}"
        group.mkdir(exist_ok=True)
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    return group


def workers_of(server: Server, number: int) -> list[psutil.Process]:
    """The processes that serve."""
    if number == 1:
        return [server.process]
    children = server.process.children()
    found = [child for child in children if not any("resource_tracker" in part for part in child.cmdline())]
    if len(found) != number:
        raise SystemExit(f"{number} workers were expected, not {len(found)}.")
    return found


@contextmanager
def held(workers: list[psutil.Process], share: float) -> Iterator[None]:
    """Hold each worker to its share during the block."""
    groups = [new_group(number, share) for number in range(len(workers))]
    home = groups[0].parent / "cgroup.procs"
    try:
        for group, worker in zip(groups, workers, strict=True):
            (group / "cgroup.procs").write_text(str(worker.pid))
        yield
    finally:
        for group, worker in zip(groups, workers, strict=True):
            home.write_text(str(worker.pid))
            group.rmdir()


async def moves_a_second(workers: int, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure so many workers once."""
    os.environ["OVERTRICK_WORKERS"] = str(workers)
    load = os.getloadavg()[0]
    async with started() as server:
        await server.quiet()
        with held(workers_of(server, workers), asked.share):
            url = f"http://{server.address[0]}:{server.address[1]}"
            plan = Plan(tables=asked.tables, seconds=asked.seconds, url=url, pid=server.process.pid)
            figures = await asyncio.to_thread(measure, plan)
    kept = ("moves_per_s", "moves_per_cpu_s", "last_viewer_ms", "errors")
    return {"workers": workers, "load": load} | {name: figures[name] for name in kept}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--share", type=float, default=0.5, help="of a core, for each worker")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    runs = []
    for _ in range(asked.rounds):
        for workers in (1, 2):
            runs.append(asyncio.run(moves_a_second(workers, asked)))
            if not asked.json:
                print(runs[-1], flush=True)
    one, two = (fmean(run["moves_per_s"] for run in runs if run["workers"] == workers) for workers in (1, 2))
    report = {"share": asked.share, "one": one, "two": two, "ratio": two / one, "runs": runs}
    print(
        json.dumps(report) if asked.json else f"one {one:.0f} a second, two {two:.0f}: {two / one:.2f} times"
    )


if __name__ == "__main__":
    main()
