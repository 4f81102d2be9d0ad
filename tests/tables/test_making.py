"""Opening tables, and the next table of the same people."""

from __future__ import annotations

from typing import Any

import pytest

from overtrick.tables.fold import replay
from overtrick.tables.making import make, remake
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import BotSeat, Empty, PersonSeat
from tables.setting import ANN, BEN, BOT, finished, logged, making, waiting


def test_the_maker_sits_at_once_and_bots_too() -> None:
    table = waiting().table
    assert table.seats == (
        PersonSeat(ANN.id, "Ann", link=2, since=2),
        Empty(),
        BotSeat("uniform"),
        BotSeat("uniform"),
    )
    assert (table.status, table.host, table.seats.free) == ("waiting", ANN.id, 1)


def test_options_are_filled_in_and_the_dealer_stays_open() -> None:
    table = waiting("duet").table
    assert table.options == {"level": 1, "board": "side-a"}
    assert table.dealer == "random"


def test_a_maker_may_watch_a_table_of_bots() -> None:
    table = waiting("duet", seats=(BOT, BOT), name="").table
    assert table.seats.free == 0


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"token": ""}, "invalid"),
        ({"token": "x" * 101}, "invalid"),
        ({"game": "chess"}, "invalid"),
        ({"options": {"players": 6}}, "invalid"),
        ({"options": {"players": "4"}}, "invalid"),
        ({"options": {"level": 1}}, "invalid"),
        ({"options": {"dealer": 0}}, "invalid"),
        ({"options": {"name": "luz"}}, "invalid"),
        ({"seats": ("me", "friend")}, "invalid"),
        ({"seats": ("me", "me", BOT, BOT)}, "invalid"),
        ({"seats": ("me", "bot:stockfish", BOT, BOT)}, "invalid"),
        ({"seats": ("me", "cat", BOT, BOT)}, "invalid"),
        ({"dealer": 4}, "invalid"),
        ({"dealer": -1}, "invalid"),
        ({"dealer": "north"}, "invalid"),
        ({"dealer": True}, "invalid"),
        ({"name": ""}, "name"),
        ({"name": "\u202eAnn"}, "name"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(changes: dict[str, Any], kind: str) -> None:
    with pytest.raises(Refused) as refused:
        make(ANN, making(**changes))
    assert refused.value.kind == kind
    assert len(str(refused.value)) < 200


def test_the_next_table_seats_the_same_people() -> None:
    old = finished("duet", public=True, show_played=True).table
    new = replay("t2", logged(remake(old, BEN)))
    assert new.seats == old.seats
    assert (new.host, new.public, new.show_played) == (BEN.id, True, True)
    assert new.options == {"level": 1, "board": "side-a"}


def test_a_drawn_dealer_is_drawn_again_and_a_chosen_one_hands_on() -> None:
    assert replay("t2", logged(remake(finished("duet").table, ANN))).dealer == "random"
    assert replay("t2", logged(remake(finished("luz", dealer=3).table, ANN))).dealer == 0
