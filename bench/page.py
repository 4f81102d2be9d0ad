"""How long a person waits: from the command to the first page, and from a click to the updated table.

    .venv/bin/python bench/page.py [--games 2] [--json]

Starts real servers on free ports of 127.0.0.1 with a database and a kernel cache of their own, and drives the real
page in Chromium. Times are in milliseconds; the machine's load stands beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

WATCH = """
window.waits = [];
let clicked = 0;
document.addEventListener("click", (event) => {
  if (event.target.closest("button[name=move]")) clicked = performance.now();
}, true);
new MutationObserver(() => {
  if (!clicked) return;
  window.waits.push(performance.now() - clicked);
  clicked = 0;
}).observe(document, { attributes: true, attributeFilter: ["data-seq"], subtree: true });
"""
"""Notes, in the page, the time from each click on a move to the table's next state in the document."""


class Server:
    """`overtrick serve` in a process of its own, from the moment of the command."""

    def __init__(self, folder: Path, cache: Path) -> None:
        environment = os.environ | {
            "OVERTRICK_CACHE_DIR": str(cache),
            "OVERTRICK_DATA": str(folder),
            "OVERTRICK_LIMIT_LOOKS": "0",
            "OVERTRICK_PACE": "0",
            "OVERTRICK_PORT": "0",
        }
        command = [sys.executable, "-m", "overtrick", "serve"]
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    def first_pages(self) -> tuple[float, float]:
        """Return the ms from the command to the first answered page and to the lobby itself."""
        answered = 0.0
        while True:
            page = self._get()
            now = 1000 * (time.perf_counter() - self.begun)
            if page:
                answered = answered or now
                if "Preparing" not in page:
                    return answered, now
            time.sleep(0.01)

    def _get(self) -> str:
        try:
            with urllib.request.urlopen(self.address, timeout=30) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError:
            return ""

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=10)


def play(page: Page, address: str, game: str) -> list[float]:
    """Play a game against bots by clicks; return every wait."""
    page.goto(address)
    form = page.locator(f"section.game-{game} form")
    form.locator("input[name=name]").fill("Ana")
    form.locator("button.primary").click()
    page.locator("form[action$='/start'] button").click()
    while page.locator("#table.is-over").count() == 0:
        move = page.locator("button[name=move]:not([disabled]):not([aria-disabled=true]):visible").first
        try:
            move.click(timeout=500)
        except Exception:
            continue
        page.wait_for_timeout(30)
    return [float(wait) for wait in page.evaluate("window.waits")]


def clicks(address: str, games: int) -> list[float]:
    waits: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for number in range(games):
            context = browser.new_context(reduced_motion="no-preference")
            context.add_init_script(WATCH)
            waits += play(context.new_page(), address, ("luz", "duet")[number % 2])
            context.close()
        browser.close()
    return waits


def measure(games: int) -> dict[str, Any]:
    report: dict[str, Any] = {"load_before": os.getloadavg(), "cores": os.cpu_count()}
    with tempfile.TemporaryDirectory() as place:
        cache = Path(place) / "kernels"
        for name in ("first_ever", "warm", "warm_again"):
            server = Server(Path(place) / name, cache)
            answered, lobby = server.first_pages()
            report[name] = {"first_answer_ms": round(answered), "lobby_ms": round(lobby)}
            if name == "warm_again":
                waits = clicks(server.address, games)
                tenths = statistics.quantiles(waits, n=10)
                report["click_to_page"] = {
                    "clicks": len(waits),
                    "p50_ms": round(statistics.median(waits), 1),
                    "p90_ms": round(tenths[8], 1),
                    "max_ms": round(max(waits), 1),
                }
            server.stop()
    report["load_after"] = os.getloadavg()
    return report


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2, help="games played by clicks, Luz and Duet in turn")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    report = measure(options.games)
    print(json.dumps(report) if options.json else json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
