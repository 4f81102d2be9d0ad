"""What a host does to other persons: removing one before the start, handing the role on."""

from __future__ import annotations

import pytest

from overtrick.tables.commands import HandOver, Leave, Remove, Sit, Start
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import EMPTY, Person, PersonSeat
from tables.setting import ANN, BEN, CAT, Desk, finished, playing, waiting


def refusal(desk: Desk, person: Person, command: Remove | HandOver) -> str:
    before = desk.table
    with pytest.raises(Refused) as refused:
        desk.ask(person, command)
    assert desk.table == before
    return refused.value.kind


@pytest.fixture
def desk() -> Desk:
    """Ann's table, with Ben at seat 1 and bots at 2 and 3."""
    desk = waiting()
    desk.ask(BEN, Sit(1, "Ben"))
    return desk


def test_the_host_removes_a_person_before_the_start(desk: Desk) -> None:
    assert desk.ask(ANN, Remove(1, "Ben")) == 1
    assert desk.table.seats[1] == EMPTY
    assert table_view(desk.table, BEN).me is None


def test_removing_twice_is_removing_once(desk: Desk) -> None:
    desk.ask(ANN, Remove(1, "Ben"))
    assert desk.ask(ANN, Remove(1, "Ben")) == 0


def test_whoever_was_removed_may_sit_down_again(desk: Desk) -> None:
    desk.ask(ANN, Remove(1, "Ben"))
    desk.ask(BEN, Sit(1, "Ben"))
    seat = desk.table.seats[1]
    assert isinstance(seat, PersonSeat)
    assert (seat.person, seat.name) == (BEN.id, "Ben")


def test_who_sat_down_meanwhile_is_not_removed_instead(desk: Desk) -> None:
    desk.ask(BEN, Leave())
    desk.ask(CAT, Sit(1, "Cat"))
    assert refusal(desk, ANN, Remove(1, "Ben")) == "stale"
    assert refusal(desk, ANN, HandOver(1, "Ben")) == "stale"


@pytest.mark.parametrize(
    ("person", "command", "kind"),
    [
        (BEN, Remove(0, "Ann"), "forbidden"),
        (CAT, Remove(1, "Ben"), "forbidden"),
        (CAT, Remove(2, ""), "forbidden"),
        (ANN, Remove(0, "Ann"), "invalid"),
        (ANN, Remove(2, ""), "invalid"),
        (ANN, Remove(4, "Ben"), "invalid"),
        (ANN, Remove(-1, "Ben"), "invalid"),
        (BEN, HandOver(1, "Ben"), "forbidden"),
        (CAT, HandOver(1, "Ben"), "forbidden"),
        (ANN, HandOver(2, ""), "invalid"),
        (ANN, HandOver(4, "Ben"), "invalid"),
    ],
)
def test_refused_before_the_start(desk: Desk, person: Person, command: Remove | HandOver, kind: str) -> None:
    assert refusal(desk, person, command) == kind


def test_nobody_is_removed_from_a_game_that_has_begun() -> None:
    assert refusal(playing(), ANN, Remove(1, "Ben")) == "started"
    assert refusal(finished("duet"), ANN, Remove(1, "Ben")) == "over"


def test_the_host_hands_the_role_on_and_is_the_host_no_more(desk: Desk) -> None:
    assert desk.ask(ANN, HandOver(1, "Ben")) == 1
    assert desk.table.host == BEN.id
    assert (table_view(desk.table, ANN).is_host, table_view(desk.table, BEN).is_host) == (False, True)
    assert desk.ask(ANN, HandOver(1, "Ben")) == 0
    assert refusal(desk, ANN, Remove(1, "Ben")) == "forbidden"
    with pytest.raises(Refused):
        desk.ask(ANN, Start())
    assert desk.ask(BEN, Remove(0, "Ann")) == 1


def test_the_role_is_handed_on_during_a_game_too_but_not_after_it() -> None:
    desk = playing()
    desk.ask(ANN, HandOver(2, "Cat"))
    assert desk.table.host == CAT.id
    assert refusal(finished("duet"), ANN, HandOver(1, "Ben")) == "over"


def test_a_host_who_does_not_sit_hands_the_role_on(desk: Desk) -> None:
    bare = waiting(seats=("friend",) * 4)
    bare.ask(BEN, Sit(1, "Ben"))
    assert bare.ask(ANN, HandOver(1, "Ben")) == 1
    assert bare.table.host == BEN.id
