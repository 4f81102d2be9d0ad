"""Pages, fragments and redirects as HTTP answers, and what a person sees when something went wrong."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from litestar import MediaType, Response

from overtrick.errors import OvertrickError
from overtrick.web import pages
from overtrick.web.contexts import ErrorPage
from overtrick.web.problems import RETRY_AFTER, Preparing, headers_of, problem_of, status_of
from overtrick.web.services import services_of
from overtrick.web.visitor import NAME_COOKIE, SECRET_COOKIE, Visitor, language_of

if TYPE_CHECKING:
    from litestar import Request, WebSocket
    from litestar.connection import ASGIConnection

    from overtrick.tables import TableView

logger = logging.getLogger(__name__)

_VARIES = {"vary": "Cookie, Accept-Language, HX-Request"}


def html(text: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[str]:
    """Return HTML as an answer."""
    return Response(
        text, status_code=status, media_type=MediaType.HTML, headers={**_VARIES, **(headers or {})}
    )


def redirect(path: str) -> Response[str]:
    """Return the answer to a form that was done: go and look at `path`."""
    return Response("", status_code=303, media_type=MediaType.HTML, headers={"location": path})


def remember(answer: Response[str], request: Request[Any, Any, Any], visitor: Visitor) -> Response[str]:
    """Give a browser that brought no secret, or brought it by a plain name over https, the one it has got."""
    if visitor.is_new or (visitor.moves and services_of(request).secure(request)):
        services_of(request).keep(answer, request, SECRET_COOKIE, visitor.secret)
    return answer


def remember_name(answer: Response[str], request: Request[Any, Any, Any], table: TableView) -> None:
    """Let the browser keep the name under which its person sits at this table, if they do."""
    name = None if table.me is None else table.seats[table.me].name
    if name is not None:
        services_of(request).keep(answer, request, NAME_COOKIE, name)


def csrf_token(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the token that forms for this browser must carry."""
    from litestar.utils.scope.state import ScopeState

    made = ScopeState.from_scope(connection.scope).csrf_token
    if isinstance(made, str):
        return made
    return services_of(connection).form_token(connection)


def by_htmx(request: Request[Any, Any, Any]) -> bool:
    """True if the page's script asks, and wants a fragment."""
    return request.headers.get("hx-request") == "true"


def error_answer(request: Request[Any, Any, Any], error: Exception) -> Response[str]:
    """Return the page for an error; the page that is being prepared for one that only wants to look."""
    if isinstance(error, Preparing) and request.method == "GET":
        return preparing(request)
    problem = problem_of(error)
    return error_page(request, problem)


def error_page(request: Request[Any, Any, Any], error: OvertrickError) -> Response[str]:
    """Return the page that says what went wrong."""
    language, status = language_of(request), status_of(error)
    more = {name: getattr(error, name, "") for name in ("record", "heading")}
    page = ErrorPage(status, language.say(error), language.locale, **more)
    return html(pages.error_page(page), status=status, headers=headers_of(error))


async def deny(socket: WebSocket[Any, Any, Any], refused: OvertrickError) -> None:
    """Answer the handshake of a WebSocket with a plain HTTP refusal."""
    sentence = language_of(socket).say(refused).encode()
    told = {"content-type": "text/plain; charset=utf-8", **headers_of(refused)}
    headers = [(name.encode(), value.encode()) for name, value in told.items()]
    await socket.send(
        {"type": "websocket.http.response.start", "status": status_of(refused), "headers": headers}
    )
    await socket.send({"type": "websocket.http.response.body", "body": sentence, "more_body": False})


def preparing(request: Request[Any, Any, Any]) -> Response[str]:
    """Return the page that waits for the engine; it loads itself again."""
    text = pages.preparing_page(language_of(request).locale)
    return html(text, headers={"retry-after": str(RETRY_AFTER)})
