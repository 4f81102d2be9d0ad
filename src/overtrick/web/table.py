"""A table's page, and everything that a person does there.

Each act is one form: it becomes a command, the house does it or refuses, and the answer is the viewer's own
look at the table, as a fragment for the page's script or as a page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get, post
from litestar.params import FromPath

from overtrick.errors import OvertrickError
from overtrick.web import forms, pages
from overtrick.web.answers import by_htmx, csrf_token, error_page, html, redirect, remember, remember_name
from overtrick.web.contexts import TablePage
from overtrick.web.forms import Form
from overtrick.web.links import qr_code
from overtrick.web.problems import headers_of, kind_of, status_of
from overtrick.web.services import services_of
from overtrick.web.visitor import visitor_of

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    from overtrick.tables import TableView
    from overtrick.tables.commands import Command

    Web = Request[Any, Any, Any]
    Connection = ASGIConnection[Any, Any, Any, Any]


def page_of(connection: Connection, table: TableView, error: str | None = None) -> TablePage:
    """Return what the page of a table is made from, for the visitor of this connection."""
    visitor = visitor_of(connection)
    return TablePage(
        table=table,
        csrf=csrf_token(connection),
        invite_url=invite_url(connection, table.id),
        locale=visitor.language.locale,
        error=error,
        name=visitor.name,
        heartbeat=services_of(connection).settings.heartbeat,
    )


def invite_url(connection: Connection, table_id: str) -> str:
    """Return the address to send to friends."""
    return f"{services_of(connection).address(connection)}/t/{table_id}"


@get("/t/{table_id:str}", include_in_schema=False)
async def show(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Show the visitor's own look at a table."""
    visitor = visitor_of(request)
    house = await services_of(request).house()
    table = await house.look(table_id, visitor.person)
    return remember(html(pages.table_page(page_of(request, table))), request, visitor)


@post("/t/{table_id:str}/sit", include_in_schema=False)
async def sit(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Take a seat; the browser remembers the name."""
    return await _act(request, table_id, forms.sit, sits_down=True)


@post("/t/{table_id:str}/leave", include_in_schema=False)
async def leave(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Give the seat up."""
    return await _act(request, table_id, forms.leave)


@post("/t/{table_id:str}/bot", include_in_schema=False)
async def bot(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Put a bot in a seat, or take one away."""
    return await _act(request, table_id, forms.seat_bot)


@post("/t/{table_id:str}/start", include_in_schema=False)
async def start(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Begin the game."""
    return await _act(request, table_id, forms.start)


@post("/t/{table_id:str}/move", include_in_schema=False)
async def move(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Make a move."""
    return await _act(request, table_id, forms.move)


@post("/t/{table_id:str}/remove", include_in_schema=False)
async def remove(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Free the seat of another person."""
    return await _act(request, table_id, forms.remove)


@post("/t/{table_id:str}/host", include_in_schema=False)
async def hand_over(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Make another person the host."""
    return await _act(request, table_id, forms.hand_over)


@post("/t/{table_id:str}/propose-end", include_in_schema=False)
async def propose_end(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Propose to end the game early."""
    return await _act(request, table_id, forms.propose_end)


@post("/t/{table_id:str}/agree-end", include_in_schema=False)
async def agree_end(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Agree to end the game early."""
    return await _act(request, table_id, forms.agree_end)


@post("/t/{table_id:str}/decline-end", include_in_schema=False)
async def decline_end(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Play on after all."""
    return await _act(request, table_id, forms.decline_end)


@post("/t/{table_id:str}/step-out", include_in_schema=False)
async def step_out(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Let a bot play."""
    return await _act(request, table_id, forms.step_out)


@post("/t/{table_id:str}/come-back", include_in_schema=False)
async def come_back(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Take the seat back from the bot."""
    return await _act(request, table_id, forms.come_back)


@post("/t/{table_id:str}/pause", include_in_schema=False)
async def pause(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Ask that the clocks stand."""
    return await _act(request, table_id, forms.pause)


@post("/t/{table_id:str}/resume", include_in_schema=False)
async def resume(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Let the clocks run."""
    return await _act(request, table_id, forms.resume)


@post("/t/{table_id:str}/say", include_in_schema=False)
async def say(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Write to the others at the table."""
    return await _act(request, table_id, forms.say)


@post("/t/{table_id:str}/propose", include_in_schema=False)
async def propose(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Propose an end for the forest token."""
    return await _act(request, table_id, forms.propose)


@post("/t/{table_id:str}/again", include_in_schema=False)
async def again(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Play once more with the same people: go to the next table."""
    return await _act(request, table_id, forms.again, after=lambda table: table.next_table or table.id)


@get("/t/{table_id:str}/record.json", include_in_schema=False)
async def record(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[dict[str, Any]]:
    """Send the record of a finished game as a file."""
    house = await services_of(request).house_in_time()
    found = await house.record(table_id, visitor_of(request).person)
    name = f"overtrick-{found['game']}-{table_id}.json"
    return Response(found, headers={"content-disposition": f'attachment; filename="{name}"'})


@get("/t/{table_id:str}/qr.svg", include_in_schema=False)
async def qr(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[bytes]:
    """Send the invitation as a picture for a phone's camera."""
    house = await services_of(request).house_in_time()
    await house.look(table_id, visitor_of(request).person)
    headers = {"cache-control": "private, max-age=300"}
    return Response(qr_code(invite_url(request, table_id)), media_type="image/svg+xml", headers=headers)


async def _act(
    request: Web,
    table_id: str,
    command_of: Callable[[Form], Command],
    *,
    after: Callable[[TableView], str] = lambda table: table.id,
    sits_down: bool = False,
) -> Response[str]:
    """Do what a form asks and show the table; refused, show it with the sentence. `after`: where to go then."""
    visitor = visitor_of(request)
    house = await services_of(request).house_in_time()
    form = await Form.of(request)
    try:
        table = await house.act(table_id, visitor.person, command_of(form))
    except OvertrickError as refused:
        if kind_of(refused) == "unknown":
            return error_page(request, refused)
        table = await house.look(table_id, visitor.person)
        return remember(_shown(request, table, refused), request, visitor)
    goal = f"/t/{after(table)}"
    answer = _shown(request, table) if by_htmx(request) else redirect(goal)
    if by_htmx(request) and goal != f"/t/{table_id}":
        answer.headers["hx-redirect"] = goal
    if sits_down:
        remember_name(answer, request, table)
    return remember(answer, request, visitor)


def _shown(request: Web, table: TableView, refused: OvertrickError | None = None) -> Response[str]:
    language = visitor_of(request).language
    page = page_of(request, table, language.say(refused) if refused else None)
    text = pages.table_fragment(page) if by_htmx(request) else pages.table_page(page)
    if refused is None:
        return html(text)
    return html(text, status=status_of(refused), headers=headers_of(refused))
