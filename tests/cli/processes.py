"""Commands as a person runs them, each in a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


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
        process.communicate()
