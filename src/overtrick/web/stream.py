"""What goes on for longer than one answer: streams of looks at a table.

Both streams (a WebSocket for pages, server-sent events for the API) are a `Teller`, which sends a viewer the newest
look as long as a block goes on; it ends as they hang up, as the server closes, or as they take nothing any more. A
viewer who stops reading is cut off; one who is slow skips to the newest look, for nobody keeps a queue.
"""

from __future__ import annotations

import asyncio
import logging
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, cast

from litestar.response.base import ASGIResponse
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from overtrick.errors import OvertrickError
from overtrick.web.problems import Problem

if TYPE_CHECKING:
    from litestar.types import Message, Receive, Scope, Send
    from prometheus_client import Gauge

    from overtrick.tables import TableView, Viewer, Watch
    from overtrick.web.closing import Closing

    Follow = Callable[[Viewer], Coroutine[Any, Any, Watch]]

LOG = logging.getLogger(__name__)
STALLED_AFTER = 30.0
"""Seconds that one message may take to be accepted."""
HEAD = "overtrick_head"
"""Set in the state of a request that asks by HEAD for what is answered as GET."""
DIRECT = "overtrick_direct"
"""In the state of a request: the server's own `send`, past all that looks at how an answer begins."""


class Teller:
    """Sends one viewer look after look: at once while they take them, else the newest one once they take more.

    `message`: what is sent for a look, None for nothing. `end`: called, with the error if it is one, when no more can
    be sent: with TimeoutError for who takes nothing for `STALLED_AFTER` seconds.
    """

    __slots__ = ("_end", "_message", "_next", "_send", "_taking")

    def __init__(
        self,
        send: Send,
        message: Callable[[TableView], Message | None],
        end: Callable[[Exception | None], None],
    ) -> None:
        self._send = send
        self._message = message
        self._end = end
        self._next: TableView | None = None
        self._taking: asyncio.Task[None] | None = None

    def show(self, look: TableView) -> None:
        """Send the look, or keep it until what was sent before has been taken."""
        if self._taking is not None:
            self._next = look
            return
        try:
            message = self._message(look)
        except OvertrickError as refused:
            self._end(refused)
            return
        except Exception:  # theirs alone: others are to be told all the same
            LOG.exception("table %s: a look at it could not be shown", look.id)
            self._end(None)
            return
        if message is not None:
            self.send(message)

    def end(self, error: Exception | None = None) -> None:
        """There is no more to send."""
        self._end(error)

    def send(self, message: Message) -> None:
        """Send something else, unless the viewer still has something to take."""
        if self._taking is not None:
            return
        try:
            if _written_at_once(self._send, message):
                return
            sending = cast("Coroutine[Any, Any, None]", self._send(message))
            awaited = sending.send(None)
        except StopIteration:
            return  # taken at once, as nearly always: no task was needed for it
        except Exception:
            self._end(None)  # the line is gone
            return
        self._taking = asyncio.create_task(self._taken(_rest_of(sending, awaited)))
        self._taking.add_done_callback(lambda _: sending.close())

    def close(self) -> None:
        """Wait for nothing any more."""
        if self._taking is not None:
            self._taking.cancel()

    async def _taken(self, rest: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(STALLED_AFTER):
                await rest
        except Exception as error:
            self._end(error)
            return
        self._taking = None
        if self._next is not None:
            look, self._next = self._next, None
            self.show(look)


def _written_at_once(send: Send, message: Message) -> bool:
    """Write a part of a body that goes on, as Uvicorn's own `send` does it; False where that is not all there is to do.

    With many viewers that `send` is a tenth of what a move costs: it looks each time at all that may be to be done.
    """
    cycle = getattr(send, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle) or not cycle.chunked_encoding or cycle.flow.write_paused:
        return False
    if message["type"] != "http.response.body" or cycle.disconnected or cycle.transport.is_closing():
        return False
    body = message["body"]
    if not body or not message["more_body"]:
        return False
    cycle.transport.write(b"%x\r\n%b\r\n" % (len(body), body))
    return True


@types.coroutine
def _rest_of(begun: Any, awaited: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine that has been begun and now waits for `awaited`."""
    while True:
        try:
            try:
                came = yield awaited
            except BaseException as error:
                awaited = begun.throw(error)
            else:
                awaited = begun.send(came)
        except StopIteration:
            return


class EventStream(ASGIResponse):
    """A table's looks as server-sent events: `id` is the look's `seq`, `data` its JSON.

    `follow`: begins to show a viewer the looks. `seen`: the id that the client says it saw last; that look is not sent
    again. `opened`: counts it while it is open. `heartbeat`: seconds between signs of life, so that no proxy takes it
    for dead.
    """

    def __init__(
        self, follow: Follow, *, seen: str | None, closing: Closing, opened: Gauge, heartbeat: float
    ) -> None:
        super().__init__(media_type="text/event-stream")
        self._follow = follow
        self._seen = seen
        self._closing = closing
        self._opened = opened
        self._heartbeat = heartbeat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head at once, then look after look; only the head to one who asks by HEAD."""
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if not scope["state"].get(HEAD):
            send = scope["state"].get(DIRECT, send)
            # Whoever must not look any more is cut off, and told why on asking again.
            with suppress(TimeoutError, OvertrickError), self._opened.track_inprogress():
                await self._tell(receive, send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, receive: Receive, send: Send) -> None:
        with self._closing.block() as block, closing(Teller(send, self._event, block.end)) as teller:
            teller.send(_part(b"retry: 1000\n\n"))
            with await self._follow(teller), Beating(self._heartbeat, lambda: teller.send(_SIGN_OF_LIFE)):
                await _hung_up(receive)

    def _event(self, look: TableView) -> Message | None:
        seen, self._seen = self._seen, None
        return None if seen == str(look.seq) else _part(b"id: %d\ndata: %b\n\n" % (look.seq, look.json))


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


_SIGN_OF_LIFE = _part(b":\n\n")


class Beating:
    """Calls `beat` every so many seconds while a block goes on.

    By a timer, for a task that sleeps is several times as large; nothing here holds itself, and with itself a stream.
    """

    __slots__ = ("_beat", "_every", "_timer")

    def __init__(self, every: float, beat: Callable[[], None]) -> None:
        self._every = every
        self._beat = beat

    def __enter__(self) -> None:
        """Begin."""
        self._timer = asyncio.get_running_loop().call_later(self._every, self._due)

    def __exit__(self, *_: object) -> None:
        """End."""
        self._timer.cancel()

    def _due(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._every, self._due)
        self._beat()


async def _hung_up(receive: Receive) -> None:
    with suppress(Problem):
        while (await receive())["type"] != "http.disconnect":
            pass
