"""The wire as clients see it: requests one after the other, event streams, and the page's live line."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import httptools
from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import Origin
from websockets.uri import parse_uri

Address = tuple[str, int]
Hears = Callable[["Viewer", int, int, float], None]
"""Called with a viewer, the `seq` that it had (0 at first), the one that it has now, and when (monotonic seconds)."""

_SHOWN = re.compile(r'data-seq="(\d+)"')


class Asker(asyncio.Protocol):
    """One connection on which requests go out one after the other."""

    def __init__(self, address: Address) -> None:
        self._host = f"{address[0]}:{address[1]}"
        self._transport: Any = None
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._body = bytearray()
        self._parser = httptools.HttpResponseParser(self)

    @classmethod
    async def connect(cls, address: Address) -> Asker:
        """Return a connection that is open."""
        made = cls(address)
        await asyncio.get_running_loop().create_connection(lambda: made, *address)
        return made

    async def ask(self, method: str, path: str, secret: str = "", body: bytes = b"") -> tuple[int, bytes]:
        """Send one request, as the person of `secret`, and return its status and body; raises ConnectionError."""
        lines = [f"{method} {path} HTTP/1.1", f"host: {self._host}"]
        if secret:
            lines.append(f"authorization: Bearer {secret}")
        if body:
            lines += ["content-type: application/json"]
        if method == "POST":
            lines.append(f"content-length: {len(body)}")
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        return await self._answer

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    @property
    def open(self) -> bool:
        """Whether the connection stands, as far as is known."""
        return not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what to write to."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self._parser.feed_data(data)

    def connection_lost(self, error: Exception | None) -> None:
        """Let whoever waits for an answer know that none comes."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error or ConnectionResetError("the server hung up"))

    def on_body(self, body: bytes) -> None:
        """Called by the parser."""
        self._body += body

    def on_message_complete(self) -> None:
        """Called by the parser."""
        status, body = self._parser.get_status_code(), bytes(self._body)
        self._body.clear()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result((status, body))


class Viewer(asyncio.Protocol):
    """Somebody who follows a table: `seq` is that of the newest look that has come whole."""

    def __init__(self, address: Address, hears: Hears) -> None:
        self.seq = 0
        self._address = address
        self._hears = hears
        self._transport: Any = None
        self._closing = False
        self.lost = False
        """True once the server has refused the viewer or hung up on them."""

    async def connect(self) -> None:
        """Go and follow; the first look has not come yet when this returns."""
        await asyncio.get_running_loop().create_connection(lambda: self, *self._address)

    def close(self) -> None:
        """Hang up."""
        self._closing = True
        if self._transport is not None:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Note it unless we hung up ourselves."""
        self.lost = self.lost or not self._closing

    def _seen(self, seq: int) -> None:
        before, self.seq = self.seq, seq
        self._hears(self, before, seq, time.monotonic())


class EventsViewer(Viewer):
    """Follows by the API's event stream, as the person of `secret` or as a spectator; `look` is the newest as JSON."""

    def __init__(self, address: Address, table: str, secret: str, hears: Hears) -> None:
        super().__init__(address, hears)
        self._table, self._secret = table, secret
        self._parser = httptools.HttpResponseParser(self)
        self._rest = b""
        self.look = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self._transport = transport
        who = f"authorization: Bearer {self._secret}\r\n" if self._secret else ""
        host = f"{self._address[0]}:{self._address[1]}"
        asked = f"GET /api/tables/{self._table}/events HTTP/1.1\r\nhost: {host}\r\n{who}\r\n"
        self._transport.write(asked.encode())

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        """Take the last whole event; called by the parser with a chunk, which is most often one event."""
        if self._parser.get_status_code() != 200:
            self.lost = True
            return
        *events, self._rest = (self._rest + body).split(b"\n\n")
        looks = [event for event in events if event.startswith(b"id: ")]
        if looks:
            number, _, self.look = looks[-1][4:].partition(b"\ndata: ")
            self._seen(int(number))


class PageViewer(Viewer):
    """Follows as the page in a browser does, by WebSocket with compression."""

    def __init__(self, address: Address, table: str, cookie: str, hears: Hears) -> None:
        super().__init__(address, hears)
        origin = f"http://{address[0]}:{address[1]}"
        self._protocol = ClientProtocol(
            parse_uri(f"{origin.replace('http', 'ws', 1)}/t/{table}/live"),
            origin=Origin(origin),
            extensions=[ClientPerMessageDeflateFactory(client_max_window_bits=True)],
        )
        self._cookie = cookie

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        self._transport = transport
        asked = self._protocol.connect()
        if self._cookie:
            asked.headers["Cookie"] = self._cookie
        self._protocol.send_request(asked)
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Read on, and answer pings."""
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                shown = _SHOWN.search(bytes(event.data).decode())
                if shown is not None:
                    self._seen(int(shown[1]))
        self.lost = self.lost or self._protocol.handshake_exc is not None
        self._flush()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
