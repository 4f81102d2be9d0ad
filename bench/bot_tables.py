"""How long requests take while bots think: `overtrick serve` with 50 tables at which only bots of one level play.

    .venv/bin/python bench/bot_tables.py [--tables 50] [--bot medium] [--seconds 20] [--json]

Starts a real server on a free port of 127.0.0.1 with a database of its own and makes the tables. In turns, with the
bots waiting and with the bots playing, it asks one thing after the other: the lobby, a table's page, a table as JSON,
and a move at a table of two persons. Times are in milliseconds; the machine's load stands beside them.
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
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import httpx

OVERTRICK = [sys.executable, "-m", "overtrick", "serve", "--port", "0", "--log-level", "error"]
GAMES: list[dict[str, Any]] = [
    {"game": "luz", "options": {"players": 4}, "seats": 4},
    {"game": "duet", "options": {"level": 1}, "seats": 2},
]
PATIENCE = 300.0
Times = dict[str, list[float]]


@contextmanager
def server() -> Iterator[str]:
    """A server in a process of its own; its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [*OVERTRICK, "--data", data]
        unlimited = {
            f"OVERTRICK_LIMIT_{kind}": "0" for kind in ("LOOKS", "ACTS", "SEATS", "TABLES", "GUESTS")
        }
        environment = os.environ | unlimited  # all guests come from one address
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        try:
            found = re.search(r"http://[\d.:]+", process.stdout.readline())
            assert found
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


class Guest:
    """A client of the API."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE)
        while self.http.get("/health").status_code != 200:
            time.sleep(0.05)
        secret = self.http.post("/api/guests").json()["secret"]
        self.http.headers["authorization"] = f"Bearer {secret}"

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(path, json=body) if body else self.http.post(path)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def make(self, game: dict[str, Any], seats: list[str]) -> str:
        made = self.post("/api/tables", game=game["game"], options=game["options"], seats=seats, name="Ada")
        return f"/api/tables/{made['id']}"


class Pair:
    """Two persons at a table of Duet, who play on and on."""

    def __init__(self, url: str) -> None:
        self.guests = [Guest(url), Guest(url)]
        self.begin()

    def begin(self) -> None:
        self.table = self.guests[0].make(GAMES[1], ["me", "friend"])
        self.guests[1].post(f"{self.table}/sit", seat=1, name="Grace")
        self.guests[0].post(f"{self.table}/start")

    def move(self) -> tuple[str, dict[str, Any]]:
        """Return what to post for the next move; begins another game when one is over."""
        look = self.guests[0].http.get(self.table).json()
        if look["status"] == "over":
            self.begin()
            return self.move()
        self.mover = self.guests[look["view"]["to_act"]]
        legal = self.mover.http.get(self.table).json()["view"]["legal"]
        return f"{self.table}/move", {"ply": look["ply"], "move": legal[0]}


def timed(times: Times, what: str, ask: Any) -> None:
    began = time.perf_counter()
    ask().raise_for_status()
    times[what].append(1000 * (time.perf_counter() - began))


def ask_on(guest: Guest, pair: Pair, tables: list[str], seconds: float) -> Times:
    """Ask for one thing after the other for so long."""
    times: Times = defaultdict(list)
    ends, http = time.perf_counter() + seconds, guest.http
    for table in cycle(tables):
        if time.perf_counter() >= ends:
            break
        timed(times, "lobby", lambda: http.get("/"))
        timed(times, "table page", lambda table=table: http.get(table.replace("/api/tables", "/t")))
        timed(times, "table as JSON", lambda table=table: http.get(table))
        path, body = pair.move()
        timed(times, "move", lambda path=path, body=body: pair.mover.http.post(path, json=body))
    return times


def moves_made(guest: Guest, tables: list[str]) -> int:
    return sum(guest.http.get(table).json()["ply"] for table in tables)


def measure(tables: int, bot: str, seconds: float, pace: str) -> dict[str, Any]:
    with server() as url:
        guest, pair = Guest(url), Pair(url)
        made = []
        for number in range(tables):
            game = GAMES[number % len(GAMES)]
            asked = {"game": game["game"], "options": game["options"], "pace": pace}
            seats = [f"bot:{bot}"] * game["seats"]
            made.append(f"/api/tables/{guest.post('/api/tables', **asked, seats=seats)['id']}")
        without = ask_on(guest, pair, made, seconds)
        for table in made:
            guest.post(f"{table}/start")
        while moves_made(guest, made) < 2 * tables:
            time.sleep(0.1)
        before, began = moves_made(guest, made), time.perf_counter()
        playing = ask_on(guest, pair, made, seconds)
        rate = (moves_made(guest, made) - before) / (time.perf_counter() - began)
        over = sum(guest.http.get(table).json()["status"] == "over" for table in made)
    return {
        "tables": tables, "bot": bot, "pace": pace, "load": os.getloadavg(), "moves_a_second": rate,
        "over": over, "bots waiting": figures(without), "bots playing": figures(playing),
    }  # fmt: skip


def figures(times: Times) -> dict[str, Any]:
    together = [one for some in times.values() for one in some]
    return {
        what: {
            "n": len(some),
            "p50": statistics.median(some),
            "p99": statistics.quantiles(some, n=100)[98],
            "most": max(some),
        }
        for what, some in {**times, "all": together}.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--bot", default="medium")
    parser.add_argument("--pace", default="normal", choices=["unhurried", "normal", "fast"])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = measure(asked.tables, asked.bot, asked.seconds, asked.pace)
    if asked.json:
        print(json.dumps(found))
        return
    print(
        f"{found['tables']} tables of {found['bot']} bots, {found['pace']} pace; load {found['load'][0]:.2f}"
    )
    for state in ("bots waiting", "bots playing"):
        print(state)
        for what, row in found[state].items():
            print(
                f"  {what:14} n {row['n']:5}  p50 {row['p50']:6.1f}  p99 {row['p99']:6.1f}  most {row['most']:6.1f}"
            )
    print(f"bots' moves a second: {found['moves_a_second']:.0f}; games over at the end: {found['over']}")


if __name__ == "__main__":
    main()
