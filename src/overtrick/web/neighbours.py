"""Neighbours: the workers that serve one address, each with the tables that are its own.

Whichever worker a connection has come to, it is handed over, with what has been read of it, to the one whose table it
asks for. So all who are at a table are at one process: its changes are looked at there alone, and what was decided
from what is in memory there is hardly ever late. A worker that is not there, or too busy to be told of more, is done
without: any worker can serve any table.
"""

from __future__ import annotations

import array
import asyncio
import logging
import re
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

if sys.platform == "linux":
    import fcntl
    import termios

logger = logging.getLogger(__name__)

Take = Callable[[socket.socket, bytes], None]
"""Called with a connection that was handed over, and what has been read of it."""

MOST_READ = 32_768
"""Bytes that are handed over with a connection; no head of a request is as long."""
STUCK_AFTER = 1.0
"""Seconds for which something may wait for a neighbour before it is done without."""
PAUSE = 1.0
"""Seconds for which no more neighbours are let in when there is no room for them."""
_TABLE = re.compile(rb"[A-Z]+ /(?:api/tables|t)/([a-z0-9]{1,40})[/? ]")
"""How a request begins that is for a table."""


class _Line:
    """The way to one neighbour."""

    def __init__(self, line: socket.socket) -> None:
        self.socket = line
        self._empty = time.monotonic()

    def is_stuck(self) -> bool:
        """Whether something has waited there for long, as far as was seen: a process that stands still takes none."""
        waiting = array.array("i", [0])
        fcntl.ioctl(self.socket, termios.TIOCOUTQ, waiting)
        now = time.monotonic()
        if not waiting[0]:
            self._empty = now
        return now - self._empty > STUCK_AFTER


class Neighbours:
    """The workers of one address, as the one of number `slot` sees them; they meet in `folder`."""

    def __init__(self, folder: Path, slot: int, workers: int) -> None:
        self._folder = folder
        self._slot = slot
        self._workers = workers
        self._door: socket.socket | None = None
        self._heard: set[socket.socket] = set()
        self._lines: dict[int, _Line] = {}

    def begin(self, take: Take) -> None:
        """Take what is handed over, from now on; where that cannot be, connections stay where they come."""
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        door.setblocking(False)
        place = self._place(self._slot)
        try:
            place.unlink(missing_ok=True)  # of who had this number before
            door.bind(str(place))
            door.listen(self._workers)
        except OSError as error:
            logger.warning("No neighbour can hand anything over to worker %d: %s", self._slot, error)
            door.close()
            return
        self._door, self._take = door, take
        self._open()

    def hand_over(self, transport: asyncio.Transport, read: bytes) -> bool:
        """Hand a connection over to whose it is; False if it stays here. `read`: what a request on it begins with."""
        found = _TABLE.match(read)
        owner = self._slot if found is None else crc32(found[1]) % self._workers
        if owner == self._slot or len(read) > MOST_READ:
            return False
        try:
            line = self._lines.get(owner) or self._line_to(owner)
            if line.is_stuck():
                return False
            socket.send_fds(line.socket, [read], [transport.get_extra_info("socket").fileno()])
        except BlockingIOError:
            return False
        except OSError:
            self._hang_up(owner)
            return False
        transport.close()  # which ends what this process has of it, and not the connection
        return True

    def close(self) -> None:
        """Take what has been handed over, and no more."""
        for owner in list(self._lines):
            self._hang_up(owner)
        if self._door is None:
            return
        self._let_in()
        for heard in list(self._heard):
            self._hear(heard)
        for ended in [self._door, *self._heard]:
            self._forget(ended)
        self._door = None

    def _open(self) -> None:
        if self._door is not None:
            asyncio.get_running_loop().add_reader(self._door, self._let_in)

    def _place(self, slot: int) -> Path:
        return self._folder / f"{slot}.socket"

    def _line_to(self, owner: int) -> _Line:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line.setblocking(False)
        try:
            line.connect(str(self._place(owner)))
        except OSError:
            line.close()
            raise
        self._lines[owner] = _Line(line)
        return self._lines[owner]

    def _hang_up(self, owner: int) -> None:
        if (line := self._lines.pop(owner, None)) is not None:
            line.socket.close()

    def _let_in(self) -> None:
        if self._door is None:
            return
        loop = asyncio.get_running_loop()
        try:
            while True:
                heard, _ = self._door.accept()
                heard.setblocking(False)
                self._heard.add(heard)
                loop.add_reader(heard, self._hear, heard)
        except BlockingIOError:
            return  # that was all
        except OSError as error:
            logger.warning("A neighbour cannot be let in: %s", error)
            loop.remove_reader(self._door)
            loop.call_later(PAUSE, self._open)

    def _hear(self, heard: socket.socket) -> None:
        """Take all that one neighbour has handed over so far."""
        with suppress(BlockingIOError):
            while True:
                try:
                    read, given, *_ = socket.recv_fds(heard, MOST_READ, 1, socket.MSG_CMSG_CLOEXEC)
                except ConnectionError:
                    read, given = b"", []
                if given:
                    self._take(socket.socket(fileno=given[0]), read)
                elif read:
                    logger.warning("A connection was lost on its way: there was no room for it")
                else:  # the neighbour has gone
                    self._forget(heard)
                    return

    def _forget(self, line: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(line)
        self._heard.discard(line)
        line.close()
