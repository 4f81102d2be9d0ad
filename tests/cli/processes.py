"""Commands as a person runs them, each in a process of its own."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO

PATIENCE = 120.0
"""Seconds after which a test gives up waiting for a process."""


@contextmanager
def running(
    command: list[str], *, environment: Mapping[str, str] | None = None, own_group: bool = False
) -> Iterator[subprocess.Popen[str]]:
    """Start a command, its output in pipes, and end it if it has not ended by itself."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=own_group,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        # It has ended; its output ends once all that it started has, which holds the same pipes.
        process.communicate(timeout=PATIENCE)


def next_line(process: subprocess.Popen[str], source: IO[str] | None = None) -> str:
    """What it says next, on its standard output by default; a process that says nothing for too long is killed."""
    line = source or process.stdout
    assert line is not None
    killing = threading.Timer(PATIENCE, process.kill)
    killing.start()
    try:
        return line.readline()
    finally:
        killing.cancel()
