"""What follows when people write to each other, or propose what the decider of Duet's forest should choose.

When that may be is settled here alone. A table's chat may always be used before the first deal and after the game;
in Duet between rounds besides (D-24), in Luz as the table has it.
"""

from __future__ import annotations

from overtrick.tables import refusals
from overtrick.tables.acts import chooses_an_end
from overtrick.tables.chat import MINUTE, MOST, PER_MINUTE, Message, clean_message
from overtrick.tables.checks import must_play
from overtrick.tables.commands import Propose, Say
from overtrick.tables.events import Event, Proposed, Spoke
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import PersonSeat
from overtrick.tables.table import Table

LONGEST_TOKEN = 100
MOST_PROPOSALS = 20
"""Proposals for one choice, so that nobody fills a log."""


def may_talk(table: Table) -> bool:
    """Whether those who sit at the table may write now."""
    return closed(table) is None


def closed(table: Table) -> Refused | None:
    """Return why nobody may write at the table now; None if those who sit there may."""
    if table.talk == "off":
        return refusals.CHAT_OFF()
    if table.status != "playing":
        return None
    if table.game_name == "duet":
        return None if chooses_an_end(table) else refusals.NO_TALK()
    if table.talk == "between" and not _is_between_deals(table):
        return refusals.CHAT_LATER()
    return None


def say(table: Table, seat: int, command: Say, *, now: int) -> tuple[Event, ...]:
    """Write a message from a person's seat; the same one with the same token again does nothing. Raises Refused."""
    if not 0 < len(command.token) <= LONGEST_TOKEN:
        raise refusals.BAD_TOKEN()
    text = clean_message(command.text)
    mine = [old for old in table.chat if (old.seat, old.since) == (seat, _since(table, seat))]
    if any((old.token, old.text) == (command.token, text) for old in mine):
        return ()
    if (no := closed(table)) is not None:
        raise no
    lately = sorted(old.at for old in (*mine, *_left_behind(table, seat)) if old.at > now - MINUTE)
    if len(lately) >= PER_MINUTE:
        raise refusals.TOO_MANY_MESSAGES.for_now(lately[-PER_MINUTE] + MINUTE - now, most=PER_MINUTE)
    if table.spoken >= MOST:
        raise refusals.CHAT_FULL()
    return (Spoke(seat, text, command.token),)


def propose(table: Table, seat: int, command: Propose) -> tuple[Event, ...]:
    """Propose the end that the forest token should cover (D-21); who decides is free to choose the other.

    Raises Refused. A bot that decides does not look at it.
    """
    must_play(table)
    if not chooses_an_end(table):
        raise refusals.NO_TALK() if table.game_name == "duet" else refusals.NO_END()
    if command.ply != table.ply:
        raise refusals.STALE()
    position = table.position
    assert position is not None
    if f"forest:{command.end}" not in position.view(position.to_act).legal:
        raise refusals.NO_SUCH_END()
    if dict(table.proposals).get(seat) == command.end:
        return ()
    if table.proposed >= MOST_PROPOSALS:
        raise refusals.TOO_MANY_PROPOSALS()
    return (Proposed(seat, command.end),)


def _since(table: Table, seat: int) -> int:
    sitter = table.seats[seat]
    return sitter.since if isinstance(sitter, PersonSeat) else 0


def _left_behind(table: Table, seat: int) -> list[Message]:
    """What was written by people who have left a seat, and of whom whoever holds this one may be one: they came later.

    A table does not keep who wrote, so whoever sits down anew has what they wrote before counted, in whichever seat.
    """
    sitting = {(number, _since(table, number)) for number in range(len(table.seats))}
    return [
        old for old in table.chat if old.since < _since(table, seat) and (old.seat, old.since) not in sitting
    ]


def _is_between_deals(table: Table) -> bool:
    """Whether no move has been made since the last deal: the next one is dealt as the last one ends."""
    return bool(table.dealt_at) and table.dealt_at[-1] == table.ply
