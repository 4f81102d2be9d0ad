"""Who is asking: the secret that only their browser or client holds, their language, the name they go by.

A browser keeps its secret in a cookie that scripts cannot read; an API client sends it as a Bearer token.
Tables know a person only by a hash of it, so neither the database nor a log can give anybody's seat away.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from litestar.datastructures import Cookie

from overtrick.errors import N_
from overtrick.web.i18n import Language, languages
from overtrick.web.problems import Problem

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    from overtrick.tables import Person

    Connection = ASGIConnection[Any, Any, Any, Any]

HOST_ONLY = "__Host-"
"""What the name of a cookie begins with that a browser takes only by https and only from this very host."""
SECRET_COOKIE = "overtrick"
NAME_COOKIE = "overtrick-name"
LANGUAGE_COOKIE = "overtrick-language"
NEWS_COOKIE = "overtrick-news"
"""Which act the page that a form leads to is to tell of, once."""
NEEDS_SECRET = N_("Send the secret of a guest: Authorization: Bearer SECRET (POST /api/guests gives one).")

_YEAR = 365 * 24 * 3600
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_LONGEST_NAME = 24
_KNOWN = "overtrick-visitor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """One browser. `is_new`: it brought no secret, and gets this one with the answer; `moves`: by a plain name."""

    secret: str
    is_new: bool
    moves: bool
    language: Language
    name: str

    @property
    def person(self) -> Person:
        """The person that tables know."""
        return person_of(self.secret)


def new_secret() -> str:
    """Return a fresh secret: 256 bits from the operating system as 43 letters, digits, `-` and `_`."""
    return secrets.token_urlsafe(32)


def person_of(secret: str) -> Person:
    """Return the person of a secret."""
    from overtrick.tables import Person  # brings the engine with it; see `prepare`

    return Person(hashlib.sha256(secret.encode()).hexdigest())


def visitor_of(connection: Connection) -> Visitor:
    """Return who asks for a page or for its live updates; the same one however often a request asks."""
    known: dict[str, Any] = connection.scope.setdefault("state", {})
    if _KNOWN not in known:
        known[_KNOWN] = _visitor(connection)
    found: Visitor = known[_KNOWN]
    return found


def _visitor(connection: Connection) -> Visitor:
    secret = cookie_of(connection, SECRET_COOKIE)
    known = bool(_SECRET.fullmatch(secret))
    return Visitor(
        secret=secret if known else new_secret(),
        is_new=not known,
        moves=HOST_ONLY + SECRET_COOKIE not in connection.cookies,
        language=language_of(connection),
        name=cookie_of(connection, NAME_COOKIE)[:_LONGEST_NAME],
    )


def cookie_of(connection: Connection, name: str) -> str:
    """Return what a browser keeps under a name; "" if nothing.

    A plain name, of http or of before there were others, counts only where the other one is not there.
    """
    found: str = connection.cookies.get(HOST_ONLY + name, connection.cookies.get(name, ""))
    return found


def language_of(connection: Connection) -> Language:
    """Return the reader's language: the one they chose, else the best that their browser asks for."""
    return languages().choose(
        cookie_of(connection, LANGUAGE_COOKIE) or None, connection.headers.get("accept-language")
    )


def bearer_of(connection: Connection) -> Person | None:
    """Return the person whose secret an API client sends; None if it sends none.

    Raises Problem (401) for an Authorization header that holds no secret.
    """
    header = connection.headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not _SECRET.fullmatch(secret.strip()):
        raise unauthorized()
    return person_of(secret.strip())


def secret_of(connection: Connection) -> str | None:
    """Return the secret that a request brings, from a page's cookie or a program's header; None without one."""
    if connection.scope["path"].startswith("/api/"):
        secret = connection.headers.get("authorization", "").partition(" ")[2].strip()
    else:
        secret = cookie_of(connection, SECRET_COOKIE)
    return secret if _SECRET.fullmatch(secret) else None


def unauthorized() -> Problem:
    """Return the error that asks for a secret."""
    return Problem(NEEDS_SECRET, status=401, kind="unauthorized", headers={"www-authenticate": "Bearer"})


def keep(name: str, value: str, *, https: bool) -> Cookie:
    """Return a cookie that lasts a year and that scripts cannot read; by https no other host can have set it."""
    return Cookie(
        key=HOST_ONLY + name if https else name,
        value=quote(value),
        max_age=_YEAR,
        httponly=True,
        samesite="lax",
        secure=https,
        path="/",
    )
