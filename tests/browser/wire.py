"""A wire between browser and server that can be cut without either end hearing of it, as networks fail."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

PATIENCE = 60.0
"""Seconds after which whatever waits here gives up."""


class Wire:
    """Passes on what comes to a port of its own; cut, it holds everything back and says nothing."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._whole = threading.Event()
        self._whole.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = [self._listener]
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._start(self._accept)

    def cut(self) -> None:
        """Let nothing through any more, neither bytes nor ends of connections."""
        self._whole.clear()

    def mend(self) -> None:
        """Let everything through again, what was held back too."""
        self._whole.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.mend()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while True:
            near, _ = self._listener.accept()
            self._ends.append(near)
            self._start(self._join, near)

    def _join(self, near: socket.socket) -> None:
        if self._whole.wait(PATIENCE):
            far = socket.create_connection(("127.0.0.1", self._target), PATIENCE)
            self._ends.append(far)
            self._start(self._pass_on, near, far)
            self._pass_on(far, near)

    def _pass_on(self, source: socket.socket, goal: socket.socket) -> None:
        source.settimeout(PATIENCE)
        while (data := source.recv(65_536)) and self._whole.wait(PATIENCE):
            goal.sendall(data)
        if self._whole.wait(PATIENCE):
            goal.shutdown(socket.SHUT_WR)

    def _start(self, work: Callable[..., None], *ends: socket.socket) -> None:
        def do() -> None:
            with suppress(OSError):  # an end was closed
                work(*ends)

        threading.Thread(target=do, daemon=True).start()
