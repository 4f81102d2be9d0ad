"""Putting the server together: `create_app(settings)` gives the whole of it as one ASGI application."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Request, Response
from litestar.datastructures import MutableScopeHeaders, State
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware

from overtrick.web import routes
from overtrick.web.answers import error_answer
from overtrick.web.api import problem_answer
from overtrick.web.closing import Incoming, stopping
from overtrick.web.described import NothingElse, openapi_config
from overtrick.web.i18n import languages
from overtrick.web.limits import Limits
from overtrick.web.logs import route_of, serving
from overtrick.web.metrics import Metrics
from overtrick.web.prepare import Engine
from overtrick.web.problems import problem_of, status_of
from overtrick.web.security import Door, FormTokens, add_headers, csrf_config, server_key
from overtrick.web.services import Services
from overtrick.web.settings import Settings
from overtrick.web.shortcut import Shortcut
from overtrick.web.stream import DIRECT, HEAD

if TYPE_CHECKING:
    from litestar.types import Message, Scope

    from overtrick.tables import Entropy

logger = logging.getLogger(__name__)

_TELLS_METHODS = {204, 405}  # OPTIONS, and a method that an address does not have


class Site(Litestar):
    """The application. It answers HEAD wherever it answers GET."""

    __slots__ = ("services", "shortcut")

    services: Services
    shortcut: Shortcut

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request; the server drops the body of an answer to HEAD."""
        if scope["type"] == "lifespan":
            await super().__call__(scope, receive, send)
            return
        closing = self.services.closing
        if scope["type"] == "http":
            receive = Incoming(receive, closing)
            state = {**scope.get("state", {}), DIRECT: send}
            scope = {**scope, "state": state}
            if scope["method"] == "HEAD":
                scope["method"], state[HEAD] = "GET", True
        with serving(scope, send, self.services.metrics.count) as served:
            try:
                left = await self.shortcut(scope, receive, served) if scope["type"] == "http" else receive
                if left is not None:
                    await super().__call__(scope, left, served)
            except asyncio.CancelledError:
                # Out of time as the server closes: nothing has failed that a log should tell of.
                if not closing.is_set():
                    raise
                if scope["type"] == "http" and not served.status:
                    answer = _answer(Request(scope), stopping()).to_asgi_response(None, Request(scope))
                    await answer(scope, receive, self._wrap_send(served, scope))


def create_app(settings: Settings, *, entropy: Entropy | None = None, slot: int = 0) -> Site:
    """Return the server for these settings.

    `entropy`: where deals and ids come from; the operating system by default. `slot`: which of several workers this
    is. Raises OSError if the data
    folder cannot be written.
    """
    if settings.languages:
        languages().add_folder(Path(settings.languages))
    csrf = csrf_config(settings, server_key(settings.folder))
    door, limits, metrics = Door(settings), Limits(settings), Metrics(settings, slot)
    services = Services(
        settings=settings,
        engine=Engine(settings, entropy, slot, metrics.registry),
        csrf=csrf,
        limits=limits,
        metrics=metrics,
    )
    limits.person_of = services.counted_as
    site = Site(
        routes.ROUTES,
        before_send=[add_headers, _allow_head],
        exception_handlers={Exception: _answer, HTTPException: _answer},
        lifespan=[_running],
        logging_config=None,
        middleware=[door, limits, DefineMiddleware(FormTokens, config=csrf)],
        openapi_config=openapi_config(),
        plugins=[NothingElse()],
        request_max_body_size=settings.max_body,
        state=State({"services": services}),
        debug=False,
    )
    site.services, site.shortcut = services, Shortcut(services, door)
    return site


@asynccontextmanager
async def _running(site: Litestar) -> AsyncGenerator[None, None]:
    """Get the engine ready in the background while the server runs; close the house at the end."""
    services: Services = site.state.services
    services.engine.begin()
    try:
        yield
    finally:
        services.closing.set()
        await services.engine.close()


async def _allow_head(message: Message, scope: Scope) -> None:
    """Name HEAD among the methods that an address allows if GET is one of them."""
    if message["type"] == "http.response.start" and message["status"] in _TELLS_METHODS:
        headers = MutableScopeHeaders.from_message(message)
        allowed = headers.get("allow", "").split(", ")
        if "GET" in allowed:
            headers["allow"] = ", ".join(sorted({*allowed, "HEAD"}))


def _answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Say what went wrong, as the API or a page does; what nobody foresaw goes to the log as well."""
    if status_of(problem_of(error)) == 500:
        logger.error("%s %s failed", request.method, route_of(request.scope), exc_info=error)
    if request.scope["path"].startswith("/api/"):
        return problem_answer(request, error)
    return error_answer(request, error)
