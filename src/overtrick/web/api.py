"""The JSON API: everything that the pages can do, for bots and other clients.

A client is known by its secret alone (`Authorization: Bearer SECRET`); cookies count for nothing here.
Looking needs no secret: without one the answer is what the public may see.
"""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from litestar import Request, Response, Router, get, post
from litestar.exceptions import ClientException
from litestar.openapi.spec import Example
from litestar.params import BodyKwarg, HeaderParameter, PathParameter

from overtrick.errors import N_
from overtrick.web import examples, shapes, wishes
from overtrick.web.described import ANYBODY, GUEST, PROBLEM_JSON, Verbatim, answers
from overtrick.web.i18n import languages
from overtrick.web.problems import Problem, headers_of, invalid_fields, kind_of, problem_of, status_of
from overtrick.web.services import services_of
from overtrick.web.stream import EventStream
from overtrick.web.visitor import bearer_of, new_secret, unauthorized

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    from overtrick.tables import House, Person, TableView
    from overtrick.tables.commands import Command

Json = Response[dict[str, Any]]
Asked = Request[Any, Any, Any]

NOT_JSON = N_("Send a body as JSON, with the header Content-Type: application/json.")


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body may be nested as deeply as anybody likes."""

    async def json(self) -> Any:
        """Return the body; raises ClientException (400) for one that cannot be read."""
        try:
            return await super().json()
        except RecursionError as error:
            raise ClientException from error


async def json_only(request: Asked) -> None:
    """Raise Problem (415) for a body that does not say that it is JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and kind != "application/json" and await request.body():
        raise Problem(NOT_JSON, status=415, kind="not_json")


_TABLE = answers(
    shapes.Table, "The table as you see it then.", 401, 403, 404, 409, 415, example=examples.TABLE
)
_TABLE_BY_BODY = answers(
    shapes.Table,
    "The table as you see it then.",
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    422,
    example=examples.PLAYED_TABLE,
)


def _body(description: str, example: object) -> Any:
    return BodyKwarg(
        description=description, examples=[Example(summary=description, value=Verbatim(example))]
    )


NewTable = Annotated[wishes.NewTable, _body("The table to make.", examples.NEW_TABLE)]
SitDown = Annotated[wishes.SitDown, _body("The seat and your name.", examples.SIT)]
PutBot = Annotated[wishes.PutBot, _body("The seat and the bot.", examples.BOT)]
MakeMove = Annotated[wishes.MakeMove, _body("The move.", examples.MOVE)]
GiveUp = Annotated[wishes.GiveUp, _body("On which look you decided it.", examples.GIVE_UP)]
TableId = Annotated[str, PathParameter(description="The table's id, the last part of its address.")]
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
    """List the public tables that have a free seat."""
    house = await services_of(request).house()
    return Response({"tables": [table.to_json() for table in await house.open_tables()]})


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

    house, person = await _seated(request)
    await _true_or_false(request, "public", "show_played", "explain")
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
    )
    table = await house.look(await house.make(person, command), person)
    return Response(table.to_json(), status_code=201, headers={"location": f"/api/tables/{table.id}"})


@get(
    "/tables/{table_id:str}",
    tags=["play"],
    security=ANYBODY,
    responses=answers(shapes.Table, "The table as you see it.", 401, 404, example=examples.PLAYED_TABLE),
)
async def look(request: Asked, table_id: TableId) -> Json:
    """Look at a table: your own view if you sit there, else the public one."""
    house = await services_of(request).house()
    return _shown(await house.look(table_id, bearer_of(request)))


@post(
    "/tables/{table_id:str}/sit", tags=["tables"], security=GUEST, status_code=200, responses=_TABLE_BY_BODY
)
async def sit(request: Asked, table_id: TableId, data: SitDown) -> Json:
    """Take an empty seat."""
    from overtrick.tables.commands import Sit

    return await _act(request, table_id, Sit(data.seat, data.name))


@post("/tables/{table_id:str}/leave", tags=["tables"], security=GUEST, status_code=200, responses=_TABLE)
async def leave(request: Asked, table_id: TableId) -> Json:
    """Give your seat up, before the start."""
    from overtrick.tables.commands import Leave

    return await _act(request, table_id, Leave())


@post(
    "/tables/{table_id:str}/bot", tags=["tables"], security=GUEST, status_code=200, responses=_TABLE_BY_BODY
)
async def bot(request: Asked, table_id: TableId, data: PutBot) -> Json:
    """Put a bot in an empty seat, or take it away. For the host."""
    from overtrick.tables.commands import SeatBot

    return await _act(request, table_id, SeatBot(data.seat, data.bot))


@post("/tables/{table_id:str}/start", tags=["tables"], security=GUEST, status_code=200, responses=_TABLE)
async def start(request: Asked, table_id: TableId) -> Json:
    """Begin the game, once every seat is taken. For the host."""
    from overtrick.tables.commands import Start

    return await _act(request, table_id, Start())


@post("/tables/{table_id:str}/move", tags=["play"], security=GUEST, status_code=200, responses=_TABLE_BY_BODY)
async def move(request: Asked, table_id: TableId, data: MakeMove) -> Json:
    """Make a move. Sending the same one again does nothing more."""
    from overtrick.tables.commands import Move

    return await _act(request, table_id, Move(data.ply, data.move))


@post(
    "/tables/{table_id:str}/resign", tags=["play"], security=GUEST, status_code=200, responses=_TABLE_BY_BODY
)
async def resign(request: Asked, table_id: TableId, data: GiveUp) -> Json:
    """Give a game of Duet up, for the team."""
    from overtrick.tables.commands import Resign

    return await _act(request, table_id, Resign(data.ply))


@post("/tables/{table_id:str}/again", tags=["play"], security=GUEST, status_code=200, responses=_TABLE)
async def again(request: Asked, table_id: TableId) -> Json:
    """Play once more with the same people: `next_table` of the answer is where."""
    from overtrick.tables.commands import Again

    return await _act(request, table_id, Again())


@get(
    "/tables/{table_id:str}/events",
    tags=["play"],
    security=ANYBODY,
    media_type="text/event-stream",
    responses=answers(str, "The events.", 401, 404, example=examples.EVENTS, media_type="text/event-stream"),
)
async def events(request: Asked, table_id: TableId, last_seen: LastSeen = None) -> EventStream:
    """Follow a table by server-sent events, each a whole look at it; its id is the look's `seq`.

    The first comes at once. Looks that are overtaken while you read are left out. The data of an event is
    a table as JSON, just as GET /api/tables/{table_id} answers it.
    """
    services, person = services_of(request), bearer_of(request)
    house = await services.house()
    await house.look(table_id, person)
    return EventStream(house.watch(table_id, person), seen=last_seen, closed=services.closed)


@get(
    "/tables/{table_id:str}/record",
    tags=["play"],
    responses=answers(shapes.GameRecord, "The record.", 404, 409, example=examples.RECORD),
)
async def record(request: Asked, table_id: TableId) -> Json:
    """Get the record of a finished game."""
    house = await services_of(request).house()
    return Response(await house.record(table_id))


ROUTER = Router(
    "/api",
    before_request=json_only,
    request_class=JsonRequest,
    route_handlers=[
        guests, list_tables, make, look, sit, leave, bot, start, move, resign, again, events, record
    ],
)  # fmt: skip


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


async def _seated(request: Asked) -> tuple[House, Person]:
    person = bearer_of(request)
    if person is None:
        raise unauthorized()
    return await services_of(request).house(), person


async def _true_or_false(request: Asked, *names: str) -> None:
    """Raise Problem (422) for a field that was sent as anything else, such as 1, which is read as true otherwise."""
    sent = await request.json()
    wrong = {name: "Expected `bool`" for name in names if not isinstance(sent.get(name, False), bool)}
    if wrong:
        raise invalid_fields(wrong)


async def _act(request: Asked, table_id: str, command: Command) -> Json:
    house, person = await _seated(request)
    return _shown(await house.act(table_id, person, command))


def _shown(table: TableView) -> Json:
    return Response(table.to_json())
