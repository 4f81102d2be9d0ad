"""Neighbours: the workers that serve one address, each with the tables that are its own.

Whichever worker a connection has come to, it is handed over, with what has been read of it, to the one whose table it
asks for. So all who are at a table are at one process: its changes are looked at there alone, and what was decided
from what is in memory there is hardly ever late. A worker that is not there, or too busy to be told of more, is done
without: any worker can serve any table.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

Take = Callable[[socket.socket, bytes], None]
"""Called with a connection that was handed over, and what has been read of it."""

MOST_READ = 32_768
"""Bytes that are handed over with a connection; no head of a request is as long."""
_TABLE = re.compile(rb"[A-Z]+ /(?:api/tables|t)/([a-z0-9]{1,40})[/? ]")
"""How a request begins that is for a table."""


class Neighbours:
    """The workers of one address, as the one of number `slot` sees them; they meet in `folder`."""

    def __init__(self, folder: Path, slot: int, workers: int) -> None:
        self._folder = folder
        self._slot = slot
        self._workers = workers
        self._door: socket.socket | None = None
        self._heard: set[socket.socket] = set()
        self._lines: dict[int, socket.socket] = {}

    def begin(self, take: Take) -> None:
        """Take what is handed over, from now on."""
        place = self._place(self._slot)
        place.unlink(missing_ok=True)  # of who had this number before
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._door.setblocking(False)
        self._door.bind(str(place))
        self._door.listen(self._workers)
        self._take = take
        asyncio.get_running_loop().add_reader(self._door, self._let_in)

    def hand_over(self, transport: asyncio.Transport, read: bytes) -> bool:
        """Hand a connection over to whose it is; False if it stays here. `read`: what a request on it begins with."""
        found = _TABLE.match(read)
        owner = self._slot if found is None else crc32(found[1]) % self._workers
        if owner == self._slot or len(read) > MOST_READ:
            return False
        try:
            line = self._lines.get(owner) or self._line_to(owner)
            socket.send_fds(line, [read], [transport.get_extra_info("socket").fileno()])
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

    def _place(self, slot: int) -> Path:
        return self._folder / f"{slot}.socket"

    def _line_to(self, owner: int) -> socket.socket:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line.setblocking(False)
        try:
            line.connect(str(self._place(owner)))
        except OSError:
            line.close()
            raise
        self._lines[owner] = line
        return line

    def _hang_up(self, owner: int) -> None:
        if (line := self._lines.pop(owner, None)) is not None:
            line.close()

    def _let_in(self) -> None:
        assert self._door is not None
        with suppress(BlockingIOError):
            while True:
                heard, _ = self._door.accept()
                heard.setblocking(False)
                self._heard.add(heard)
                asyncio.get_running_loop().add_reader(heard, self._hear, heard)

    def _hear(self, heard: socket.socket) -> None:
        """Take all that one neighbour has handed over so far."""
        with suppress(BlockingIOError):
            while True:
                try:
                    read, given, *_ = socket.recv_fds(heard, MOST_READ, 1)
                except ConnectionError:
                    given = []
                if not given:  # the neighbour has gone
                    self._forget(heard)
                    return
                self._take(socket.socket(fileno=given[0]), read)

    def _forget(self, line: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(line)
        self._heard.discard(line)
        line.close()
