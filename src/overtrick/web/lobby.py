"""The front page: make a table, join an open one or watch a game; and the choice of a language."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from litestar import Request, Response, get, post

from overtrick.errors import OvertrickError
from overtrick.web import forms, pages
from overtrick.web.accounts import account_name
from overtrick.web.answers import csrf_token, html, redirect, remember, remember_name
from overtrick.web.contexts import LobbyPage
from overtrick.web.forms import Form
from overtrick.web.problems import headers_of, status_of
from overtrick.web.services import services_of
from overtrick.web.visitor import LANGUAGE_COOKIE, SECRET_COOKIE, visitor_of


@get("/", include_in_schema=False)
async def lobby(request: Request[Any, Any, Any]) -> Response[str]:
    """Show the front page; the visitor's secret is renewed, so that it lasts while they keep coming."""
    services, visitor = services_of(request), visitor_of(request)
    answer = await _page(request)
    services.keep(answer, request, SECRET_COOKIE, visitor.secret)
    return answer


@post("/tables", include_in_schema=False, status_code=303)
async def make(request: Request[Any, Any, Any]) -> Response[str]:
    """Make a table and go to it; a refused form comes back filled in."""
    services, visitor = services_of(request), visitor_of(request)
    house = await services.house_in_time()
    form = await Form.of(request)
    try:
        table_id = await house.make(visitor.person, forms.make(form))
    except OvertrickError as refused:
        return remember(await _page(request, refused, form), request, visitor)
    answer = redirect(f"/t/{table_id}")
    remember_name(answer, request, await house.look(table_id, visitor.person))
    return remember(answer, request, visitor)


@post("/language", include_in_schema=False, status_code=303)
async def language(request: Request[Any, Any, Any]) -> Response[str]:
    """Remember the language that a reader chose and go back to where they were."""
    form = await Form.of(request)
    answer = redirect(_local(form.get("next", "/")))
    services_of(request).keep(answer, request, LANGUAGE_COOKIE, form.text("language")[:20])
    return answer


async def _page(
    request: Request[Any, Any, Any],
    refused: OvertrickError | None = None,
    form: Mapping[str, str] | None = None,
) -> Response[str]:
    visitor = visitor_of(request)
    house = await services_of(request).house()
    page = LobbyPage(
        csrf=csrf_token(request),
        token=secrets.token_urlsafe(16),
        account=await account_name(house, visitor.person),
        tables=tuple(await house.open_tables()),
        to_watch=tuple(await house.games_to_watch()),
        locale=visitor.language.locale,
        name=visitor.name,
        error=visitor.language.say(refused) if refused else None,
        form=form or {},
    )
    if refused is None:
        return html(pages.lobby_page(page))
    return html(pages.lobby_page(page), status=status_of(refused), headers=headers_of(refused))


def _local(path: str) -> str:
    """Return a path on this server; anything that could lead elsewhere becomes the front page."""
    plain = path.isascii() and path.isprintable() and "\\" not in path
    return path if plain and path.startswith("/") and not path.startswith("//") else "/"
