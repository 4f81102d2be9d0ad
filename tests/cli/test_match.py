"""`overtrick match` as a person runs it: a process of its own, interrupted, gone on with, on cores and clusters."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from cli.processes import next_line, running

PATIENCE = 120.0

DUET = ("--game", "duet", "--seats", "rules_of_thumb,uniform", "--games", "3", "--seed", "7")
LONG = ("--seats", "rules_of_thumb,uniform@nodes=9", "--games", "25", "--seed", "7", "--jobs", "2", "--json")


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "overtrick", "match", *options]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*options),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def report(*options: str) -> dict[str, Any]:
    """Return the figures without those that time the run."""
    done = run(*options, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return untimed(done.stdout)


def untimed(output: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(output)
    assert found.pop("run")["games_played"] >= 0
    for bot in found["bots"]:
        thought = bot.pop("thought")
        assert thought["ms"]["median"] <= thought["ms"]["p99"]
        bot["decisions"] = thought["decisions"]
    return found


def begun(*options: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start a match in a process group of its own, as a terminal does."""
    return running(command(*options), own_group=True)


def wait_for_lines(path: Path, number: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < number:
        assert process.poll() is None, "the match ended before it could be interrupted"
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, Any]:
    return report(*LONG)


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    return report(*DUET, "--backend", "sequential")


@pytest.mark.parametrize(
    "where",
    [("--jobs", "1"), ("--jobs", "2"), ("--backend", "threading", "--jobs", "3"),
     ("--backend", "dask", "--jobs", "2")],
    ids="-".join,
)  # fmt: skip
def test_the_same_games_are_played_wherever(alone: dict[str, Any], where: tuple[str, ...]) -> None:
    assert report(*DUET, *where) == alone


CLUSTER = """
import json, os, sys
from distributed import Client, LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.readline()
        with Client(cluster) as client:
            steps = client.run(lambda dask_worker: (os.getpid(), len(dask_worker.state.log)))
        print(json.dumps(list(steps.values())), flush=True)
"""
"""A cluster that tells its address, and once it is asked each worker's process and how much it has had to do."""


def test_a_cluster_of_two_worker_processes_shares_the_games(
    uninterrupted: dict[str, Any], tmp_path: Path
) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as cluster:
        try:
            address = next_line(cluster).strip()
            assert report(*LONG, "--backend", "dask", "--cluster", address) == uninterrupted
            told, _ = cluster.communicate("done\n", timeout=PATIENCE)
        finally:
            cluster.kill()  # else the end of the block would wait for one that goes on
    (one, steps_of_one), (other, steps_of_other) = json.loads(told)
    assert one != other
    assert min(steps_of_one, steps_of_other) > 0


@pytest.mark.parametrize("lines", [0, 1, 10])
def test_a_match_that_is_killed_leaves_no_process_behind(tmp_path: Path, lines: int) -> None:
    games = tmp_path / "match" / "games.jsonl"
    with begun(*LONG, "--keep", str(tmp_path / "match")) as process:
        wait_for_lines(games, lines, process)
        process.kill()
        process.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while group_lives(process.pid):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def group_lives(leader: int) -> bool:
    """Whether any process is left of the group that this process led."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def test_killed_and_gone_on_with_nothing_is_lost(uninterrupted: dict[str, Any], tmp_path: Path) -> None:
    kept = ("--keep", str(tmp_path / "match"), "--records", str(tmp_path / "records.jsonl"))
    games = tmp_path / "match" / "games.jsonl"
    for lines in (3, 30):
        with begun(*LONG, *kept) as process:
            wait_for_lines(games, lines, process)
            process.kill()
    before = games.read_bytes().splitlines()
    assert report(*LONG, *kept) == uninterrupted
    assert games.read_bytes().splitlines()[: len(before) - 1] == before[:-1]
    check_records(tmp_path / "records.jsonl", 100)


def check_records(path: Path, number: int) -> None:
    """Every game is there once, and sound."""
    metas = [json.loads(line)["meta"] for line in path.read_text("utf-8").splitlines()]
    assert len({(meta["game"], meta["rotation"]) for meta in metas}) == len(metas) == number
    replayed = subprocess.run(
        [sys.executable, "-m", "overtrick", "replay", "--json", str(path)],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert replayed.returncode == 0
    verdicts = [json.loads(line) for line in replayed.stdout.splitlines()]
    assert [verdict["over"] for verdict in verdicts] == [True] * number


def interrupted(folder: Path) -> tuple[int, str, str]:
    """Interrupt a match after its third game; returns its status and what it printed, output and errors."""
    with begun(*LONG, "--keep", str(folder)) as process:
        wait_for_lines(folder / "games.jsonl", 3, process)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, output, errors


def test_interrupted_it_says_so_and_goes_on(uninterrupted: dict[str, Any], tmp_path: Path) -> None:
    for attempt in range(5):  # on a busy machine it may be through before the signal comes
        folder = tmp_path / str(attempt)
        status, output, errors = interrupted(folder)
        if status:
            break
    assert (status, output) == (130, "")
    assert errors.startswith("overtrick: Interrupted after ")
    assert errors.endswith("of 100 games; the same command goes on from there.\n")
    assert errors.count("\n") == 1
    assert report(*LONG, "--keep", str(folder)) == uninterrupted


def test_a_finished_match_is_not_played_again_and_a_longer_one_goes_on(tmp_path: Path) -> None:
    kept = ("--keep", str(tmp_path))
    first = report(*DUET, *kept)
    done = json.loads(run(*DUET, *kept, "--json").stdout)
    assert done["run"]["games_played"] == 0
    longer = run(*DUET, "--games", "5", *kept, "--json").stdout
    assert json.loads(longer)["run"]["games_played"] == 4
    assert untimed(longer) == report(*DUET, "--games", "5")
    assert report(*DUET, *kept) == first


def test_a_table_is_printed_for_people() -> None:
    done = run(*DUET)
    assert done.returncode == 0
    assert "rules_of_thumb" in done.stdout
    assert "games won" in done.stdout
    assert done.stderr == ""


def test_the_progress_bar_is_for_terminals() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command(*DUET, "--json"), stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # Linux says so when the other end is closed
        pass
    output, _ = process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert b"games" in shown
    assert json.loads(output)["games"] == 6


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--seats", "nobody"), "There is no bot nobody"),
        (("--seats", ""), "There is no bot"),
        (("--seats", "uniform,,uniform"), "There is no bot"),
        (("--seats", "uniform@ms=x"), "names no budget"),
        (("--seats", "uniform", "--game", "chess"), "There is no game chess"),
        (("--seats", "uniform", "--players", "9"), "The option players"),
        (("--seats", "uniform", "--level", "1"), "luz has no option level"),
        (("--seats", "uniform", "--game", "duet", "--bead-supply", "15"), "duet has no option bead_supply"),
        (("--seats", "uniform", "--game", "duet", "--board", "nowhere"), "There is no board nowhere"),
        (("--seats", ",".join(["uniform"] * 6)), "The option players"),
        (("--seats", "uniform", "--deals", "4", "--games", "1"), "not by both"),
        (("--seats", "uniform", "--budget-ms", "1", "--budget-nodes", "1"), "not both"),
        (("--seats", "uniform", "--budget-nodes", "0"), "A budget is 1 to"),
        (("--seats", "uniform", "--budget-ms", "nan"), "A budget is more than 0"),
        (("--seats", "uniform", "--jobs", "0"), "At least one game"),
        (("--seats", "uniform", "--jobs", "-3"), "At least one game"),
        (("--seats", "uniform", "--backend", "magic"), "There is no backend magic"),
        (("--seats", "uniform", "--cluster", "tcp://127.0.0.1:9"), "backends dask and ray only"),
        (("--seats", "uniform", "--backend", "dask", "--cluster", "nowhere"), "No Dask scheduler answers"),
        (("--seats", "uniform", "--keep", "/proc/nowhere"), "/proc/nowhere cannot be used"),
        (
            ("--seats", "uniform", "--records", "/nowhere/records.jsonl"),
            "/nowhere/records.jsonl cannot be used",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_played_gets_a_sentence(options: tuple[str, ...], sentence: str) -> None:
    done = run(*options)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(find_spec("ray") is not None, reason="ray is installed")
def test_a_missing_ray_is_asked_for() -> None:
    done = run(*DUET, "--backend", "ray")
    assert done.returncode == 2
    assert done.stderr == "overtrick: The backend ray needs the package ray: pip install ray.\n"
