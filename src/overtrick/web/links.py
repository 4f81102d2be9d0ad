"""The private link of a seat: shown to whoever holds the seat, and opened on another device.

Opening it shows a page with one button, so that a preview or a prefetch of the link changes nothing; the button's form
carries the secret in its body, not in its address.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import segno
from litestar import Request, Response, get, post
from litestar.params import FromPath

from overtrick.web import pages
from overtrick.web.answers import csrf_token, html, redirect, remember
from overtrick.web.contexts import JoinPage, LinkPage
from overtrick.web.forms import Form
from overtrick.web.services import services_of
from overtrick.web.visitor import visitor_of

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    Connection = ASGIConnection[Any, Any, Any, Any]

RENEWED = "renewed"
NOT_PASSED_ON = {"referrer-policy": "strict-origin"}
"""What a page asks for from here says the server's name at most; with "no-referrer" a form would have no Origin."""


def seat_url(connection: Connection, table_id: str, secret: str) -> str:
    """Return the address that lets another device hold a seat."""
    return f"{services_of(connection).address(connection)}/t/{table_id}/seat/{secret}"


def qr_code(text: str) -> bytes:
    """Return a QR code as SVG."""
    picture = io.BytesIO()
    segno.make_qr(text).save(picture, kind="svg", border=2, omitsize=True)
    return picture.getvalue()


@get("/t/{table_id:str}/link", include_in_schema=False)
async def link(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Show the private link of the visitor's seat."""
    visitor = visitor_of(request)
    house = await services_of(request).house()
    secret = await house.link(table_id, visitor.person)
    page = LinkPage(
        table=await house.look(table_id, visitor.person),
        url=seat_url(request, table_id, secret),
        csrf=csrf_token(request),
        locale=visitor.language.locale,
        renewed=RENEWED in request.query_params,
    )
    return html(pages.link_page(page))


@get("/t/{table_id:str}/link.svg", include_in_schema=False)
async def link_picture(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[bytes]:
    """Send the private link of the visitor's seat as a picture for a phone's camera."""
    house = await services_of(request).house_in_time()
    secret = await house.link(table_id, visitor_of(request).person)
    return Response(qr_code(seat_url(request, table_id, secret)), media_type="image/svg+xml")


@post("/t/{table_id:str}/link", include_in_schema=False)
async def renew(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Make a new link; every other device is shut out."""
    from overtrick.tables.commands import Relink

    house = await services_of(request).house_in_time()
    await house.act(table_id, visitor_of(request).person, Relink())
    return redirect(f"/t/{table_id}/link?{RENEWED}=1")


@get("/t/{table_id:str}/seat/{secret:str}", include_in_schema=False)
async def arrive(
    request: Request[Any, Any, Any], table_id: FromPath[str], secret: FromPath[str]
) -> Response[str]:
    """Ask whether this device is to hold the seat too."""
    visitor = visitor_of(request)
    house = await services_of(request).house()
    page = JoinPage(
        table_id=table_id,
        seat=await house.linked_seat(table_id, secret, visitor.person),
        secret=secret,
        csrf=csrf_token(request),
        locale=visitor.language.locale,
    )
    return remember(html(pages.join_page(page), headers=NOT_PASSED_ON), request, visitor)


@post("/t/{table_id:str}/seat", include_in_schema=False)
async def join(request: Request[Any, Any, Any], table_id: FromPath[str]) -> Response[str]:
    """Hold the seat on this device too, and go there."""
    from overtrick.tables.commands import Join

    visitor, form = visitor_of(request), await Form.of(request)
    house = await services_of(request).house_in_time()
    await house.act(table_id, visitor.person, Join(form.text("secret")))
    return remember(redirect(f"/t/{table_id}"), request, visitor)
