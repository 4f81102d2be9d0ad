"""The part of the API by which people at a table talk: messages, and proposals for Duet's forest token."""

from __future__ import annotations

import secrets
from typing import Annotated

from litestar import post

from overtrick.web import examples, wishes
from overtrick.web.api_parts import TABLE_BY_BODY, Asked, Json, TableId, act, described_body
from overtrick.web.described import GUEST

Write = Annotated[wishes.Write, described_body("What to write.", examples.WRITE)]
ProposeForest = Annotated[wishes.ProposeForest, described_body("The end to propose.", examples.PROPOSE)]


@post("/tables/{table_id:str}/say", tags=["play"], security=GUEST, status_code=200, responses=TABLE_BY_BODY)
async def say(request: Asked, table_id: TableId, data: Write) -> Json:
    """Write to the others at the table, when its chat is open: whoever may watch can read it."""
    from overtrick.tables.commands import Say

    return await act(request, table_id, Say(data.token or secrets.token_urlsafe(16), data.text))


@post(
    "/tables/{table_id:str}/propose", tags=["play"], security=GUEST, status_code=200, responses=TABLE_BY_BODY
)
async def propose(request: Asked, table_id: TableId, data: ProposeForest) -> Json:
    """Propose an end for the forest token, between rounds of Duet; your partner may be the one who decides."""
    from overtrick.tables.commands import Propose

    return await act(request, table_id, Propose(data.ply, data.end))


TALK = [say, propose]
