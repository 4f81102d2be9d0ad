"""`overtrick serve --workers`: the processes end with whoever started them, however that ends."""

from __future__ import annotations

import signal
from pathlib import Path

import psutil

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
