"""What a viewer gets, and what no viewer gets before the end."""

from __future__ import annotations

import json

import pytest

from overtrick.seals import Seal, commitment
from overtrick.tables.commands import Move
from overtrick.tables.decide import decide
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from overtrick.tables.tableview import OPEN, OWN, UNSENT, MessageView, SeatView, TableView
from tables.setting import ANN, BEN, CAT, DAN, SeededEntropy, finished, playing, waiting
from tables.worlds import worlds

PEOPLE = (ANN, BEN, CAT, DAN)
EVE = Person("e" * 64)


def shown(table: Table, person: Person | None) -> str:
    return json.dumps(table_view(table, person).to_json())


def test_the_fields_that_leave_are_these() -> None:
    assert set(TableView.__struct_fields__) == {
        "id", "seq", "status", "game", "options", "public", "show_played", "dealer", "seats", "me", "is_host",
        "view", "ply", "next_table", "rules_version", "pace", "explain", "said", "told",
        "bots_preparing", "timing", "time", "meanwhile", "swapped", "shut_out", "commitments", "ending", "cut_short",
        "watching", "talk", "chat", "may_talk", "proposals", "result", "common",
    }  # fmt: skip
    assert set(SeatView.__struct_fields__) == {
        "seat", "kind", "name", "bot", "is_me", "is_host", "stand_in", "helped", "flagged",
    }  # fmt: skip
    assert set(MessageView.__struct_fields__) == {"number", "seat", "name", "text"}


@pytest.mark.parametrize("person", [*PEOPLE, EVE, None])
def test_what_is_sent_is_what_is_open_and_what_is_ones_own(person: Person | None) -> None:
    view = table_view(playing().table, person)
    assert set(view.to_json()) == {*OPEN, *OWN, "view"}
    assert {*OPEN, *OWN, *UNSENT, "view"} == set(TableView.__struct_fields__)
    assert view.common is not None
    # What is made once for all holds no game and nobody's place.
    assert (view.common.view, view.common.me, view.common.seats, view.common.chat) == (None, None, (), ())


def test_a_waiting_table_has_no_view() -> None:
    view = table_view(waiting().table, ANN)
    assert (view.status, view.view, view.me, view.is_host) == ("waiting", None, 0, True)
    assert [seat.kind for seat in view.seats] == ["person", "empty", "bot", "bot"]
    assert view.seats[0] == SeatView(0, "person", "Ann", None, is_me=True, is_host=True)


@pytest.mark.parametrize("person", [None, EVE])
def test_who_does_not_sit_sees_what_the_public_sees(person: Person | None) -> None:
    view = table_view(playing().table, person)
    assert (view.me, view.is_host) == (None, False)
    assert view.view is not None
    assert view.view.seat is None


@pytest.mark.parametrize("person", PEOPLE)
def test_each_person_sees_from_their_own_seat(person: Person) -> None:
    view = table_view(playing().table, person)
    assert view.view is not None
    assert view.view.seat == view.me == PEOPLE.index(person)


@pytest.mark.parametrize("game", ["luz", "duet"])
@pytest.mark.parametrize("viewer", [ANN, EVE, None])
def test_no_persons_id_leaves(game: str, viewer: Person | None) -> None:
    text = shown(finished(game).table, viewer)
    assert not any(person.id in text for person in (*PEOPLE, EVE))


MOMENTS = [
    *(("luz", plies) for plies in (0, 1, 5, 20, 45, 60)),
    *(("duet", plies) for plies in (0, 1, 5, 20, 45)),
]


@pytest.mark.parametrize(("game", "plies"), MOMENTS)
def test_dealing_anew_what_a_viewer_may_not_know_changes_nothing_for_them(game: str, plies: int) -> None:
    desk = playing(game)
    desk.play_on(plies, PEOPLE, seed=plies)
    for seat in (None, *range(len(desk.table.seats))):
        viewer = None if seat is None else PEOPLE[seat]
        others = worlds(desk.table, seat, tries=10)
        assert others
        assert {shown(other, viewer) for other in others} == {shown(desk.table, viewer)}


@pytest.mark.parametrize(("game", "plies"), MOMENTS)
def test_a_refusal_says_the_same_whatever_is_hidden(game: str, plies: int) -> None:
    desk = playing(game)
    desk.play_on(plies, PEOPLE, seed=plies)
    seat = desk.table.to_act
    assert seat is not None
    true, *others = (answers(table, seat) for table in (desk.table, *worlds(desk.table, seat, tries=5)))
    assert others
    assert all(other == true for other in others)


def answers(table: Table, seat: int) -> list[str]:
    """What the table says to every move that somebody may think of; a legal one is answered with "yes"."""
    said = []
    cards = [f"{suit}{value}" for suit in "RYGBPDS" for value in range(1, 13)]
    moves = [f"play:{card}" for card in cards] + [f"play:#{place}" for place in range(12)]
    for move in [*moves, *(f"gift:{card}" for card in cards), "bet:3", "foxes:self", "decree:keep", "move:0"]:
        try:
            decide(table, PEOPLE[seat], Move(table.ply, move), SeededEntropy(1), now=1)
            said.append("yes")
        except Refused as refused:
            said.append(str(refused))
    return said


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_commitments_show_from_the_start_and_what_they_hide_does_not_leave_before_the_end(game: str) -> None:
    assert table_view(waiting(game).table, ANN).commitments == ()
    desk = playing(game)
    shown_at_start = table_view(desk.table, ANN).commitments
    assert shown_at_start == tuple(
        commitment(game, number, one.deal, one.nonce) for number, one in enumerate(desk.table.seals, start=1)
    )
    assert len(shown_at_start) == {"luz": 4, "duet": 3}[game]
    while desk.table.status == "playing":
        for viewer in (*PEOPLE, EVE, None):
            text, view = shown(desk.table, viewer), table_view(desk.table, viewer)
            assert view.commitments == shown_at_start
            assert not any(one.nonce in text for one in desk.table.seals)
            assert not any(
                json.dumps(hand) in text for one in coming(desk.table) for hand in one.deal["hands"]
            )
        with pytest.raises(Refused):
            record(desk.table, made_at=None)
        desk.play_on(7, PEOPLE)
    seals = record(desk.table, made_at=None)["meta"]["seals"]
    assert [one["commitment"] for one in seals] == list(shown_at_start)
    assert [one["deal"] for one in seals][: len(desk.table.deals)] == list(desk.table.deals)


def coming(table: Table) -> tuple[Seal, ...]:
    """The deals that were sealed and have not begun."""
    return table.seals[len(table.deals) :]


def test_there_are_other_worlds_to_tell_apart() -> None:
    desk = playing("luz")
    desk.play_on(6, PEOPLE)
    other = worlds(desk.table, 0, tries=10)[0]
    assert shown(other, BEN) != shown(desk.table, BEN)
