"""Ending what goes on in the background."""

from __future__ import annotations

import asyncio
from typing import Any

AGAIN = 5.0
"""Seconds after which a task that goes on is cancelled once more."""


async def end(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and wait until they have ended.

    What a library does while it is cancelled may fail, and that failure takes the cancelling's place: a task that
    tries again after a failure would then go on for ever. So it is cancelled again until it ends.
    """
    left = {task for task in tasks if task is not None}
    while left:
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=AGAIN)
        for task in ended:
            if not task.cancelled():
                task.exception()  # looked at, for nobody else does
