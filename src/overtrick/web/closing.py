"""That the server closes: what it ends in the middle, and bodies that come in pieces while it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, cast

from overtrick.errors import N_
from overtrick.web.problems import RETRY_AFTER, Problem

if TYPE_CHECKING:
    from types import TracebackType

    from litestar.types import HTTPReceiveMessage, Receive

STOPPING = N_("The server is stopping; please try again in a moment.")
HALF_SENT = N_("That request broke off in the middle.")


class Closing:
    """That the server closes: it ends every block that is under way."""

    def __init__(self) -> None:
        self._set = False
        self._blocks: set[Block] = set()

    def set(self) -> None:
        """End all blocks, and those that begin later."""
        self._set = True
        for block in self._blocks:
            block.close()

    def is_set(self) -> bool:
        """Whether the server closes."""
        return self._set

    def block(self, error: Callable[[], Exception] | None = None) -> Block:
        """Return a block that ends as the server closes, with what `error` gives, if anything."""
        return Block(self, error)

    def add(self, block: Block) -> None:
        """End the block as the server closes; at once if it does already."""
        self._blocks.add(block)
        if self._set:
            block.close()

    def discard(self, block: Block) -> None:
        """The block has ended."""
        self._blocks.discard(block)


class Block:
    """What a task does in a `with` block, until it is through or somebody ends it in the middle of what it waits for.

    A task of its own for each thing that may end it would be as large as all else of a stream. Once it was ended, only
    what does not have to be waited for still gets through.
    """

    __slots__ = ("_cancelled", "_cancelling", "_closing", "_ending", "_error", "_late", "_task")

    def __init__(self, closing: Closing, error: Callable[[], Exception] | None) -> None:
        self._closing = closing
        self._late = error
        self._error: Exception | None = None
        self._ending: asyncio.Handle | None = None
        self._cancelled = False

    def __enter__(self) -> Self:
        """Begin."""
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._closing.add(self)
        return self

    def close(self) -> None:
        """The server closes."""
        self.end(self._late() if self._late is not None else None)

    def end(self, error: Exception | None = None) -> None:
        """End the block; it raises `error`, if there is one. What ended it first counts."""
        if self._ending is None:
            self._error = error
            # Soon, not at once: the task itself may have asked for it, and may not be waiting yet.
            self._ending = asyncio.get_running_loop().call_soon(self._cancel)

    def _cancel(self) -> None:
        self._cancelled = True
        self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        """Raise what ended the block; whoever is cancelled for another reason stays cancelled."""
        self._closing.discard(self)
        if self._ending is not None:
            self._ending.cancel()
        if not self._cancelled or self._task.uncancel() > self._cancelling:
            return False
        if kind is not asyncio.CancelledError:
            return False
        if self._error is not None:
            raise self._error from None
        return True


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
        with self._closing.block(stopping):
            message = await self._next()
        if message["type"] == "http.disconnect":
            raise Problem(HALF_SENT, status=400, kind="malformed")
        self._whole = not message.get("more_body", False)
        return message

    async def _next(self) -> HTTPReceiveMessage:
        return cast("HTTPReceiveMessage", await self._receive())


def stopping() -> Problem:
    """What is said to whom the server has no time left for."""
    return Problem(STOPPING, status=503, kind="stopping", headers={"retry-after": str(RETRY_AFTER)})
