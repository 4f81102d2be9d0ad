"""What the API's handlers share: how bodies and answers are described, and doing what a person asks of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from litestar import MediaType, Request, Response
from litestar.openapi.spec import Example
from litestar.params import BodyKwarg, PathParameter

from overtrick.web import examples, shapes
from overtrick.web.described import Verbatim, answers
from overtrick.web.services import services_of
from overtrick.web.visitor import bearer_of, unauthorized

if TYPE_CHECKING:
    from overtrick.tables import House, Person, TableView
    from overtrick.tables.commands import Command

Json = Response[Any]
"""An answer in JSON: values, or text that is encoded already."""
Asked = Request[Any, Any, Any]
TableId = Annotated[str, PathParameter(description="The table's id, the last part of its address.")]

TABLE = answers(
    shapes.Table, "The table as you see it then.", 401, 403, 404, 409, 415, 422, example=examples.TABLE
)
TABLE_BY_BODY = answers(
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


def described_body(description: str, example: object) -> Any:
    """Return the annotation of a request body, with its one example."""
    return BodyKwarg(
        description=description, examples=[Example(summary=description, value=Verbatim(example))]
    )


async def seated(request: Asked) -> tuple[House, Person]:
    """Return the house and who asks; raises Problem (401) for one without a secret."""
    person = bearer_of(request)
    if person is None:
        raise unauthorized()
    return await services_of(request).house(), person


async def act(request: Asked, table_id: str, command: Command) -> Json:
    """Do what is asked of a table, and show it."""
    house, person = await seated(request)
    return shown(await house.act(table_id, person, command))


def shown(table: TableView) -> Json:
    """Return a table as the answer."""
    return Response(table.json, media_type=MediaType.JSON)
