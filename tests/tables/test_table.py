"""Folding events into tables."""

from __future__ import annotations

import pytest
from msgspec import structs

from overtrick.tables.events import Dealt, Event, Moved, Sat, Started
from overtrick.tables.fold import fold, replay
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.making import make
from tables.setting import ANN, finished, logged, making, playing, waiting


@pytest.mark.parametrize("events", [[Sat(0, "a", "Ann")], [*make(ANN, making()), *make(ANN, making())]])
def test_a_log_begins_with_its_making_and_has_one(events: list[Event]) -> None:
    with pytest.raises(UnknownEvent):
        replay("t", logged(events))


@pytest.mark.parametrize("event", [Dealt({"hands": []}), Moved(0, "bet:1", "bet:1")])
def test_nothing_is_dealt_or_played_before_the_start(event: Event) -> None:
    with pytest.raises(UnknownEvent):
        fold(waiting().table, event, 1)


def test_a_deal_that_was_not_sealed_is_not_shown_as_if_it_were() -> None:
    desk = playing("duet")
    first, second, third = (one.deal for one in desk.table.seals)
    before = structs.replace(desk.table, deals=(), position=desk.table.game.start())  # type: ignore[union-attr]
    assert fold(before, Dealt(first), 1).deals == (first,)
    for deal in (second, third):
        with pytest.raises(UnknownEvent, match="not the next one sealed"):
            fold(before, Dealt(deal), 1)


def test_a_start_with_broken_seals_is_not_understood() -> None:
    table = playing("duet").table
    with pytest.raises(UnknownEvent, match="not sealed as they should be"):
        fold(waiting("duet").table, Started(table.options, table.rules_version, None, [{"deal": {}}]), 1)


def test_a_game_under_other_rules_is_not_shown_as_if_under_these() -> None:
    table = playing("duet").table
    with pytest.raises(UnknownEvent, match="rules 0"):
        fold(waiting("duet").table, Started(table.options, 0), 1)


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_every_event_raises_the_number_by_one(game: str) -> None:
    desk = finished(game)
    people = len(desk.table.seats)
    # made, everybody sat, started, then the deals and moves
    assert desk.table.seq == 1 + people + 1 + len(desk.table.deals) + desk.table.ply


def test_folding_changes_nothing_in_place() -> None:
    table = waiting().table
    before = structs.replace(table)
    fold(table, Sat(1, "b", "Ben"), 1)
    assert table == before
