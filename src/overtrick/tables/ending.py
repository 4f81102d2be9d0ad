"""Deciding about ending a running game early: proposing it, agreeing, playing on (`agreement`)."""

from __future__ import annotations

from overtrick.tables import refusals
from overtrick.tables.checks import must_play
from overtrick.tables.commands import AgreeEnd, DeclineEnd, ProposeEnd
from overtrick.tables.events import EndAgreed, EndDeclined, Ended, EndProposed, Events, Moved
from overtrick.tables.table import Table


def propose_end(table: Table, seat: int, command: ProposeEnd) -> Events:
    """Ask all others, but those who are long away, to end the game; after a no it may be asked in the next deal."""
    _must_be_playing(table, seat)
    so_far = table.agreement
    if command.after == so_far.number - 1 and so_far.seat == seat:
        return ()
    if command.after != so_far.number:
        raise refusals.STALE()
    if so_far.is_open:
        raise refusals.END_PROPOSED()
    if seat in so_far.declined:
        raise refusals.END_DECLINED()
    return (EndProposed(seat),)


def agree_end(table: Table, seat: int, command: AgreeEnd) -> Events:
    """Agree to the open proposal; who is the last to be asked, or was never alone to decide, thereby ends the game."""
    if table.given_up and command.number == table.agreement.number:
        return ()
    _must_answer(table, seat, command.number)
    if not table.agreement.is_open:
        raise refusals.STALE()
    awaited = table.agreement.awaited(table.seats.asked_to_end)
    if seat not in awaited:
        # The proposer, or one who agreed before: their word counts again only once nobody else is asked.
        return () if awaited else _end(table)
    agreed = EndAgreed(seat)
    return (agreed,) if len(awaited) > 1 else (agreed, *_end(table))


def decline_end(table: Table, seat: int, command: DeclineEnd) -> Events:
    """Play on: decline the open proposal, or take the own one back."""
    _must_answer(table, seat, command.number)
    return (EndDeclined(seat),) if table.agreement.is_open else ()


def _end(table: Table) -> Events:
    """Duet has a move for it (D-23); Luz, whose rules have none, ends without a winner."""
    proposer = table.agreement.seat
    if table.game_name == "duet" and proposer is not None:
        return (Moved(proposer, "resign", "resign"),)
    return (Ended(),)


def _must_be_playing(table: Table, seat: int) -> None:
    must_play(table)
    if seat not in table.seats.playing_persons:
        raise refusals.COME_BACK_FIRST()


def _must_answer(table: Table, seat: int, number: int) -> None:
    _must_be_playing(table, seat)
    if number != table.agreement.number:
        raise refusals.STALE()
