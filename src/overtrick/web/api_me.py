"""The part of the JSON API that is about one's own tables."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.params import QueryParameter
from litestar.response import Response

from overtrick.web import examples, shapes_me
from overtrick.web.api import JsonRequest, json_only
from overtrick.web.api_parts import Json, seated
from overtrick.web.described import GUEST, answers

Before = Annotated[
    str | None,
    QueryParameter(description="Where the page of finished games begins: `more` of the page before it."),
]


@get(
    "/tables",
    tags=["me"],
    security=GUEST,
    responses=answers(shapes_me.MyTables, "Your tables.", 401, 422, example=examples.MY_TABLES),
)
async def my_tables(request: Request[Any, Any, Any], before: Before = None) -> Json:
    """List the tables at which you sit, those that wait for you first; finished ones in pages, latest first."""
    house, person = await seated(request)
    return Response((await house.tables_of(person, before=before)).to_json())


ROUTER = Router("/api/me", before_request=json_only, request_class=JsonRequest, route_handlers=[my_tables])
