"""What every answer and every request passes: headers, host and origin checks, form tokens, the server's key.

The policy lets a page load only what this server sends: no inline scripts or styles, no frames around it.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import os
import re
import secrets
import socket
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.middleware.csrf import CSRFMiddleware

from overtrick.errors import N_
from overtrick.web.bounds import check_form
from overtrick.web.problems import Problem
from overtrick.web.settings import Settings
from overtrick.web.visitor import HOST_ONLY

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
DEFAULT_HEADERS = [
    (name.encode(), value.encode()) for name, value in {**HEADERS, "cache-control": "no-store"}.items()
]
"""On every answer that does not say otherwise."""
WRONG_HOST = N_("This server does not go by that name: see base_url and allowed_hosts in its settings.")
NO_FILES = N_("Forms here take no files.")
WRONG_ORIGIN = N_("That request came from another site, so nothing was done.")

_KEY = re.compile(r"[0-9a-f]{64}")
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::([0-9]{1,5}))?")
_LAST_PORT = 65_535
_SHOWN_TO_ALL = r"^/(api|static)(/|$)|^/(health|metrics)$"


async def add_headers(message: Message, scope: Scope) -> None:
    """Put the safety headers on an answer; answers are not to be stored unless their route says so."""
    if message["type"] == "http.response.start":
        sent = {name.lower() for name, _ in message["headers"]}
        missing = [pair for pair in DEFAULT_HEADERS if pair[0] not in sent]
        message["headers"] = [*message["headers"], *missing]


def server_key(folder: Path) -> str:
    """Return the key that signs form tokens: 64 hex digits in a file that only this user reads.

    It is made at the first start and kept, so that a page which was open before a restart still works.
    Raises OSError if the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "key"
    with contextlib.suppress(FileExistsError):
        _write_private(file, secrets.token_hex(32))
    key = file.read_text(encoding="ascii").strip()
    if not _KEY.fullmatch(key):
        raise OSError(f"{file} does not hold a key; remove it to get a new one")
    return key


def _write_private(file: Path, text: str) -> None:
    """Write a new file in one step, so that another process never reads half of it."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(text)
        os.link(draft, file)
    finally:
        draft.unlink()


def link_key(key: str) -> bytes:
    """Return the key of the seats' private links, made from the server's."""
    return hmac.digest(key.encode(), b"seats' private links", hashlib.sha256)


def csrf_config(settings: Settings, key: str) -> CSRFConfig:
    """Return how form tokens work: a signed token in a cookie must come back in the form.

    The cookie's name depends on the key: browsers share cookies between the ports of a host, and the
    token of another server would never fit.
    """
    mark = hashlib.sha256(b"cookie name:" + key.encode()).hexdigest()[:8]
    return CSRFConfig(
        secret=key,
        cookie_name=f"{HOST_ONLY if settings.https else ''}overtrick-csrf-{mark}",
        cookie_httponly=True,
        cookie_samesite="lax",
        cookie_secure=settings.https,
        exclude=[_SHOWN_TO_ALL],
    )


def over_https(config: CSRFConfig) -> CSRFConfig:
    """Return how form tokens work for whoever came by https: their cookie travels by nothing else."""
    if config.cookie_secure:
        return config
    return replace(config, cookie_name=HOST_ONLY + config.cookie_name, cookie_secure=True)


class FormTokens(CSRFMiddleware):
    """Litestar's form tokens, for which any text at all may be sent as a token, but no files as a form.

    Whether a request came by https its scheme tells, as a trusted proxy has it.
    """

    def __init__(self, app: ASGIApp, config: CSRFConfig) -> None:
        super().__init__(app, config)
        secure = over_https(config)
        self._over_https = self if secure is config else FormTokens(app, secure)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass if it is safe or brings its token."""
        if scope["type"] == ScopeType.HTTP and scope["scheme"] == "https" and self._over_https is not self:
            await self._over_https(scope, receive, send)
            return
        kind = Headers.from_scope(scope).get("content-type", "").lower()
        if kind.startswith("multipart/"):
            raise Problem(NO_FILES, status=415, kind="no_files")
        if scope["type"] == ScopeType.HTTP and kind.startswith("application/x-www-form-urlencoded"):
            request: Request[Any, Any, Any] = Request(scope, receive)
            check_form(await request.body())  # which is kept for whoever reads it next
        await super().__call__(scope, receive, send)

    def _decode_csrf_token(self, token: object) -> str | None:
        """Return the token's random part if its signature is right; None for whatever is not a token."""
        if not isinstance(token, str) or not token.isascii():
            return None
        return super()._decode_csrf_token(token)


class Door(ASGIMiddleware):
    """Turns away requests for another host, and those made in a person's name by another site's page."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET, ScopeType.ASGI)

    def __init__(self, settings: Settings) -> None:
        self._names = known_names(settings)
        self._origin = settings.origin.lower()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Raise Problem (403) before the route sees the request."""
        self._look_at(scope)
        await next_app(scope, receive, send)

    def _look_at(self, scope: Scope) -> None:
        # Apart, so that a stream keeps none of it while it is open.
        headers = Headers.from_scope(scope)
        # A header sent twice, joined, is neither a host nor an origin of ours.
        host = ", ".join(headers.getall("host", []))
        if not self.knows(host):
            raise Problem(WRONG_HOST, status=403, kind="host")
        live = scope["type"] == ScopeType.WEBSOCKET
        safe = not live and scope.get("method") in {"GET", "HEAD", "OPTIONS"}
        origins = headers.getall("origin", [])
        origin = ", ".join(origins) if origins else None
        if not safe and not self.comes_from_here(origin, host, needed=live):
            raise Problem(WRONG_ORIGIN, status=403, kind="origin")

    def knows(self, host: str) -> bool:
        """True for an address in numbers and for the names this server goes by, each with or without a port.

        A name that somebody points at this machine (DNS rebinding) is none of them. Pages repeat the host in
        links, so whatever is more than a host and a port is refused.
        """
        name = _host_name(host)
        return name is not None and (name in self._names or _in_numbers(name))

    def comes_from_here(self, origin: str | None, host: str, *, needed: bool) -> bool:
        """True if the Origin header names this server; without one, unless it is `needed`.

        One that is there but empty names nobody.
        """
        if origin is None:
            return not needed
        ours = {f"http://{host.lower()}", f"https://{host.lower()}", self._origin} - {""}
        return origin.lower() in ours


def known_names(settings: Settings) -> frozenset[str]:
    """Return the host names, without ports, by which people may reach the server."""
    machine = socket.gethostname().lower()
    given = (name.strip().lower() for name in settings.allowed_hosts.split(","))
    base = urlsplit(settings.base_url).hostname
    names = {"localhost", machine, f"{machine}.local", settings.host.lower(), base or "", *given}
    return frozenset(names - {""})


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, in lower case; None if it is not a host with or without a port."""
    found = _HOST.fullmatch(host.lower())
    if found is None:
        return None
    in_brackets, plain, port = found.groups()
    if port is not None and not 0 < int(port) <= _LAST_PORT:
        return None
    if in_brackets is not None:
        return in_brackets if _in_numbers(in_brackets) else None
    return str(plain)


@lru_cache(maxsize=256)
def _in_numbers(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
