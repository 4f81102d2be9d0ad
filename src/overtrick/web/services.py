"""What every handler needs of the running server, kept in one place."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from overtrick.errors import OvertrickError
from overtrick.web.closing import Closing
from overtrick.web.prepare import Engine
from overtrick.web.security import over_https
from overtrick.web.settings import Settings
from overtrick.web.visitor import keep, person_of

if TYPE_CHECKING:
    from litestar import Response
    from litestar.config.csrf import CSRFConfig
    from litestar.connection import ASGIConnection

    from overtrick.tables import House
    from overtrick.web.limits import Limits
    from overtrick.web.metrics import Metrics


@dataclass(frozen=True, kw_only=True)
class Services:
    """The settings, the engine, how form tokens work, the limits of clients, the figures, what ends every stream."""

    settings: Settings
    engine: Engine
    csrf: CSRFConfig
    limits: Limits
    metrics: Metrics
    closing: Closing = field(default_factory=Closing)

    async def house(self) -> House:
        """Return the house, to look; raises Preparing if there is none soon."""
        return await self.engine.house()

    async def house_in_time(self) -> House:
        """Return the house, to act or to follow; waits while the engine is being prepared."""
        return await self.engine.house_in_time()

    def address(self, connection: ASGIConnection[Any, Any, Any, Any]) -> str:
        """Return the server's address as people reach it, without a slash at its end."""
        if self.settings.origin:
            return self.settings.origin
        # What is pushed on a WebSocket (ws, wss) leads to the same pages as what was asked for (http, https).
        return re.sub("^ws", "http", str(connection.base_url).rstrip("/"))

    def secure(self, connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
        """True if cookies must travel by https only."""
        return self.settings.https or connection.scope["scheme"] in {"https", "wss"}

    def form_token(self, connection: ASGIConnection[Any, Any, Any, Any]) -> str:
        """Return the form token that this visitor's browser keeps; "" if it has none."""
        config = over_https(self.csrf) if self.secure(connection) else self.csrf
        return connection.cookies.get(config.cookie_name, "")

    async def counted_as(self, secret: str) -> str:
        """Return the id of the person for whom a secret stands; the secret while that cannot be told."""
        if self.engine.ready:
            with suppress(OvertrickError):
                return (await (await self.house()).people.who(person_of(secret))).id
        return secret

    def keep(
        self,
        answer: Response[Any],
        connection: ASGIConnection[Any, Any, Any, Any],
        name: str,
        value: str,
        *,
        seconds: int | None = None,
    ) -> None:
        """Let this visitor's browser remember something, for a year or for so many seconds."""
        cookie = keep(name, value, https=self.secure(connection))
        if seconds is not None:
            cookie = replace(cookie, max_age=seconds)
        answer.set_cookie(cookie)
        if cookie.key != name and name in connection.cookies:  # of before, under the plain name
            answer.set_cookie(replace(cookie, key=name, value="", max_age=0))

    def drop(self, answer: Response[Any], connection: ASGIConnection[Any, Any, Any, Any], name: str) -> None:
        """Let this visitor's browser forget it, by whatever name it has it."""
        cookie = replace(keep(name, "", https=self.secure(connection)), max_age=0)
        for key in {cookie.key, name}:
            answer.set_cookie(replace(cookie, key=key))


def services_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Services:
    """Return the services of the server that got this request."""
    found = connection.app.state.services
    assert isinstance(found, Services)
    return found
