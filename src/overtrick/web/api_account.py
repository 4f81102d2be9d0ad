"""The part of the JSON API that is about oneself: an account, its devices, and all that is kept of a person.

A device is whoever holds a secret. What lets it stand for somebody else answers with a new secret for it.
"""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get, post
from litestar.response import Response

from overtrick.web import accounts, examples, shapes, shapes_me, wishes
from overtrick.web.api import json_only
from overtrick.web.api_parts import Json, described_body, seated
from overtrick.web.described import ANYBODY, GUEST, answers
from overtrick.web.services import services_of
from overtrick.web.visitor import bearer_of

NamePassword = Annotated[
    wishes.NameAndPassword, described_body("The name and the password.", examples.NAME_AND_PASSWORD)
]
LogIn = Annotated[
    wishes.LogIn, described_body("The name and the password, and whether seats come along.", examples.LOG_IN)
]
NewPassword = Annotated[wishes.NewPassword, described_body("The old and the new one.", examples.NEW_PASSWORD)]
DeleteMe = Annotated[wishes.DeleteMe, described_body("That you are sure.", examples.DELETE_ME)]
ME = answers(shapes_me.Me, "You, as you are known then.", 401, 403, 413, 415, 422, example=examples.ME)
SECRET = answers(
    shapes.Guest, "The secret of this device from now on.", 401, 403, 415, example=examples.GUEST
)


@get("/me", tags=["me"], security=GUEST, responses=answers(shapes_me.Me, "You.", 401, example=examples.ME))
async def me(request: Request[Any, Any, Any]) -> Json:
    """Say who you are: a guest, or the person of an account."""
    return await _me(request)


@post("/me/claim", tags=["me"], security=GUEST, status_code=200, responses=ME)
async def claim(request: Request[Any, Any, Any], data: NamePassword) -> Json:
    """Claim a name with a password: an account, by which you find your seats from any device."""
    await accounts.claim(await _asked(request), data.name, data.password)
    return await _me(request)


@post(
    "/me/login",
    tags=["me"],
    security=ANYBODY,
    status_code=200,
    responses=answers(
        shapes.Guest,
        "The secret that stands for the account.",
        401,
        403,
        413,
        415,
        422,
        example=examples.GUEST,
    ),
)
async def log_in(request: Request[Any, Any, Any], data: LogIn) -> Json:
    """Get a secret that stands for an account; an account's that you send is logged out.

    A guest's whose secret you send keeps their seats, which the account holds too from then on if you say so.
    """
    asked = await _asked(request)
    return _secret(await accounts.log_in(asked, data.name, data.password, with_seats=data.with_seats))


@post("/me/logout", tags=["me"], security=GUEST, status_code=200, responses=SECRET)
async def log_out(request: Request[Any, Any, Any]) -> Json:
    """Log out of an account, and be a new guest. A guest's secret keeps its seats: forget it, or delete your data."""
    return _secret(await accounts.log_out(await _asked(request)))


@post("/me/everywhere", tags=["me"], security=GUEST, status_code=200, responses=SECRET)
async def log_out_everywhere(request: Request[Any, Any, Any]) -> Json:
    """Log every device of your account out, this one too."""
    return _secret(await accounts.log_out_everywhere(await _asked(request)))


@post("/me/password", tags=["me"], security=GUEST, status_code=200, responses=ME)
async def change_password(request: Request[Any, Any, Any], data: NewPassword) -> Json:
    """Change the password of your account; every other device is logged out."""
    await accounts.change_password(await _asked(request), data.password, data.new)
    return await _me(request)


@get(
    "/me/data",
    tags=["me"],
    security=GUEST,
    responses=answers(shapes_me.MyData, "Your data.", 401, example=examples.MY_DATA),
)
async def my_data(request: Request[Any, Any, Any]) -> Json:
    """Get all that is kept of you."""
    house, person = await seated(request)
    return Response(await house.data_of(person))


@post(
    "/me/delete",
    tags=["me"],
    security=GUEST,
    status_code=200,
    responses=answers(
        shapes_me.Deleted, "A new guest's secret.", 401, 403, 413, 415, 422, example=examples.DELETED
    ),
)
async def delete(request: Request[Any, Any, Any], data: DeleteMe) -> Json:
    """Delete all that is kept of you, for good. In finished games a seat without a name is left."""
    secret, finished = await accounts.delete(await _asked(request), data.password, sure=data.sure)
    return Response({"secret": secret, "finished": finished})


async def _asked(request: Request[Any, Any, Any]) -> accounts.Asked:
    return accounts.Asked(request, await services_of(request).house(), bearer_of(request))


async def _me(request: Request[Any, Any, Any]) -> Json:
    house, person = await seated(request)
    account = await house.people.account(person)
    known = None if account is None else {"name": account.name, "made_at": account.made_at}
    return Response({"account": known})


def _secret(secret: str) -> Json:
    return Response({"secret": secret})


ROUTER = Router(
    "/api",
    before_request=json_only,
    route_handlers=[
        me,
        claim,
        log_in,
        log_out,
        log_out_everywhere,
        change_password,
        my_data,
        delete,
    ],
)
