"""Every address of the server and who answers there.

| address | |
| --- | --- |
| GET / | front page (`lobby`) |
| POST /tables | make a table (`lobby`) |
| GET /games | the visitor's own tables (`games`) |
| GET /me, POST /me/claim, login, logout, everywhere, password, GET /me/data.json | the visitor's account (`me`) |
| GET, POST /me/delete                  | deleting one's data (`me`)              |
| POST /language | choose a language (`lobby`) |
| GET /t/{id} | a table's page (`table`) |
| POST /t/{id}/sit, leave, bot, remove, host, start, again | who sits there (`table`) |
| POST /t/{id}/move, step-out, come-back, pause, resume | playing (`table`) |
| POST /t/{id}/propose-end, agree-end, decline-end | ending early (`table`) |
| POST /t/{id}/say, propose | talking (`table`) |
| GET /t/{id}/record.json, qr.svg | record, invitation (`table`) |
| GET, POST /t/{id}/link, GET /t/{id}/link.svg | the private link of one's own seat (`links`) |
| GET /t/{id}/seat/{secret}, POST /t/{id}/seat | the same, opened on another device (`links`) |
| WebSocket /t/{id}/live | the page's live line (`live`) |
| GET /static/... | what pages are made of (`static_files`) |
| GET /health | whether the server is ready |
| GET /metrics | figures for Prometheus, for whoever runs the server (`metrics`) |
| /api/... | the JSON API (`api`, `api_me`, `api_account`), described at /api/openapi.json |
"""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.types import ControllerRouterHandler

from overtrick.web import api, api_account, api_me, games, links, lobby, me, table
from overtrick.web.live import live
from overtrick.web.metrics import CONTENT_TYPE, may_read
from overtrick.web.problems import RETRY_AFTER
from overtrick.web.services import services_of
from overtrick.web.static_files import static


@get("/health", include_in_schema=False)
async def health(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """Say whether the server is ready for games: 200, or 503 while it prepares, its database fails or if it cannot."""
    services = services_of(request)
    if services.engine.ready:
        state = "database failing" if (await services.house()).failing else "ready"
    else:
        state = "failed" if services.engine.failed else "preparing"
    if state == "ready":
        return Response({"status": state})
    return Response({"status": state}, status_code=503, headers={"retry-after": str(RETRY_AFTER)})


@get("/metrics", include_in_schema=False)
async def metrics(request: Request[Any, Any, Any]) -> Response[Any]:
    """Give the server's figures to whoever runs it; to anybody else there is nothing here."""
    services = services_of(request)
    if not may_read(request, services.settings.metrics_token):
        return api.problem_answer(request, NotFoundException())
    # A thousand lines take milliseconds, for which nobody's move has to wait.
    return Response(await asyncio.to_thread(services.metrics.text), media_type=CONTENT_TYPE)


ROUTES: list[ControllerRouterHandler] = [
    lobby.lobby,
    lobby.make,
    lobby.language,
    games.games,
    *me.HANDLERS,
    table.show,
    table.sit,
    table.leave,
    table.bot,
    table.start,
    table.move,
    table.remove,
    table.hand_over,
    table.propose_end,
    table.agree_end,
    table.decline_end,
    table.step_out,
    table.come_back,
    table.pause,
    table.resume,
    table.say,
    table.propose,
    table.again,
    table.record,
    table.qr,
    links.link,
    links.link_picture,
    links.renew,
    links.arrive,
    links.join,
    live,
    health,
    metrics,
    api.ROUTER,
    api_me.ROUTER,
    api_account.ROUTER,
    static,
]
