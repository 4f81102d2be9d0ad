"""Turns: processes that write to one SQLite file do so one after the other, each as soon as it can.

SQLite waits for a lock by sleeping, longer and longer, and then looks whether it is free: of two busy processes the
unluckier waited for up to 2.4 s, while the disk had nothing to do. The system wakes who waits for a file of its own.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from overtrick.tables.database import BUSY_SECONDS

if sys.platform != "win32":
    import fcntl


class Turns:
    """A process's turns at writing to the SQLite file `database`; used by one thread.

    The file beside it that stands for the turn is empty. Where there can be none, SQLite's own lock has to do.
    """

    def __init__(self, database: str | None) -> None:
        self._file = f"{database}-turn" if database else ""
        self._held: int | None = None
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix="turn")

    def __enter__(self) -> None:
        """Wait for a turn; raises TimeoutError if whoever has it is stuck."""
        with suppress(OSError):
            self._held = self._opened()
        if self._held is None or sys.platform == "win32":
            return
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._wait(self._held)

    def __exit__(self, *_: object) -> None:
        """Let others have theirs."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def close(self) -> None:
        """Wait no more."""
        self._waiting.shutdown(wait=False)

    def _opened(self) -> int | None:
        return os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) if self._file else None

    def _wait(self, held: int) -> None:
        asked = self._waiting.submit(fcntl.flock, held, fcntl.LOCK_EX)
        try:
            asked.result(BUSY_SECONDS)
        except TimeoutError:
            self._held = None
            asked.add_done_callback(
                lambda _: os.close(held)
            )  # which lets the turn go again, if it ever comes
            raise
