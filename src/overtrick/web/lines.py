"""Uvicorn's connections, which wait for nobody for ever: who takes nothing, or sends half a request, is cut off.

However long an answer to a viewer who has stopped reading waits, here it ends: the connection is gone, and with it
what was kept for it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from overtrick.web.bounds import BoundedHttp, plain_problem
from overtrick.web.stream import STALLED_AFTER

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

    from overtrick.web.neighbours import Neighbours

WHOLE_WITHIN = 60.0
"""Seconds in which a request must have come whole, from the connecting for the first one."""
STUCK_AFTER = STALLED_AFTER
"""Seconds for which a connection may be full, with nothing of what waits to be sent taken."""


class _Taken(asyncio.Protocol):
    """The part of any connection that ends it if nothing of what waits is taken."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _taken: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The connection is full."""
        super().pause_writing()
        self._taken = self.loop.call_later(STUCK_AFTER, self.transport.abort)

    def resume_writing(self) -> None:
        """What waited has been taken."""
        _cancel(self._taken)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        _cancel(self._taken)
        super().connection_lost(exc)


class Http(_Taken, BoundedHttp):
    """A connection for requests.

    `neighbours` is set on a class of its own for each server (`http_for`). `begin_with`: what another worker has read
    of it before it was handed over.
    """

    neighbours: Neighbours | None = None
    begin_with = b""
    _has_read = False
    _answered: RequestResponseCycle | None = None
    _partial = True
    _whole: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, for a while."""
        super().connection_made(transport)
        self._wait()
        if self.begin_with:
            read, self.begin_with = self.begin_with, b""
            self._read_on(read)

    def data_received(self, data: bytes) -> None:
        """Read on, or let the connection go to the worker that it is for."""
        if self.neighbours is None or not (
            self._between_requests and self.neighbours.hand_over(self.transport, data)
        ):
            self._read_on(data)

    @property
    def _between_requests(self) -> bool:
        """Whether nothing has come that is not answered, and every answer is on its way."""
        if not self._has_read:
            return True
        done = not self._partial and self.cycle.response_complete
        return done and not self.transport.get_write_buffer_size()

    def _read_on(self, data: bytes) -> None:
        """Read on; a request that comes in one piece needs no watching."""
        self._has_read = True
        super().data_received(data)
        self._wait()

    def on_message_begin(self) -> None:
        """A request has begun; called by the parser."""
        self._partial = True
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """It is whole; called by the parser."""
        self._partial = False
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more; not by what is being answered either, if other requests came behind it."""
        _cancel(self._whole)
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if not self._partial:
            _cancel(self._whole)
            self._whole = None
        elif self._whole is None:
            self._whole = self.loop.call_later(WHOLE_WITHIN, self.transport.abort)


def http_for(max_body: int, neighbours: Neighbours | None) -> type[Http]:
    """Return the protocol of one server: the largest body that it reads, in bytes, and its neighbours if it has any."""
    return type("Http", (Http,), {"max_body": max_body, "neighbours": neighbours})


class Line(_Taken, WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket, with three more differences.

    A refusal by HTTP completes the handshake: it is no error to log. A handshake that cannot be read is answered, too,
    and ends the connection, which would stay open otherwise. An empty message goes with each ping, for a page's script
    hears no pings, and so could not tell a silent table from a dead line.
    """

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()) or plain_problem(400))
            self.transport.close()

    def send_keepalive_ping(self) -> None:
        """Give a sign of life that a script hears, and ask for one."""
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_text(b"")
        super().send_keepalive_ping()

    async def send(self, message: ASGISendEvent) -> None:
        """Send on."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
