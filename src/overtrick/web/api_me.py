"""The part of the JSON API that is about one's own tables and seats."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get, post
from litestar.params import QueryParameter
from litestar.response import Response

from overtrick.web import examples, shapes, shapes_me, wishes
from overtrick.web.api import json_only
from overtrick.web.api_parts import Json, TableId, described_body, seated
from overtrick.web.described import GUEST, answers
from overtrick.web.links import seat_url

Before = Annotated[
    str | None,
    QueryParameter(description="Where the page of finished games begins: `more` of the page before it."),
]

JoinSeat = Annotated[wishes.JoinSeat, described_body("The secret.", examples.JOIN)]


@get(
    "/me/tables",
    tags=["me"],
    security=GUEST,
    responses=answers(shapes_me.MyTables, "Your tables.", 401, 422, example=examples.MY_TABLES),
)
async def my_tables(request: Request[Any, Any, Any], before: Before = None) -> Json:
    """List the tables at which you sit, those that wait for you first; finished ones in pages, latest first."""
    house, person = await seated(request)
    return Response((await house.tables_of(person, before=before)).to_json())


@get(
    "/tables/{table_id:str}/link",
    tags=["me"],
    security=GUEST,
    responses=answers(shapes_me.SeatLink, "The link.", 401, 403, 404, example=examples.SEAT_LINK),
)
async def link(request: Request[Any, Any, Any], table_id: TableId) -> Json:
    """Get the private link of your seat: whoever opens it, or joins by its secret, holds your seat too."""
    return await _link(request, table_id)


@post(
    "/tables/{table_id:str}/link",
    tags=["me"],
    security=GUEST,
    status_code=200,
    responses=answers(shapes_me.SeatLink, "The new link.", 401, 403, 404, 415, example=examples.SEAT_LINK),
)
async def renew(request: Request[Any, Any, Any], table_id: TableId) -> Json:
    """Get a new private link; the old one leads nowhere, and everybody else who holds your seat is shut out."""
    from overtrick.tables.commands import Relink

    house, person = await seated(request)
    await house.act(table_id, person, Relink())
    return await _link(request, table_id)


@post(
    "/tables/{table_id:str}/join",
    tags=["me"],
    security=GUEST,
    status_code=200,
    responses=answers(
        shapes.Table, "The table as you see it then.", 401, 403, 404, 409, 413, 415, 422,
        example=examples.PLAYED_TABLE,
    ),
)  # fmt: skip
async def join(request: Request[Any, Any, Any], table_id: TableId, data: JoinSeat) -> Json:
    """Hold a seat too, by the secret of its private link."""
    from overtrick.tables.commands import Join

    house, person = await seated(request)
    return Response((await house.act(table_id, person, Join(data.secret))).to_json())


async def _link(request: Request[Any, Any, Any], table_id: str) -> Json:
    house, person = await seated(request)
    secret = await house.link(table_id, person)
    return Response({"secret": secret, "url": seat_url(request, table_id, secret)})


ROUTER = Router(
    "/api",
    before_request=json_only,
    route_handlers=[my_tables, link, renew, join],
)
