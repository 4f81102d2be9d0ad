"""The visitor's account: claim a name with a password, log in and out, take one's data away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get, post

from overtrick.errors import N_, OvertrickError
from overtrick.web import accounts, pages
from overtrick.web.answers import csrf_token, html, redirect, remember
from overtrick.web.contexts import DeletePage, MePage
from overtrick.web.forms import Form
from overtrick.web.problems import headers_of, status_of
from overtrick.web.services import services_of
from overtrick.web.visitor import NAME_COOKIE, NEWS_COOKIE, SECRET_COOKIE, cookie_of, person_of, visitor_of

if TYPE_CHECKING:
    Web = Request[Any, Any, Any]

PASSWORD_CHANGED = N_("Your password is changed; every other device is logged out.")
DELETED = N_("All that this server kept of you is deleted. This browser is a new guest.")
DELETING = N_(
    "All that this server keeps of you is being deleted. You have so many games that it takes a few minutes; nobody "
    "has to wait for it. This browser is a new guest."
)
_NEWS = {"deleted": DELETED, "deleting": DELETING}
_NEWS_LAST = 60


@dataclass(frozen=True, slots=True)
class _Asked(accounts.Asked):
    """The same, by a form of the account's page."""

    form: Form


@get("/me", include_in_schema=False)
async def me(request: Request[Any, Any, Any]) -> Response[str]:
    """Show the account, or how to get one, and once what the act before it has done."""
    news = cookie_of(request, NEWS_COOKIE)
    answer = await _page(request, done=_NEWS.get(news, ""))
    if news:
        services_of(request).drop(answer, request, NEWS_COOKIE)
    return answer


@post("/me/claim", include_in_schema=False, status_code=303)
async def claim(request: Request[Any, Any, Any]) -> Response[str]:
    """Make an account of the guest."""

    async def do(asked: _Asked) -> Response[str]:
        await accounts.claim(asked, asked.form.text("name"), asked.form.text("password"))
        return redirect("/me")

    return await _do(request, do)


@post("/me/login", include_in_schema=False, status_code=303)
async def log_in(request: Request[Any, Any, Any]) -> Response[str]:
    """Let this browser stand for an account, under a new secret."""

    async def do(asked: _Asked) -> Response[str]:
        form = asked.form
        with_seats = form.ticked("seats")
        secret = await accounts.log_in(asked, form.text("name"), form.text("password"), with_seats=with_seats)
        account = await asked.house.people.account(person_of(secret))
        answer = _with_secret(redirect("/games"), request, secret)
        if account is not None:
            services_of(request).keep(answer, request, NAME_COOKIE, account.name)
        return answer

    return await _do(request, do)


@post("/me/logout", include_in_schema=False, status_code=303)
async def log_out(request: Request[Any, Any, Any]) -> Response[str]:
    """Let this browser be a guest anew."""

    async def do(asked: _Asked) -> Response[str]:
        return _with_secret(redirect("/me"), request, await accounts.log_out(asked))

    return await _do(request, do)


@post("/me/everywhere", include_in_schema=False, status_code=303)
async def log_out_everywhere(request: Request[Any, Any, Any]) -> Response[str]:
    """Log every device out."""

    async def do(asked: _Asked) -> Response[str]:
        secret = await accounts.log_out_everywhere(asked)
        return _with_secret(redirect("/me"), request, secret)

    return await _do(request, do)


@post("/me/password", include_in_schema=False)
async def change_password(request: Request[Any, Any, Any]) -> Response[str]:
    """Change the password; every other device is logged out."""

    async def do(asked: _Asked) -> Response[str]:
        form = asked.form
        await accounts.change_password(asked, form.text("password"), form.text("new"))
        return await _page(request, done=PASSWORD_CHANGED)

    return await _do(request, do)


@get("/me/data.json", include_in_schema=False)
async def data(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Send all that is kept of the visitor as a file."""
    house = await services_of(request).house_in_time()
    found = await house.data_of(visitor_of(request).person)
    return Response(found, headers={"content-disposition": 'attachment; filename="overtrick-data.json"'})


@get("/me/delete", include_in_schema=False)
async def before_deleting(request: Request[Any, Any, Any]) -> Response[str]:
    """Say what deleting one's data does, and ask for it a second time."""
    return await _delete_page(request)


@post("/me/delete", include_in_schema=False, status_code=303)
async def delete(request: Request[Any, Any, Any]) -> Response[str]:
    """Delete all that is kept of the visitor; the browser is somebody new, and forgets the name too."""

    async def do(asked: _Asked) -> Response[str]:
        form = asked.form
        secret, finished = await accounts.delete(asked, form.get("password", ""), sure=form.ticked("sure"))
        answer = _with_secret(redirect("/me"), request, secret)
        services_of(request).drop(answer, request, NAME_COOKIE)
        news = "deleted" if finished else "deleting"
        services_of(request).keep(answer, request, NEWS_COOKIE, news, seconds=_NEWS_LAST)
        return answer

    return await _do(request, do, _delete_page)


async def _delete_page(request: Web, refused: OvertrickError | None = None) -> Response[str]:
    visitor = visitor_of(request)
    house = await services_of(request).house()
    page = DeletePage(
        csrf=csrf_token(request),
        account=await house.people.account(visitor.person),
        games=len((await house.tables_of(visitor.person)).going_on),
        error=visitor.language.say(refused) if refused else None,
        locale=visitor.language.locale,
    )
    return _answer(request, pages.delete_page(page), refused)


async def _do(
    request: Web,
    do: Callable[[_Asked], Awaitable[Response[str]]],
    refuse: Callable[[Web, OvertrickError], Awaitable[Response[str]]] | None = None,
) -> Response[str]:
    """Do what a form asks; refused, show the page with the sentence, that of the account unless `refuse` is another."""
    visitor, form = visitor_of(request), await Form.of(request)
    asked = _Asked(request, await services_of(request).house_in_time(), visitor.person, form)
    try:
        answer = await do(asked)
    except OvertrickError as refused:
        if refuse is not None:
            return await refuse(request, refused)
        takes = form.ticked("seats") or not request.url.path.endswith("/login")
        return await _page(request, refused, name=form.get("name", ""), takes=takes)
    # An answer that gives the browser another secret stays as it is.
    return answer if answer.cookies else remember(answer, request, visitor)


async def _page(
    request: Web,
    refused: OvertrickError | None = None,
    *,
    name: str = "",
    done: str = "",
    takes: bool = True,
) -> Response[str]:
    visitor = visitor_of(request)
    house = await services_of(request).house()
    account = await house.people.account(visitor.person)
    page = MePage(
        csrf=csrf_token(request),
        account=account,
        games=0 if account else len((await house.tables_of(visitor.person)).going_on),
        takes=takes,
        name=name or visitor.name,
        error=visitor.language.say(refused) if refused else None,
        done=visitor.language.gettext(done) if done else "",
        locale=visitor.language.locale,
    )
    return _answer(request, pages.me_page(page), refused)


def _answer(request: Web, text: str, refused: OvertrickError | None) -> Response[str]:
    status, headers = (status_of(refused), headers_of(refused)) if refused else (200, {})
    return remember(html(text, status=status, headers=headers), request, visitor_of(request))


def _with_secret(answer: Response[str], request: Web, secret: str) -> Response[str]:
    services_of(request).keep(answer, request, SECRET_COOKIE, secret)
    return answer


HANDLERS = [
    me,
    claim,
    log_in,
    log_out,
    log_out_everywhere,
    change_password,
    data,
    before_deleting,
    delete,
]
