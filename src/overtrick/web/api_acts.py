"""Acts at a table, each a POST: the JSON twin of the forms on a table's page."""

from __future__ import annotations

from typing import Annotated

from litestar import post

from overtrick.web import examples, wishes
from overtrick.web.api_parts import TABLE, TABLE_BY_BODY, Asked, Json, TableId, act, described_body
from overtrick.web.described import GUEST

SitDown = Annotated[wishes.SitDown, described_body("The seat and your name.", examples.SIT)]
PutBot = Annotated[wishes.PutBot, described_body("The seat and the bot.", examples.BOT)]
MakeMove = Annotated[wishes.MakeMove, described_body("The move.", examples.MOVE)]
NamedSeat = Annotated[wishes.NamedSeat, described_body("Whom.", examples.NAMED)]
Propose = Annotated[wishes.ProposeEnd, described_body("On which look you decided it.", examples.PROPOSE_END)]
Answer = Annotated[wishes.AnswerEnd, described_body("Which proposal you answer.", examples.ANSWER_END)]


@post("/tables/{table_id:str}/sit", tags=["tables"], security=GUEST, status_code=200, responses=TABLE_BY_BODY)
async def sit(request: Asked, table_id: TableId, data: SitDown) -> Json:
    """Take an empty seat."""
    from overtrick.tables.commands import Sit

    return await act(request, table_id, Sit(data.seat, data.name))


@post("/tables/{table_id:str}/leave", tags=["tables"], security=GUEST, status_code=200, responses=TABLE)
async def leave(request: Asked, table_id: TableId) -> Json:
    """Give your seat up, before the start."""
    from overtrick.tables.commands import Leave

    return await act(request, table_id, Leave())


@post("/tables/{table_id:str}/bot", tags=["tables"], security=GUEST, status_code=200, responses=TABLE_BY_BODY)
async def bot(request: Asked, table_id: TableId, data: PutBot) -> Json:
    """Put a bot in an empty seat, or take it away. For the host."""
    from overtrick.tables.commands import SeatBot

    return await act(request, table_id, SeatBot(data.seat, data.bot))


@post("/tables/{table_id:str}/start", tags=["tables"], security=GUEST, status_code=200, responses=TABLE)
async def start(request: Asked, table_id: TableId) -> Json:
    """Begin the game, once every seat is taken. For the host."""
    from overtrick.tables.commands import Start

    return await act(request, table_id, Start())


@post("/tables/{table_id:str}/move", tags=["play"], security=GUEST, status_code=200, responses=TABLE_BY_BODY)
async def move(request: Asked, table_id: TableId, data: MakeMove) -> Json:
    """Make a move. Sending the same one again does nothing more."""
    from overtrick.tables.commands import Move

    return await act(request, table_id, Move(data.ply, data.move))


@post(
    "/tables/{table_id:str}/remove", tags=["tables"], security=GUEST, status_code=200, responses=TABLE_BY_BODY
)
async def remove(request: Asked, table_id: TableId, data: NamedSeat) -> Json:
    """Free the seat of another person, before the start. For the host."""
    from overtrick.tables.commands import Remove

    return await act(request, table_id, Remove(data.seat, data.name))


@post(
    "/tables/{table_id:str}/host", tags=["tables"], security=GUEST, status_code=200, responses=TABLE_BY_BODY
)
async def host(request: Asked, table_id: TableId, data: NamedSeat) -> Json:
    """Make another person the host. For the host."""
    from overtrick.tables.commands import HandOver

    return await act(request, table_id, HandOver(data.seat, data.name))


@post(
    "/tables/{table_id:str}/propose-end",
    tags=["play"],
    security=GUEST,
    status_code=200,
    responses=TABLE_BY_BODY,
)
async def propose_end(request: Asked, table_id: TableId, data: Propose) -> Json:
    """Propose to end the game early, which in Duet gives it up; it ends once all other persons agree."""
    from overtrick.tables.commands import ProposeEnd

    return await act(request, table_id, ProposeEnd(data.after))


@post(
    "/tables/{table_id:str}/agree-end",
    tags=["play"],
    security=GUEST,
    status_code=200,
    responses=TABLE_BY_BODY,
)
async def agree_end(request: Asked, table_id: TableId, data: Answer) -> Json:
    """Agree to end the game early; alone with bots, confirm your own proposal."""
    from overtrick.tables.commands import AgreeEnd

    return await act(request, table_id, AgreeEnd(data.number))


@post(
    "/tables/{table_id:str}/decline-end",
    tags=["play"],
    security=GUEST,
    status_code=200,
    responses=TABLE_BY_BODY,
)
async def decline_end(request: Asked, table_id: TableId, data: Answer) -> Json:
    """Play on: decline a proposal to end the game, or take your own back."""
    from overtrick.tables.commands import DeclineEnd

    return await act(request, table_id, DeclineEnd(data.number))


@post("/tables/{table_id:str}/step-out", tags=["play"], security=GUEST, status_code=200, responses=TABLE)
async def step_out(request: Asked, table_id: TableId) -> Json:
    """Let a bot play for you until you come back."""
    from overtrick.tables.commands import StepOut

    return await act(request, table_id, StepOut())


@post("/tables/{table_id:str}/come-back", tags=["play"], security=GUEST, status_code=200, responses=TABLE)
async def come_back(request: Asked, table_id: TableId) -> Json:
    """Play yourself again, after a bot has stood in."""
    from overtrick.tables.commands import ComeBack

    return await act(request, table_id, ComeBack())


@post("/tables/{table_id:str}/pause", tags=["play"], security=GUEST, status_code=200, responses=TABLE)
async def pause(request: Asked, table_id: TableId) -> Json:
    """Ask that the clocks stand; they do once all persons who play have asked."""
    from overtrick.tables.commands import Pause

    return await act(request, table_id, Pause())


@post("/tables/{table_id:str}/resume", tags=["play"], security=GUEST, status_code=200, responses=TABLE)
async def resume(request: Asked, table_id: TableId) -> Json:
    """Let the clocks run again, or take back that you asked for them to stand."""
    from overtrick.tables.commands import Resume

    return await act(request, table_id, Resume())


@post("/tables/{table_id:str}/again", tags=["play"], security=GUEST, status_code=200, responses=TABLE)
async def again(request: Asked, table_id: TableId) -> Json:
    """Play once more with the same people: `next_table` of the answer is where."""
    from overtrick.tables.commands import Again

    return await act(request, table_id, Again())


ACTS = [
    sit,
    leave,
    bot,
    start,
    move,
    remove,
    host,
    propose_end,
    agree_end,
    decline_end,
    step_out,
    come_back,
    pause,
    resume,
    again,
]
