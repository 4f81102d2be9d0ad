"""What goes on for longer than one answer: streams of looks at a table, and bodies that come in pieces.

Both streams (a WebSocket for pages, server-sent events for the API) stand on `until_first`: the sending, the
hearing of the other end and the server's closing run side by side; the first to finish ends them all. A look
at a table is sent again and again, the newest each time, until somebody hangs up.
A viewer who stops reading is cut off; one who is slow skips to the newest look, for the house keeps no queue.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, cast

from litestar.response.base import ASGIResponse

from overtrick.errors import N_, OvertrickError
from overtrick.web.problems import RETRY_AFTER, Problem

if TYPE_CHECKING:
    from litestar.types import HTTPReceiveMessage, Receive, Scope, Send
    from prometheus_client import Gauge

    from overtrick.tables import TableView

    Looks = AsyncGenerator[TableView, None]

STALLED_AFTER = 30.0
"""Seconds that one message may take to be accepted."""
HEAD = "overtrick_head"
"""Set in the state of a request that asks by HEAD for what is answered as GET."""
DIRECT = "overtrick_direct"
"""In the state of a request: the server's own `send`, past all that looks at how an answer begins."""
STOPPING = N_("The server is stopping; please try again in a moment.")
HALF_SENT = N_("That request broke off in the middle.")


class Closing:
    """That the server closes: a signal for which any number may wait beside other things.

    Told are those who wait, one by one: to wait for an event would be a task for each of thousands of streams, and one
    future for all is slow to leave.
    """

    def __init__(self) -> None:
        self._set = False
        self._signals: set[asyncio.Future[None]] = set()
        self._cut_off: set[asyncio.Task[Any]] = set()

    def set(self) -> None:
        """Tell everybody."""
        self._set = True
        for signal in self._signals:
            if not signal.done():
                signal.set_result(None)
        for task in self._cut_off:
            task.cancel()

    def is_set(self) -> bool:
        """Whether the server closes."""
        return self._set

    @contextlib.contextmanager
    def signal(self) -> Iterator[asyncio.Future[None]]:
        """Give what is done once the server closes."""
        signal: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._set:
            signal.set_result(None)
        self._signals.add(signal)
        try:
            yield signal
        finally:
            self._signals.discard(signal)

    @contextlib.contextmanager
    def cutting_off(self) -> Iterator[None]:
        """Raise Problem (503) in the middle of what the block waits for, should the server close."""
        task = asyncio.current_task()
        assert task is not None
        self._cut_off.add(task)
        # After the signal only what does not have to be waited for still gets through.
        late = asyncio.get_running_loop().call_soon(task.cancel) if self._set else None
        try:
            yield
        except asyncio.CancelledError:
            if not self._set or task.uncancel():
                raise
            headers = {"retry-after": str(RETRY_AFTER)}
            raise Problem(STOPPING, status=503, kind="stopping", headers=headers) from None
        finally:
            self._cut_off.discard(task)
            if late is not None:
                late.cancel()


async def until_first(closing: Closing, *works: Coroutine[Any, Any, None] | asyncio.Future[None]) -> None:
    """Run all of `works` until one of them ends or the server closes; cancel the others; raise what that one raised."""
    tasks: list[asyncio.Future[None]] = [asyncio.ensure_future(work) for work in works]
    try:
        with closing.signal() as closed:
            done, _ = await asyncio.wait([*tasks, closed], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


class Incoming:
    """What one client sends, until the server closes: who has not sent all of it by then is not waited for.

    Raises Problem for a request that breaks off: 503 as the server closes, 400 if the client has gone.
    """

    def __init__(self, receive: Receive, closing: Closing) -> None:
        self._receive = receive
        self._closing = closing
        self._whole = False

    async def __call__(self) -> HTTPReceiveMessage:
        """Return the next piece."""
        if self._whole:
            return await self._next()
        with self._closing.cutting_off():
            message = await self._next()
        if message["type"] == "http.disconnect":
            raise Problem(HALF_SENT, status=400, kind="malformed")
        self._whole = not message.get("more_body", False)
        return message

    async def _next(self) -> HTTPReceiveMessage:
        return cast("HTTPReceiveMessage", await self._receive())


class EventStream(ASGIResponse):
    """A table's looks as server-sent events: `id` is the look's `seq`, `data` its JSON.

    `seen`: the id that the client says it saw last; that look is not sent again. `opened`: counts it while it is open.
    `heartbeat`: seconds between signs of life, so that no proxy takes it for dead.
    """

    def __init__(
        self, looks: Looks, *, seen: str | None, closing: Closing, opened: Gauge, heartbeat: float
    ) -> None:
        super().__init__(media_type="text/event-stream")
        self._looks = looks
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
            await _write(send, b"retry: 1000\n\n")
            # Whoever must not look any more is cut off, and told why on asking again.
            with (
                contextlib.suppress(TimeoutError, OvertrickError),
                self._opened.track_inprogress(),
                _beating(send, self._heartbeat) as stalled,
            ):
                await until_first(self._closing, self._events(send), _hung_up(receive), stalled)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _events(self, send: Send) -> None:
        async with contextlib.aclosing(self._looks) as looks:
            async for look in looks:
                if self._seen != str(look.seq):
                    await _write(send, b"id: %d\ndata: %b\n\n" % (look.seq, look.json))
                self._seen = None
                del look  # whoever waits for the next one holds nothing


async def _write(send: Send, body: bytes) -> None:
    # Not asyncio.wait_for: in Python 3.11 it may swallow the cancelling that ends the stream.
    async with asyncio.timeout(STALLED_AFTER):
        await send({"type": "http.response.body", "body": body, "more_body": True})


@contextlib.contextmanager
def _beating(send: Send, every: float) -> Iterator[asyncio.Future[None]]:
    """Give signs of life meanwhile; gives what fails once one is not taken.

    A timer does it, for a task that sleeps is several times as large.
    """
    loop = asyncio.get_running_loop()
    stalled: asyncio.Future[None] = loop.create_future()
    beat: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle

    async def give() -> None:
        try:
            await _write(send, b":\n\n")
        except TimeoutError as error:
            if not stalled.done():
                stalled.set_exception(error)

    def due() -> None:
        nonlocal beat, timer
        if beat is None or beat.done():
            beat = asyncio.create_task(give())
        timer = loop.call_later(every, due)

    timer = loop.call_later(every, due)
    try:
        yield stalled
    finally:
        timer.cancel()
        if beat is not None:
            beat.cancel()


async def _hung_up(receive: Receive) -> None:
    with contextlib.suppress(Problem):
        while (await receive())["type"] != "http.disconnect":
            pass
