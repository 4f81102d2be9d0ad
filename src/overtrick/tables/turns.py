"""Turns: processes that write to one SQLite file do so one after the other, each as soon as it can.

SQLite waits for a lock by sleeping, longer and longer, and then looks whether it is free: of two busy processes the
unluckier waited for up to 2.4 s, while the disk had nothing to do. The system wakes who waits for a file of its own.
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from overtrick.tables.database import BUSY_SECONDS

if sys.platform != "win32":
    import fcntl


class Turns:
    """A process's turns at writing to the SQLite file `database`; used by one thread.

    The file beside it that stands for the turn is empty. Where there can be none, SQLite's own lock has to do.
    """

    def __init__(self, database: str) -> None:
        self._database = database
        self._file = f"{database}-turn"
        self._held: int | None = None

    def __enter__(self) -> None:
        """Wait for a turn; raises TimeoutError if whoever has it is stuck."""
        if sys.platform == "win32":
            return
        with suppress(OSError):
            self._held = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        if self._held is None:
            return
        if os.geteuid() == 0:
            self._give_to_owner(self._held)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._wait(self._held)
        except OSError:  # a file system without such locks
            self.__exit__()

    def __exit__(self, *_: object) -> None:
        """Let others have theirs."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _give_to_owner(self, held: int) -> None:
        """Let the file belong to whom the database belongs, should root be who has made it."""
        with suppress(OSError):  # there may be no database yet
            database, turn = Path(self._database).stat(), os.fstat(held)
            is_other = (turn.st_uid, turn.st_gid) != (database.st_uid, database.st_gid)
            if is_other and turn.st_nlink == 1:  # not somebody else's file by this name
                os.fchown(held, database.st_uid, database.st_gid)

    def _wait(self, held: int) -> None:
        """Wait in a thread that keeps no process from ending."""
        asked: Future[None] = Future()
        threading.Thread(target=_ask, args=(held, asked), name="turn", daemon=True).start()
        try:
            asked.result(BUSY_SECONDS)
        except TimeoutError:
            self._held = None
            # Should the turn come yet, it is let go again.
            asked.add_done_callback(lambda _: os.close(held))
            raise TimeoutError(f"another process has been writing for {BUSY_SECONDS} s") from None


def _ask(held: int, asked: Future[None]) -> None:
    with suppress(OSError):
        fcntl.flock(held, fcntl.LOCK_EX)
    asked.set_result(None)
