"""What goes wrong, as an HTTP status and a sentence.

Sentences of tables and rules come with their error; what HTTP itself refuses has its sentence here.
Nothing that a client sent is repeated in one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from litestar.exceptions import HTTPException, ValidationException

from overtrick.errors import N_, OvertrickError

RETRY_AFTER = 2
"""Seconds after which it makes sense to ask a server once more that is getting ready or has lost its database."""

_STATUS = {
    "unknown": 404,
    "forbidden": 403,
    "not_your_turn": 409,
    "stale": 409,
    "full": 409,
    "not_started": 409,
    "started": 409,
    "over": 409,
    "declined": 409,
    "closed": 409,
    "too_often": 429,
    "illegal": 422,
    "message": 422,
    "name": 422,
    "invalid": 422,
    "unavailable": 503,
}
_SENTENCES = {
    400: N_("That request is not well formed."),
    401: N_("This needs the secret of a guest."),
    403: N_("This page is too old to act from. Load it again and repeat what you did."),
    404: N_("There is nothing at this address."),
    405: N_("That cannot be done at this address."),
    413: N_("That is too much to send at once."),
    422: N_("Something in that request is missing or has the wrong form."),
    429: N_("That was too often; please try again later."),
    500: N_("Something went wrong on the server. Load the page again to see where things stand."),
}
_KINDS = {
    400: "malformed",
    401: "unauthorized",
    403: "form_token",
    404: "no_such_address",
    405: "method",
    413: "too_large",
    422: "invalid",
    429: "too_often",
    500: "server_error",
}


class Problem(OvertrickError):  # noqa: N818 - it names what happened, like Refused
    """A request that the web layer itself refuses.

    `status`: of HTTP; `kind`: a word that programs can rely on; `headers`: extra ones; `fields`: what is
    wrong with which part of a request.
    """

    def __init__(
        self,
        msgid: str,
        *,
        status: int,
        kind: str,
        headers: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
        **params: object,
    ) -> None:
        super().__init__(msgid)
        self.params = params
        self.status = status
        self.kind = kind
        self.headers = dict(headers or {})
        self.fields = dict(fields or {})


class Preparing(Problem):
    """The engine is not ready yet."""

    def __init__(self) -> None:
        super().__init__(
            N_("The engine is being prepared; please try again in a moment."),
            status=503,
            kind="preparing",
            headers={"retry-after": str(RETRY_AFTER)},
        )


def problem_of(error: Exception) -> OvertrickError:
    """Return any error as one with a sentence; what nobody foresaw becomes a 500."""
    if isinstance(error, OvertrickError):
        return error
    status, headers, fields = 500, {}, {}
    if isinstance(error, HTTPException):
        status, headers = error.status_code, error.headers or {}
    if isinstance(error, ValidationException):
        # Litestar answers 400; here 400 is for what cannot be read and 422 for what reads well but is wrong.
        status, fields = 422, _fields(error.extra)
    status = status if status in _SENTENCES else 400 if status < 500 else 500
    return Problem(_SENTENCES[status], status=status, kind=_KINDS[status], headers=headers, fields=fields)


def invalid_fields(fields: Mapping[str, str]) -> Problem:
    """Return the refusal of a request whose fields have the wrong form; `fields`: what is wrong with which."""
    return Problem(_SENTENCES[422], status=422, kind=_KINDS[422], fields=fields)


def status_of(error: OvertrickError) -> int:
    """Return the HTTP status of a refusal; 422 for one that has no kind, as those of the rules."""
    return error.status if isinstance(error, Problem) else _STATUS.get(kind_of(error), 422)


def kind_of(error: OvertrickError) -> str:
    """Return the word for what sort of no it is."""
    return str(getattr(error, "kind", "illegal"))


def headers_of(error: OvertrickError) -> dict[str, str]:
    """Return the extra headers of the answer."""
    if isinstance(error, Problem):
        return error.headers
    if status_of(error) == 503:
        return {"retry-after": str(RETRY_AFTER)}
    wait: int = getattr(error, "wait", 0)
    return {"retry-after": str(math.ceil(wait / 1000))} if wait else {}


def _fields(extra: object) -> dict[str, str]:
    entries = extra if isinstance(extra, list) else []
    return {
        str(entry.get("key", "")): str(entry.get("message", ""))
        for entry in entries
        if isinstance(entry, dict)
    }
