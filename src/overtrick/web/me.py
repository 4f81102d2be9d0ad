"""The visitor's account: claim a name with a password, log in and out, take one's data away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get, post

from overtrick.errors import N_, OvertrickError
from overtrick.web import pages
from overtrick.web.answers import csrf_token, html, redirect, remember
from overtrick.web.contexts import MePage
from overtrick.web.forms import Form
from overtrick.web.problems import status_of
from overtrick.web.services import services_of
from overtrick.web.visitor import NAME_COOKIE, SECRET_COOKIE, new_secret, person_of, visitor_of

if TYPE_CHECKING:
    from overtrick.tables import House, Person

    Web = Request[Any, Any, Any]

PASSWORD_CHANGED = N_("Your password is changed; every other device is logged out.")


@dataclass(frozen=True)
class _Asked:
    """A form of the account's page: the house, who sent it from which device, and what it says."""

    request: Web
    house: House
    device: Person
    form: Form


@get("/me", include_in_schema=False)
async def me(request: Request[Any, Any, Any]) -> Response[str]:
    """Show the account, or how to get one."""
    return await _page(request)


@post("/me/claim", include_in_schema=False, status_code=303)
async def claim(request: Request[Any, Any, Any]) -> Response[str]:
    """Make an account of the guest."""

    async def do(asked: _Asked) -> Response[str]:
        await asked.house.people.claim(asked.device, asked.form.text("name"), asked.form.text("password"))
        return redirect("/me")

    return await _do(request, do)


@post("/me/login", include_in_schema=False, status_code=303)
async def log_in(request: Request[Any, Any, Any]) -> Response[str]:
    """Let this browser stand for an account, under a new secret."""

    async def do(asked: _Asked) -> Response[str]:
        secret, people = new_secret(), asked.house.people
        await people.log_in(person_of(secret), asked.form.text("name"), asked.form.text("password"))
        await asked.house.shut_out(await people.log_out(asked.device))
        account = await people.account(person_of(secret))
        answer = _with_secret(redirect("/games"), request, secret)
        if account is not None:
            answer.set_cookie(services_of(request).keep(request, NAME_COOKIE, account.name))
        return answer

    return await _do(request, do)


@post("/me/logout", include_in_schema=False, status_code=303)
async def log_out(request: Request[Any, Any, Any]) -> Response[str]:
    """Let this browser be a guest anew."""

    async def do(asked: _Asked) -> Response[str]:
        await asked.house.shut_out(await asked.house.people.log_out(asked.device))
        return _with_secret(redirect("/me"), request, new_secret())

    return await _do(request, do)


@post("/me/everywhere", include_in_schema=False, status_code=303)
async def log_out_everywhere(request: Request[Any, Any, Any]) -> Response[str]:
    """Log every device out."""

    async def do(asked: _Asked) -> Response[str]:
        await asked.house.shut_out(await asked.house.people.log_out_everywhere(asked.device))
        return _with_secret(redirect("/me"), request, new_secret())

    return await _do(request, do)


@post("/me/password", include_in_schema=False)
async def change_password(request: Request[Any, Any, Any]) -> Response[str]:
    """Change the password; every other device is logged out."""

    async def do(asked: _Asked) -> Response[str]:
        people, form = asked.house.people, asked.form
        person = await people.change_password(asked.device, form.text("password"), form.text("new"))
        await asked.house.shut_out(person)
        return await _page(request, done=PASSWORD_CHANGED)

    return await _do(request, do)


@get("/me/data.json", include_in_schema=False)
async def data(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Send all that is kept of the visitor as a file."""
    house = await services_of(request).house_in_time()
    found = await house.data_of(visitor_of(request).person)
    return Response(found, headers={"content-disposition": 'attachment; filename="overtrick-data.json"'})


async def _do(request: Web, do: Callable[[_Asked], Awaitable[Response[str]]]) -> Response[str]:
    """Do what a form asks; refused, show the page with the sentence."""
    visitor, form = visitor_of(request), await Form.of(request)
    asked = _Asked(request, await services_of(request).house_in_time(), visitor.person, form)
    try:
        answer = await do(asked)
    except OvertrickError as refused:
        return await _page(request, refused, name=form.get("name", ""))
    # An answer that gives the browser another secret stays as it is.
    return answer if answer.cookies else remember(answer, request, visitor)


async def _page(
    request: Web, refused: OvertrickError | None = None, *, name: str = "", done: str = ""
) -> Response[str]:
    visitor = visitor_of(request)
    house = await services_of(request).house()
    account = await house.people.account(visitor.person)
    page = MePage(
        csrf=csrf_token(request),
        account=account,
        games=0 if account else len((await house.tables_of(visitor.person)).going_on),
        name=name or visitor.name,
        error=visitor.language.say(refused) if refused else None,
        done=visitor.language.gettext(done) if done else "",
        locale=visitor.language.locale,
    )
    return remember(
        html(pages.me_page(page), status=status_of(refused) if refused else 200), request, visitor
    )


def _with_secret(answer: Response[str], request: Web, secret: str) -> Response[str]:
    answer.set_cookie(services_of(request).keep(request, SECRET_COOKIE, secret))
    return answer


HANDLERS = [me, claim, log_in, log_out, log_out_everywhere, change_password, data]
