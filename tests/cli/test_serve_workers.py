"""`overtrick serve --workers`: the processes end with whoever started them, however that ends."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest

from cli.test_serve import PATIENCE, command, printed_address, ready


def workers_of(supervisor: int) -> list[psutil.Process]:
    return psutil.Process(supervisor).children(recursive=True)


def test_signals_that_come_one_upon_another_end_it(tmp_path: Path) -> None:
    with command("--port", "0", "--workers", "2", folder=tmp_path) as process:
        ready(printed_address(process))
        workers = workers_of(process.pid)
        assert len(workers) >= 2
        for _ in range(300):
            for number in (signal.SIGTERM, signal.SIGINT):
                process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        assert psutil.wait_procs(workers, PATIENCE)[1] == []


def test_a_supervisor_that_is_killed_leaves_no_worker_behind(tmp_path: Path) -> None:
    with command("--port", "0", "--workers", "2", folder=tmp_path) as process:
        ready(printed_address(process))
        workers = workers_of(process.pid)
        process.kill()
        process.wait(PATIENCE)
        assert psutil.wait_procs(workers, PATIENCE)[1] == []


def serving(worker: psutil.Process, ours: set[int]) -> set[int]:
    """Those of our ports whose connections a worker has."""
    return {line.raddr.port for line in worker.net_connections("tcp") if line.raddr} & ours


def own_port(answer: httpx.Response) -> int:
    port = answer.extensions["network_stream"].get_extra_info("client_addr")[1]
    assert isinstance(port, int)
    return port


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere connections stay where they come")
def test_all_who_follow_a_table_are_at_one_worker(tmp_path: Path) -> None:
    with command("--port", "0", "--workers", "2", folder=tmp_path) as process, ExitStack() as streams:
        address = printed_address(process)
        ready(address)
        client = streams.enter_context(httpx.Client(timeout=PATIENCE))
        secret = client.post(f"{address}api/guests").json()["secret"]
        headers = {"authorization": f"Bearer {secret}"}
        body = {"game": "duet", "seats": ["me", "friend"], "name": "Ann"}
        tables = [
            client.post(f"{address}api/tables", json=body, headers=headers).json()["id"] for _ in range(12)
        ]
        at: dict[str, set[int]] = {}
        reading = []
        for table in tables * 4:
            follow = streams.enter_context(httpx.Client(timeout=PATIENCE))
            events = streams.enter_context(follow.stream("GET", f"{address}api/tables/{table}/events"))
            reading.append(events.iter_lines())
            assert next(reading[-1]).startswith("retry")
            at.setdefault(table, set()).add(own_port(events))
        ours = set.union(*at.values())
        shares = [serving(worker, ours) for worker in workers_of(process.pid)]
        assert set.union(*shares) == ours
        assert all(sum(bool(share & followers) for share in shares) == 1 for followers in at.values())
        assert sum(map(bool, shares)) == 2, (
            "twelve tables by chance at one of two: once in two thousand times"
        )
        # One connection that asks for one table after another goes from worker to worker and is answered by each.
        for table in tables:
            assert client.get(f"{address}api/tables/{table}").json()["id"] == table
