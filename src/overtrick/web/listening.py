"""Uvicorn's server as it is here: streams end before it waits for them, and neighbours hand connections to it."""

from __future__ import annotations

import asyncio
import signal
import socket
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn

from overtrick.web.closing import Closing
from overtrick.web.lines import Line, http_for
from overtrick.web.neighbours import Neighbours
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from overtrick.web.app import Site

LAST_WORDS = 1
"""Seconds that answers under way get when the server stops."""


class Server(uvicorn.Server):
    """Uvicorn, but a signal ends the process with status 0, and `closing` ends streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, closing: Closing, neighbours: Neighbours | None) -> None:
        super().__init__(config)
        self._closing = closing
        self._neighbours = neighbours
        self._taking: set[asyncio.Task[Any]] = set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, at a second Ctrl-C at once."""
        self.stop(force=self.should_exit and sig == signal.SIGINT)

    def stop(self, *, force: bool = False) -> None:
        """Stop serving; `force`: without waiting for answers under way."""
        self.should_exit = True
        self.force_exit = force

    def take(self, connection: socket.socket, read: bytes) -> None:
        """Serve a connection of which another worker has read something already."""
        loop, http = asyncio.get_running_loop(), self.config.http_protocol_class
        protocol = http(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)  # type: ignore[call-arg]
        protocol.begin_with = read  # type: ignore[attr-defined]
        taking = loop.create_task(loop.connect_accepted_socket(lambda: protocol, connection))
        self._taking.add(taking)
        taking.add_done_callback(self._took)

    def _took(self, taking: asyncio.Task[Any]) -> None:
        self._taking.discard(taking)
        if not taking.cancelled():
            taking.exception()  # whoever it was has gone meanwhile

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then all else."""
        if self._neighbours is not None:
            self._neighbours.close()
            await asyncio.gather(*self._taking, return_exceptions=True)
        self._closing.set()
        await super().shutdown(sockets)


def config_for(site: Site, settings: Settings, neighbours: Neighbours | None) -> uvicorn.Config:
    """Return how Uvicorn serves the site."""
    return uvicorn.Config(
        site,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=[proxy.strip() for proxy in settings.trusted_proxies.split(",")],
        http=http_for(settings.max_body, neighbours),
        ws=Line,
        timeout_graceful_shutdown=LAST_WORDS,
        ws_max_size=4096,
        ws_max_queue=4,
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
    )
