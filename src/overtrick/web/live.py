"""The page's live line: a WebSocket on which a viewer's own fragment comes whenever their table changes.

The first message is the table as it is now, so a page that was away for a while needs nothing else. What a
browser sends is not read.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from overtrick.errors import OvertrickError
from overtrick.web import pages
from overtrick.web.answers import deny
from overtrick.web.problems import kind_of
from overtrick.web.services import services_of
from overtrick.web.stream import Teller
from overtrick.web.table import page_of
from overtrick.web.visitor import visitor_of

if TYPE_CHECKING:
    from litestar.types import Message

    from overtrick.tables import TableView

    Socket = WebSocket[Any, Any, Any]

SHUT_OUT = 4401
"""The close code for a device that has been logged out or in: the page loads itself anew."""
GOING_AWAY = 1001
"""The close code of a server that stops: the page connects again."""
NOT_SHOWN = 1008
"""The close code for whoever may not look, or not any more: the page loads itself again and so gets the sentence."""


@websocket("/t/{table_id:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table_id: FromPath[str]) -> None:
    """Push the visitor's own fragment of a table, the newest each time."""
    services, person = services_of(socket), visitor_of(socket).person
    try:
        house = await services.house_in_time()
        await house.look(table_id, person)
    except OvertrickError as refused:
        # A script is not told why a handshake failed, but is told the code with which a line ends.
        if kind_of(refused) != "forbidden":
            await deny(socket, refused)
            return
    code = GOING_AWAY
    with suppress(WebSocketDisconnect, TimeoutError):
        await socket.accept()
        try:
            with (
                services.metrics.lines.track_inprogress(),
                services.closing.block() as block,
                closing(Teller(socket.send, partial(_fragment, socket), block.end)) as teller,
                await house.watch(table_id, person, teller),
            ):
                await _hung_up(socket)
            code = GOING_AWAY if services.closing.is_set() else SHUT_OUT
        except OvertrickError:
            code = NOT_SHOWN
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)


def _fragment(socket: Socket, table: TableView) -> Message:
    return {"type": "websocket.send", "bytes": None, "text": pages.table_fragment(page_of(socket, table))}


async def _hung_up(socket: Socket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
