"""The page of a visitor's own tables."""

from __future__ import annotations

import time
from typing import Any

from litestar import Request, Response, get

from overtrick.web import pages
from overtrick.web.accounts import account_name
from overtrick.web.answers import csrf_token, html, remember
from overtrick.web.contexts import GamesPage
from overtrick.web.services import services_of
from overtrick.web.visitor import visitor_of


@get("/games", include_in_schema=False)
async def games(request: Request[Any, Any, Any]) -> Response[str]:
    """Show every table at which the visitor sits, those that wait for them first; the finished ones in pages."""
    visitor, before = visitor_of(request), request.query_params.get("before")
    house = await services_of(request).house()
    page = GamesPage(
        tables=await house.tables_of(visitor.person, before=before),
        now=time.time_ns() // 1_000_000,
        csrf=csrf_token(request),
        locale=visitor.language.locale,
        first=before is None,
        account=await account_name(house, visitor.person),
    )
    return remember(html(pages.games_page(page)), request, visitor)
