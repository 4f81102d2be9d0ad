"""`overtrick serve` as a person runs it: a process of its own, from the command to its end."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.sync.client import connect

from cli.processes import next_line, running
from overtrick.web.server import MOST_SOCKETS

PATIENCE = 60.0
ENDED = 15.0
"""Seconds in which it ends on a busy machine; with a stream left open it would never do."""


def command(*options: str, folder: Path, **environment: str) -> AbstractContextManager[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "overtrick", "serve", "--data", str(folder), *options]
    return running(words, environment={**os.environ, **environment})


def printed_address(process: subprocess.Popen[str]) -> str:
    line = next_line(process)
    found = re.search(r"http://[\w.:\[\]]+/", line)
    assert found, line
    return found[0]


def end(process: subprocess.Popen[str], how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    process.send_signal(how)
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors


def ready(address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while httpx.get(f"{address}health", timeout=PATIENCE).status_code != 200:
        assert time.monotonic() < deadline


def test_it_prints_the_address_and_answers_there(tmp_path: Path) -> None:
    with command("--port", "0", folder=tmp_path) as process:
        address = printed_address(process)
        page = httpx.get(address, timeout=PATIENCE)
        assert page.status_code == 200
        assert "Overtrick" in page.text
        assert end(process) == (0, "")


@pytest.mark.parametrize(
    ("path", "kind"), [("api/me/claim", "application/problem+json"), ("me/claim", "text/html")]
)
def test_who_waits_for_a_database_as_the_server_stops_is_told_so(
    tmp_path: Path, path: str, kind: str
) -> None:
    with command("--port", "0", folder=tmp_path) as process, httpx.Client(timeout=PATIENCE) as client:
        address = printed_address(process)
        ready(address)
        sent: dict[str, Any] = {"name": "Ann", "password": "a long password"}
        if path.startswith("api"):
            secret = client.post(f"{address}api/guests").json()["secret"]
            asked = {"json": sent, "headers": {"authorization": f"Bearer {secret}"}}
        else:
            token = re.search(r'name="_csrf_token" value="([^"]+)"', client.get(f"{address}me").text)
            assert token
            asked = {"data": {**sent, "_csrf_token": token[1]}}
        with (
            closing(sqlite3.connect(tmp_path / "overtrick.sqlite3", isolation_level=None)) as somebody,
            ThreadPoolExecutor(1) as threads,
        ):
            somebody.execute("BEGIN IMMEDIATE")
            waiting = threads.submit(client.post, f"{address}{path}", **asked)
            time.sleep(1)
            assert not waiting.done()
            process.send_signal(signal.SIGTERM)
            answer = waiting.result(PATIENCE)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.headers["content-type"].startswith(kind)
        assert "The server is stopping" in answer.text
        assert "content-security-policy" in answer.headers
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, "Traceback" in errors) == (0, False), errors


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_with_streams_open(tmp_path: Path, how: signal.Signals) -> None:
    with command("--port", "0", folder=tmp_path) as process, httpx.Client(timeout=PATIENCE) as client:
        address = printed_address(process)
        ready(address)
        secret = client.post(f"{address}api/guests").json()["secret"]
        body = {"game": "duet", "seats": ["me", "friend"], "name": "Ann"}
        headers = {"authorization": f"Bearer {secret}"}
        table = client.post(f"{address}api/tables", json=body, headers=headers).json()["id"]
        line = connect(
            f"{address.replace('http', 'ws')}t/{table}/live", additional_headers={"origin": address[:-1]}
        )
        with line, client.stream("GET", f"{address}api/tables/{table}/events") as events:
            assert line.recv(PATIENCE)
            assert next(events.iter_lines()).startswith("retry")
            began = time.monotonic()
            assert end(process, how) == (0, "")
            assert time.monotonic() - began < ENDED


def test_a_signal_ends_it_at_once_while_kernels_compile(tmp_path: Path) -> None:
    kernels = str(tmp_path / "kernels")
    with command("--port", "0", folder=tmp_path, OVERTRICK_CACHE_DIR=kernels) as process:
        address = printed_address(process)
        page = httpx.get(address, timeout=PATIENCE)
        assert "being prepared" in page.text
        began = time.monotonic()
        assert end(process) == (0, "")
        assert time.monotonic() - began < ENDED


def minds_ctrl_c(process: psutil.Process) -> bool:
    """Whether a process has come so far that it handles Ctrl-C itself, or never hears of it."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    bit = 1 << (signal.SIGINT - 1)
    return any(int(mask, 16) & bit for mask in re.findall(r"Sig(?:Blk|Cgt):\s*([0-9a-f]+)", status))


def await_forkserver(process: subprocess.Popen[str]) -> None:
    """Wait till the server of the bots' processes runs; it then loads the engine for a while."""
    server, deadline = psutil.Process(process.pid), time.monotonic() + PATIENCE
    while not any(
        "multiprocessing.forkserver" in " ".join(child.cmdline()) and minds_ctrl_c(child)
        for child in server.children()
    ):
        assert time.monotonic() < deadline
        assert process.poll() is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads the command lines of other processes")
def test_ctrl_c_while_the_bots_start_says_nothing(tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "overtrick", "serve", "--port", "0", "--data", str(tmp_path)]
    with running(serve, own_group=True) as process:
        printed_address(process)
        await_forkserver(process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all that it has started
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")


def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with command("--port", port, folder=tmp_path) as process:
            _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert errors == f"Cannot listen on 127.0.0.1 port {port}: Address already in use.\n"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"OVERTRICK_LOG_LEVEL": "loud"}, "log_level is not known: loud"),
        ({"OVERTRICK_BASE_URL": "x"}, "base_url must look like https://games.example.org: x"),
    ],
)
def test_a_bad_setting_is_a_sentence(tmp_path: Path, environment: dict[str, str], sentence: str) -> None:
    with command("--port", "0", folder=tmp_path, **environment) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (1, f"{sentence}\n")


def test_a_data_folder_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with command("--port", "0", folder=tmp_path / "file") as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert errors.startswith("Cannot use the data folder: ")


def test_no_log_line_holds_a_secret_or_a_card(tmp_path: Path) -> None:
    with command("--port", "0", "--log-level", "debug", folder=tmp_path) as process, httpx.Client() as client:
        address = printed_address(process)
        ready(address)
        secret = client.post(f"{address}api/guests").json()["secret"]
        headers = {"authorization": f"Bearer {secret}"}
        body = {"game": "duet", "seats": ["me", "bot:uniform"], "name": "Annabel", "dealer": 1}
        path = f"{address}api/tables/{client.post(f'{address}api/tables', json=body, headers=headers).json()['id']}"
        client.post(f"{path}/start", headers=headers)
        client.post(f"{path}/move", json={"ply": 0, "move": "play:Z1"}, headers=headers)
        client.get(address)
        held = client.cookies
        table = client.get(path, headers=headers).json()
        cookie = "; ".join(f"{name}={value}" for name, value in held.items())
        with connect(
            f"{path.replace('http', 'ws').replace('/api/tables/', '/t/')}/live",
            additional_headers={"origin": address[:-1], "cookie": cookie},
        ) as line:
            line.recv(PATIENCE)
        status, log = end(process)
    assert status == 0
    assert "GET / " in log
    for hidden in (secret, *held.values(), *(f'"{card}"' for card in table["view"]["hands"][0])):
        assert hidden not in log


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the limits of another process")
def test_it_holds_as_many_viewers_as_the_system_allows(tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "overtrick", "serve", "--port", "0", "--data", str(tmp_path)]
    with running(["sh", "-c", 'ulimit -S -n 256; exec "$@"', "sh", *serve]) as process:
        httpx.get(printed_address(process), timeout=PATIENCE)
        soft, hard = psutil.Process(process.pid).rlimit(psutil.RLIMIT_NOFILE)
        assert soft == (MOST_SOCKETS if hard == -1 else min(MOST_SOCKETS, hard))
        assert end(process) == (0, "")
