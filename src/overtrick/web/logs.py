"""What the server writes down: a line on standard error, as text or as JSON, with its table and its request.

No line holds what a client has sent. A request is named by its route's template, never by its address, for there
are secrets in addresses; libraries, which write down addresses, headers and statements, stay above that level.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from overtrick.web.settings import Settings

if TYPE_CHECKING:
    from litestar.types import Message, Scope, Send

logger = logging.getLogger(__name__)

_REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
_TABLE: ContextVar[str | None] = ContextVar("table", default=None)
_TABLE_PATH = re.compile(r"/(?:t|api/tables)/([a-z0-9]{1,40})(?:/|$)")


def set_up_logging(settings: Settings) -> None:
    """Log to standard error.

    Only the product's own lines go below WARNING: further down the libraries write down the addresses, the headers
    and the statements that they handle, and with them people's secrets and hidden cards.
    """
    handler = logging.StreamHandler()
    handler.addFilter(_placed)
    handler.setFormatter(
        JsonLine()
        if settings.log_format == "json"
        else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(handlers=[handler])
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    logging.getLogger("overtrick").setLevel(level)
    logging.getLogger("uvicorn").setLevel(max(level, logging.WARNING))


def _placed(record: logging.LogRecord) -> bool:
    """Give a line the table and the request that it was written for; one that begins with a table is of that one."""
    names_it = record.msg.startswith("table %s: ") if isinstance(record.msg, str) else False
    record.table = record.args[0] if names_it and isinstance(record.args, tuple) else _TABLE.get()
    record.request = _REQUEST.get()
    return True


class JsonLine(logging.Formatter):
    """A line as one JSON object: time (UTC), level, logger, message and, where there are, table, request and error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "table": getattr(record, "table", None),
            "request": getattr(record, "request", None),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        return json.dumps(
            {name: value for name, value in line.items() if value is not None}, ensure_ascii=False
        )


@dataclass(slots=True)
class Served:
    """One request while it is served, and how it was answered: 0 until it is, 101 for a live line."""

    send: Send
    status: int = 0

    async def __call__(self, message: Message) -> None:
        """Send a part of the answer on, and note its status."""
        if message["type"] in {"http.response.start", "websocket.http.response.start"}:
            self.status = message["status"]
        elif message["type"] == "websocket.accept":
            self.status = 101
        await self.send(message)


@contextmanager
def serving(scope: Scope, send: Send, count: Callable[[Scope, int, float], None]) -> Iterator[Served]:
    """Mark the lines written meanwhile with the request and its table; write a line on it at its end.

    `count` is told of its end, too: its status and how many seconds it took.
    """
    found = _TABLE_PATH.match(scope["path"])
    request, table = _REQUEST.set(secrets.token_hex(6)), _TABLE.set(found[1] if found else None)
    served, began = Served(send), time.monotonic()
    try:
        yield served
    finally:
        taken = time.monotonic() - began
        logger.info("%s %s %d in %.0f ms", method_of(scope), route_of(scope), served.status, taken * 1000)
        count(scope, served.status, taken)
        _REQUEST.reset(request)
        _TABLE.reset(table)


def method_of(scope: Scope) -> str:
    """Return a request's method; of a live line, `LIVE`."""
    return str(scope.get("method", "LIVE"))


def route_of(scope: Scope) -> str:
    """Return the template of the route that a request took, such as `/t/{table_id}`; "?" for none."""
    return str(scope.get("path_template") or "?")
