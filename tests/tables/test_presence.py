"""People who leave a running game, and who come back."""

from __future__ import annotations

import pytest

from overtrick.games import Record
from overtrick.tables.commands import ComeBack, Pause, Resume, StepOut
from overtrick.tables.duties import due
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from tables.setting import ANN, BEN, CAT, DAN, Desk, playing, waiting

PEOPLE = (ANN, BEN, CAT, DAN)


def at_the_turn(desk: Desk, seat: int) -> Desk:
    """Let the persons play until it is the seat's turn."""
    while desk.table.to_act != seat:
        assert desk.table.to_act is not None
        desk.say(PEOPLE[desk.table.to_act], desk.legal()[0])
    return desk


def test_a_bot_sits_in_for_who_keeps_the_table_waiting() -> None:
    desk = at_the_turn(playing("luz", timing={"away": 60}), 1)
    desk.wait(59)
    assert desk.table.bot_to_act is None
    desk.wait(1)
    assert desk.table.bot_to_act == "medium"
    assert due(desk.table) == desk.table.at
    seat = table_view(desk.table, ANN).seats[1]
    assert (seat.kind, seat.name, seat.stand_in) == ("person", "Ben", "medium")


def test_at_a_table_that_waits_nobody_is_replaced() -> None:
    desk = playing("luz")
    desk.wait(10**6)
    assert desk.table.bot_to_act is None
    assert due(desk.table) is None


def test_who_steps_out_may_come_back_and_sees_what_was_played_meanwhile() -> None:
    desk = at_the_turn(playing("luz", timing={"away": 60}), 1)
    assert desk.ask(BEN, StepOut()) == 1
    assert desk.ask(BEN, StepOut()) == 0
    with pytest.raises(Refused, match="take your seat back"):
        desk.say(BEN, desk.legal()[0])
    desk.bot_moves(desk.legal()[-1])
    desk.say(CAT, desk.legal()[0])
    assert desk.ask(BEN, ComeBack()) == 1
    assert desk.ask(BEN, ComeBack()) == 0
    seen = table_view(desk.table, BEN)
    assert seen.meanwhile == tuple((moved.seat, moved.move) for moved in desk.table.moves[-2:])
    assert table_view(desk.table, CAT).meanwhile == ()
    at_the_turn(desk, 1)
    desk.say(BEN, desk.legal()[0])
    assert table_view(desk.table, BEN).meanwhile == ()


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_nothing_is_offered_to_whom_a_bot_plays_for_and_the_others_see_the_turn_as_ever(game: str) -> None:
    desk = at_the_turn(playing(game, dealer=0), 1)
    before = {person: table_view(desk.table, person).view for person in (*PEOPLE, None)}
    assert desk.legal()
    desk.ask(BEN, StepOut())
    seen = table_view(desk.table, BEN)
    mine = before[BEN]
    assert seen.view is not None
    assert mine is not None
    assert (seen.view.legal, seen.view.legal_actions, seen.view.to_act) == ((), (), 1)
    assert seen.view.to_json() == mine.to_json() | {"legal": []}
    for person in (ANN, CAT, None):
        assert table_view(desk.table, person).view == before[person]
    desk.ask(BEN, ComeBack())
    assert table_view(desk.table, BEN).view == mine


def test_nothing_is_offered_while_the_game_is_paused() -> None:
    desk = playing("luz", timing={"away": 60})
    seat = desk.table.to_act or 0
    assert seen_legal(desk, seat)
    for person in PEOPLE:
        desk.ask(person, Pause())
    assert seen_legal(desk, seat) == ()
    desk.ask(ANN, Resume())
    assert seen_legal(desk, seat)


def seen_legal(desk: Desk, seat: int) -> tuple[str, ...]:
    view = table_view(desk.table, PEOPLE[seat]).view
    assert view is not None
    return view.legal


def test_a_partners_gift_is_not_told_before_it_comes() -> None:
    desk = playing("duet", timing={"away": 60}, dealer=0)
    desk.ask(ANN, StepOut())
    while not any(moved.move.startswith("gift:") for moved in desk.table.moves):
        assert desk.table.status == "playing"
        if desk.table.to_act == 0:
            desk.bot_moves(next((m for m in desk.legal() if m.endswith("7")), desk.legal()[0]))
        else:
            desk.say(BEN, next((m for m in desk.legal() if m.endswith("7")), desk.legal()[0]))
    told = table_view(desk.table, ANN).meanwhile
    assert all(seat == 0 for seat, move in told if move.startswith("gift:"))
    assert len(told) > 0


def test_the_result_marks_seats_for_which_bots_played() -> None:
    desk = playing("duet", timing={"away": 60}, dealer=0)
    desk.ask(ANN, StepOut())
    helped = 0
    while desk.table.status == "playing":
        if desk.table.to_act == 0:
            desk.bot_moves(desk.legal()[0])
            helped += 1
        else:
            desk.say(BEN, desk.legal()[0])
    assert [seat.helped for seat in table_view(desk.table, None).seats] == [helped, 0]
    kept = record(desk.table, made_at=None)
    assert kept["meta"]["seats"] == [{"name": "Ann", "moves_by_bot": helped}, {"name": "Ben"}]
    assert Record.of(kept).replay().error is None


def test_who_ran_out_of_a_bank_does_not_come_back_but_who_missed_a_move_does() -> None:
    desk = playing("luz", timing={"kind": "bank", "seconds": 60}, dealer=0)
    desk.wait(60)
    with pytest.raises(Refused, match="time is up"):
        desk.ask(PEOPLE[desk.table.to_act or 0], ComeBack())
    desk = playing("luz", timing={"kind": "move", "seconds": 60}, dealer=0)
    desk.wait(60)
    person = PEOPLE[desk.table.to_act or 0]
    desk.ask(person, ComeBack())
    desk.wait(59)
    assert desk.table.bot_to_act is None
    desk.say(person, desk.legal()[0])


def test_a_forfeit_ends_duet_as_given_up_and_leaves_luz_to_the_others() -> None:
    duet = playing("duet", timing={"kind": "move", "seconds": 60, "flag": "forfeit"})
    duet.wait(60)
    assert duet.table.status == "over"
    assert duet.table.position is not None
    assert duet.table.position.view(None).to_json()["result"]["reason"] == "given up"
    luz = playing("luz", timing={"kind": "move", "seconds": 60, "flag": "forfeit"})
    luz.wait(60)
    seat = luz.table.to_act or 0
    assert (luz.table.status, luz.table.bot_to_act) == ("playing", "medium")
    with pytest.raises(Refused, match="time is up"):
        luz.ask(PEOPLE[seat], ComeBack())
    assert table_view(luz.table, None).seats[seat].flagged


def test_a_pause_needs_only_those_for_whom_no_bot_plays() -> None:
    desk = playing("luz", timing={"away": 60})
    for person in PEOPLE[:3]:
        desk.ask(person, Pause())
    assert not desk.table.paused
    desk.ask(DAN, StepOut())
    assert desk.table.paused
    with pytest.raises(Refused, match="take your seat back"):
        desk.ask(DAN, Pause())
    desk.ask(DAN, ComeBack())
    assert not desk.table.paused
    assert desk.table.clock is not None
    assert desk.table.clock.since is not None


def test_nobody_steps_out_of_a_game_that_is_not_on() -> None:
    with pytest.raises(Refused, match="not started"):
        waiting("duet").ask(ANN, StepOut())
