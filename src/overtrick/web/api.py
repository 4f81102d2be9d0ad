"""The JSON API: everything that the pages can do, for bots and other clients.

A client is known by its secret alone (`Authorization: Bearer SECRET`); cookies count for nothing here.
Looking needs no secret: without one the answer is what the public may see.
"""

from __future__ import annotations

import secrets
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from litestar import Response, Router, get, post
from litestar.params import HeaderParameter
from msgspec import ValidationError, convert

from overtrick.errors import N_
from overtrick.web import examples, shapes, wishes
from overtrick.web.api_acts import ACTS
from overtrick.web.api_parts import Asked, Json, TableId, described_body, seated, shown
from overtrick.web.api_talk import TALK
from overtrick.web.bounds import read_json
from overtrick.web.described import ANYBODY, GUEST, PROBLEM_JSON, answers
from overtrick.web.i18n import languages
from overtrick.web.problems import Problem, headers_of, invalid_fields, kind_of, problem_of, status_of
from overtrick.web.services import services_of
from overtrick.web.stream import EventStream
from overtrick.web.visitor import bearer_of, new_secret

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection


NOT_JSON = N_("Send a body as JSON, with the header Content-Type: application/json.")


async def json_only(request: Asked) -> None:
    """Raise Problem for a body that does not say that it is JSON (415), or that is none that can be acted on."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method != "POST" or not (body := await request.body()):
        return
    if kind != "application/json":
        raise Problem(NOT_JSON, status=415, kind="not_json")
    sent, wanted = read_json(body), request.route_handler.parsed_data_field
    if wanted is not None:
        _must_fit(sent, wanted.annotation)


NewTable = Annotated[wishes.NewTable, described_body("The table to make.", examples.NEW_TABLE)]
LastSeen = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID", description="The id of the last event you got; it is not sent again."
    ),
]


@post(
    "/guests",
    tags=["guests"],
    responses=answers(shapes.Guest, "Your secret.", 415, status=201, example=examples.GUEST),
)
async def guests() -> Json:
    """Get a secret that stands for you from now on: whoever holds it holds your seats."""
    return Response({"secret": new_secret()}, status_code=201)


@get(
    "/tables",
    tags=["tables"],
    responses=answers(shapes.OpenTables, "Open tables.", example=examples.OPEN_TABLES),
)
async def list_tables(request: Asked) -> Json:
    """List the public tables that have a free seat, and the games that everybody may watch."""
    house = await services_of(request).house()
    found = {"tables": await house.open_tables(), "to_watch": await house.games_to_watch()}
    return Response({name: [table.to_json() for table in tables] for name, tables in found.items()})


@post(
    "/tables",
    tags=["tables"],
    security=GUEST,
    responses=answers(
        shapes.Table, "The table, made.", 401, 413, 415, 422, status=201, example=examples.TABLE
    ),
)
async def make(request: Asked, data: NewTable) -> Json:
    """Make a table; you are its host. Its address is in the Location header."""
    from overtrick.tables.commands import Make

    house, person = await seated(request)
    command = Make(
        token=data.token or secrets.token_urlsafe(16),
        game=data.game,
        options=data.options,
        seats=tuple(data.seats),
        name=data.name,
        public=data.public,
        show_played=data.show_played,
        dealer="random" if data.dealer == "random" else int(data.dealer),
        pace=data.pace,
        explain=data.explain,
        timing=data.timing,
        watching=data.watching,
        talk=data.talk,
    )
    table = await house.look(await house.make(person, command), person)
    return Response(table.to_json(), status_code=201, headers={"location": f"/api/tables/{table.id}"})


@get(
    "/tables/{table_id:str}",
    tags=["play"],
    security=ANYBODY,
    responses=answers(shapes.Table, "The table as you see it.", 401, 403, 404, example=examples.PLAYED_TABLE),
)
async def look(request: Asked, table_id: TableId) -> Json:
    """Look at a table: your own view if you sit there, else the public one."""
    house = await services_of(request).house()
    return shown(await house.look(table_id, bearer_of(request)))


@get(
    "/tables/{table_id:str}/events",
    tags=["play"],
    security=ANYBODY,
    media_type="text/event-stream",
    responses=answers(
        str, "The events.", 401, 403, 404, example=examples.EVENTS, media_type="text/event-stream"
    ),
)
async def events(request: Asked, table_id: TableId, last_seen: LastSeen = None) -> EventStream:
    """Follow a table by server-sent events, each a whole look at it; its id is the look's `seq`.

    The first comes at once. Looks that are overtaken while you read are left out. The data of an event is
    a table as JSON, just as GET /api/tables/{table_id} answers it.
    """
    services, person = services_of(request), bearer_of(request)
    house = await services.house()
    await house.look(table_id, person)
    return EventStream(
        partial(house.watch, table_id, person),
        seen=last_seen,
        closing=services.closing,
        opened=services.metrics.event_streams,
        heartbeat=services.settings.heartbeat,
    )


@get(
    "/tables/{table_id:str}/record",
    tags=["play"],
    security=ANYBODY,
    responses=answers(shapes.GameRecord, "The record.", 401, 403, 404, 409, example=examples.RECORD),
)
async def record(request: Asked, table_id: TableId) -> Json:
    """Get the record of a finished game."""
    house = await services_of(request).house()
    return Response(await house.record(table_id, bearer_of(request)))


ROUTER = Router(
    "/api",
    before_request=json_only,
    route_handlers=[guests, list_tables, make, look, *ACTS, *TALK, events, record],
)


def problem_answer(connection: ASGIConnection[Any, Any, Any, Any], error: Exception) -> Json:
    """Return any error as problem details (RFC 9457), its sentence in the language asked for."""
    problem = problem_of(error)
    status = status_of(problem)
    language = languages().choose(None, connection.headers.get("accept-language"))
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "kind": kind_of(problem),
        "detail": language.gettext(problem.msgid, **problem.params),
        "clause": problem.clause,
        "errors": getattr(problem, "fields", {}),
    }
    told = {name: value for name, value in body.items() if value}
    return Response(told, status_code=status, media_type=PROBLEM_JSON, headers=headers_of(problem))


def _must_fit(sent: object, wanted: type) -> None:
    """Raise Problem (422) for a field of another type than is wanted.

    Litestar would make one of the other: 1 of "1", true of 1.
    """
    try:
        convert(sent, wanted, strict=True)
    except ValidationError as error:
        said, _, where = str(error).partition(" - at `$")
        raise invalid_fields({where.strip("`.") or "body": said}) from error
