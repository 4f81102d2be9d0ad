"""Deciding who plays and whether time runs: stepping out, coming back, pausing, going on."""

from __future__ import annotations

from overtrick.tables import refusals
from overtrick.tables.checks import must_play
from overtrick.tables.events import CameBack, Events, PauseAsked, Resumed, StoodIn
from overtrick.tables.seats import STAND_IN, PersonSeat
from overtrick.tables.table import Table


def step_out(table: Table, number: int) -> Events:
    """Let a bot play for the person of a seat."""
    seat = _person_playing(table, number)
    return () if seat.stand_in else (StoodIn(number, STAND_IN, "left"),)


def come_back(table: Table, number: int) -> Events:
    """Let the person of a seat play again. Whose bank is used up, or who has lost by time, cannot."""
    seat = _person_playing(table, number)
    if seat.stand_in is None:
        return ()
    if seat.flagged and table.timing.flag_is_final:
        raise refusals.TIME_IS_UP()
    return (CameBack(number),)


def pause(table: Table, number: int) -> Events:
    """Ask for the clocks to stand; they do as soon as all persons who play have asked."""
    seat = _person_playing(table, number)
    if not table.timing.runs:
        raise refusals.NO_CLOCK()
    if seat.stand_in:
        raise refusals.COME_BACK_FIRST()
    return () if number in table.asked_pause else (PauseAsked(number),)


def resume(table: Table, number: int) -> Events:
    """Let the clocks run, or take back what was asked."""
    _person_playing(table, number)
    return (Resumed(number),) if table.asked_pause else ()


def _person_playing(table: Table, number: int) -> PersonSeat:
    must_play(table)
    seat = table.seats[number]
    assert isinstance(seat, PersonSeat)
    return seat
