"""Thinking time: what is used, what is left, what stands still."""

from __future__ import annotations

from typing import Any

import pytest

from overtrick.tables.clock import UNTIMED, timing_of
from overtrick.tables.commands import ComeBack, Make, Pause, Resume, StepOut
from overtrick.tables.duties import due
from overtrick.tables.events import Outage
from overtrick.tables.fold import fold
from overtrick.tables.making import make
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from overtrick.tables.tableview import TimeView
from tables.setting import ANN, BEN, CAT, DAN, Desk, making, playing

BANK = {"kind": "bank", "seconds": 100, "increment": 10}
MOVE = {"kind": "move", "seconds": 30}
PEOPLE = (ANN, BEN, CAT, DAN)


def timed(game: str = "luz", **timing: object) -> Desk:
    return playing(game, dealer=0, timing=timing)


def time_of(desk: Desk) -> TimeView:
    view = table_view(desk.table, None, now=desk.now).time
    assert view is not None
    return view


def move_on(desk: Desk) -> int:
    """Let the person to act make a move; returns their seat."""
    seat = desk.table.to_act
    assert seat is not None
    desk.say(PEOPLE[seat], desk.legal()[0])
    return seat


def test_a_bank_loses_the_time_of_its_own_turns_and_gains_the_increment() -> None:
    desk = timed(**BANK)
    desk.wait(40)
    first = desk.table.to_act
    assert first is not None
    assert time_of(desk).left[first] == 60_000
    assert move_on(desk) == first
    desk.wait(25)
    left = time_of(desk).left
    assert left[first] == 70_000
    assert left[desk.table.to_act or 0] == 75_000
    assert time_of(desk).running == desk.table.to_act


def test_a_move_clock_begins_anew_with_each_turn() -> None:
    desk = timed(**MOVE)
    desk.wait(20)
    assert time_of(desk).left[desk.table.to_act or 0] == 10_000
    move_on(desk)
    assert time_of(desk).left == (30_000,) * 4


@pytest.mark.parametrize("timing", [MOVE, {**BANK, "seconds": 30}])
def test_a_turns_time_goes_on_after_whatever_interrupts_it(timing: dict[str, Any]) -> None:
    desk = timed(**timing)
    seat = desk.table.to_act
    assert seat is not None
    other = PEOPLE[(seat + 1) % 4]
    desk.wait(8)
    desk.ask(PEOPLE[seat], StepOut())
    desk.ask(PEOPLE[seat], ComeBack())
    assert time_of(desk).left[seat] == 22_000
    desk.wait(5)
    desk.ask(other, StepOut())
    desk.ask(other, ComeBack())
    assert time_of(desk).left[seat] == 17_000
    for person in PEOPLE:
        desk.ask(person, Pause())
    desk.wait(100)
    assert time_of(desk).left[seat] == 17_000
    desk.ask(other, Resume())
    assert time_of(desk).left[seat] == 17_000
    assert due(desk.table) == desk.now + 17_000
    assert move_on(desk) == seat
    assert time_of(desk).left[desk.table.to_act or 0] == 30_000


def test_the_flag_falls_when_the_time_is_up_and_not_before() -> None:
    desk = timed(**BANK)
    seat = desk.table.to_act
    assert due(desk.table) == desk.now + 100_000
    desk.wait(99)
    assert desk.table.bot_to_act is None
    desk.wait(1)
    assert desk.table.to_act == seat
    assert desk.table.bot_to_act == "medium"


def test_clocks_stand_once_everybody_wants_it_and_until_one_does_not() -> None:
    desk = timed(**BANK)
    desk.wait(30)
    for person in PEOPLE[:3]:
        desk.ask(person, Pause())
    desk.wait(10)
    seat = desk.table.to_act or 0
    assert (time_of(desk).paused, time_of(desk).left[seat]) == (False, 60_000)
    desk.ask(DAN, Pause())
    assert due(desk.table) is None
    desk.wait(5000)
    assert (time_of(desk).paused, time_of(desk).running, time_of(desk).left[seat]) == (True, None, 60_000)
    with pytest.raises(Refused, match="paused"):
        desk.say(PEOPLE[seat], desk.legal()[0])
    desk.ask(BEN, Resume())
    desk.wait(15)
    assert (time_of(desk).paused, time_of(desk).left[seat]) == (False, 45_000)


def test_who_asked_for_a_pause_may_think_better_of_it() -> None:
    desk = timed(**BANK)
    assert desk.ask(ANN, Pause()) == 1
    assert desk.ask(ANN, Pause()) == 0
    assert desk.ask(ANN, Resume()) == 1
    assert desk.table.asked_pause == frozenset()


def test_where_no_time_runs_there_is_nothing_to_pause() -> None:
    with pytest.raises(Refused, match="No time runs"):
        playing("duet").ask(ANN, Pause())


def test_time_without_a_server_does_not_count() -> None:
    desk = timed(**BANK)
    desk.now += 70_000
    desk.table = fold(desk.table, Outage(60_000), desk.now)
    assert time_of(desk).left[desk.table.to_act or 0] == 90_000


def test_an_outage_gives_no_time_that_was_never_there() -> None:
    desk = timed(**BANK)
    desk.now += 20_000
    desk.table = fold(desk.table, Outage(60_000), desk.now)
    assert time_of(desk).left[desk.table.to_act or 0] == 100_000


def test_no_clock_is_shown_where_nobody_is_hurried_nor_once_the_game_is_over() -> None:
    assert table_view(playing("duet").table, ANN).time is None
    desk = timed("duet", **BANK)
    desk.play_on(1000, PEOPLE)
    assert desk.table.status == "over"
    assert table_view(desk.table, ANN).time is None
    assert due(desk.table) is None


@pytest.mark.parametrize(
    "timing",
    [
        {"kind": "hourglass"},
        {"kind": "bank"},
        {"kind": "bank", "seconds": 4},
        {"kind": "move", "seconds": 10**9},
        {"kind": "move", "seconds": True},
        {"kind": "move", "seconds": 30.5},
        {"kind": "bank", "seconds": 60, "flag": "death"},
        {"away": 3},
        {"away": -1},
        {"color": "red"},
    ],
)
def test_a_timing_that_makes_no_sense_is_refused(timing: dict[str, Any]) -> None:
    assert timing_of(timing) is None
    with pytest.raises(Refused) as refused:
        make(ANN, Make(**{**making_fields(), "timing": timing}))
    assert refused.value.kind == "invalid"


def making_fields() -> dict[str, Any]:
    wanted = making()
    return {name: getattr(wanted, name) for name in wanted.__slots__}


def test_a_table_made_before_there_were_clocks_has_none() -> None:
    assert timing_of({}) == UNTIMED
    assert not UNTIMED.runs
