"""`overtrick bench tables`: what tables under load cost a real server, and how soon it answers."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from overtrick.cli.bench import about, machine
from overtrick.load import NoFigures, Plan, measure


def bench_tables(asked: dict[str, Any], *, as_json: bool) -> int:
    """Measure and print; return the exit status: 0, or 1 if a request failed or nothing could be measured.

    asked: the fields of a Plan.
    """
    state = machine()
    try:
        figures = measure(Plan(**asked))
    except NoFigures as why:
        print(why, file=sys.stderr)
        return 1
    state["load_after"] = os.getloadavg()
    report = {"machine": state, "asked": asked, **figures}
    if as_json:
        print(json.dumps(report, indent=1))
    else:
        _print_report(report)
    return int(bool(figures["errors"]))


def _print_report(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    asked, memory = report["asked"], report["memory"]
    console.print(f"{about(report['machine'])}; load after {report['machine']['load_after'][0]:.2f}")
    pace = f"{asked['rate']:g} moves/s asked for" if asked["rate"] else "each as fast as answered"
    console.print(
        f"{asked['tables']} tables of {asked['game']}, {asked['streams']} viewers each by stream and "
        f"{asked['pages']} as pages; {pace}, {report['seconds']:.1f} s"
    )
    console.print(
        f"{report['moves']} moves, {report['moves_per_s']:,.0f} a second; {report['moves_per_cpu_s']:,.0f} for each "
        f"second of the server's processors ({report['server_cpu_s']} s; the scripted people took "
        f"{report['generator_cpu_s']} s)"
    )
    table = Table("from the move being sent", "p50 ms", "p99 ms", "most ms")
    for label, name in (("to its answer", "answer_ms"), ("to the last viewer", "last_viewer_ms")):
        table.add_row(label, *(f"{report[name][which]:.1f}" for which in ("p50", "p99", "most")))
    console.print(table)
    console.print(
        f"memory: ready {memory['ready_mb']} MB; a table {memory['a_table_kb']} KB, an idle viewer "
        f"{memory['a_viewer_kb']} KB; {memory['after_mb']} MB at the end"
    )
    console.print(f"errors: {report['errors'] or 0}")
