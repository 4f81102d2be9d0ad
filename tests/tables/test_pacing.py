"""How long bots take: as the table wishes, less when nobody waits for a choice, and never by what is hidden."""

from __future__ import annotations

import pytest

from overtrick.tables.commands import Start
from overtrick.tables.decide import play
from overtrick.tables.fold import fold_all, replay
from overtrick.tables.making import make, remake
from overtrick.tables.pacing import FORWARD, PACES, least_time, nobody_chooses, still_to_wait
from overtrick.tables.refusals import Refused
from tables.setting import ANN, BEN, CAT, DAN, Desk, SeededEntropy, logged, making, playing, waiting
from tables.worlds import worlds

PEOPLE = (ANN, BEN, CAT, DAN)


@pytest.mark.parametrize("pace", PACES)
def test_a_table_keeps_its_pace(pace: str) -> None:
    desk = playing(pace=pace)
    assert least_time(desk.table, 0.7) == 0.7 * PACES[pace]
    assert replay("next", logged(remake(desk.table, ANN))).pace == pace


def test_a_slower_pace_takes_longer() -> None:
    assert FORWARD < PACES["fast"] < PACES["normal"] == 1 < PACES["unhurried"]


@pytest.mark.parametrize(("taken", "at"), [(0.0, 0.5), (0.3, 0.5), (0.5, 0.5), (0.6, 1.0), (1.2, 1.5)])
def test_a_move_is_made_at_a_whole_multiple_of_the_pace(taken: float, at: float) -> None:
    assert taken + still_to_wait(taken, 0.5) == pytest.approx(at)


def test_without_a_pace_nothing_is_waited_for() -> None:
    assert still_to_wait(0.3, 0.0) == 0


def test_a_pace_that_is_none_is_refused() -> None:
    with pytest.raises(Refused, match="unhurried, normal or fast"):
        make(ANN, making(pace="slow"))


def test_a_table_made_before_there_were_paces_is_of_normal_pace() -> None:
    made, *rest = make(ANN, making())
    row = made.to_row()
    data = {name: value for name, value in row.data.items() if name not in ("pace", "explain")}
    table = replay("t", logged([type(made).from_data(data), *rest]))
    assert (table.pace, table.explain) == ("normal", False)


@pytest.mark.parametrize(
    "seats", [("me", "friend", "friend", "friend"), ("me", "bot:easy", "bot:easy", "bot:easy")]
)
def test_luz_goes_fast_when_no_person_holds_more_than_one_card(seats: tuple[str, ...]) -> None:
    desk = playing("luz") if "friend" in seats else begun(seats)
    while len(desk.table.deals) == 1:
        assert desk.table.position is not None
        public = desk.table.position.view(None).to_json()
        persons = range(4) if "friend" in seats else [0]
        few = all(len(public["hands"][seat]) <= 1 for seat in persons)
        assert nobody_chooses(desk.table) == (few and public["phase"] == "play")
        assert least_time(desk.table, 1.0) == (FORWARD if nobody_chooses(desk.table) else 1.0)
        fast = nobody_chooses(desk.table)
        step(desk)
    assert fast


def test_duet_goes_fast_only_once_the_cards_are_gone() -> None:
    desk = playing("duet")
    for _ in range(300):
        if desk.table.status == "over":
            return
        assert desk.table.position is not None
        public = desk.table.position.view(None).to_json()
        if public["phase"] == "play" or any(public["hand_sizes"]):
            assert not nobody_chooses(desk.table)
        step(desk)


def test_where_only_bots_play_they_keep_their_pace() -> None:
    desk = begun(("bot:easy",) * 4)
    while len(desk.table.deals) == 1:
        assert not nobody_chooses(desk.table)
        step(desk)


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_waiting_tells_nothing_that_is_hidden(game: str) -> None:
    desk = playing(game)
    for _ in range(43):
        step(desk)
        for other in worlds(desk.table, 0, tries=2):
            assert least_time(other, 1.0) == least_time(desk.table, 1.0)


def begun(seats: tuple[str, ...]) -> Desk:
    desk = waiting("luz", seats=seats)
    desk.ask(ANN, Start())
    return desk


def step(desk: Desk) -> None:
    """Let the seat to act make its first legal move, whoever sits there."""

    seat = desk.table.to_act
    assert seat is not None
    desk.table = fold_all(desk.table, logged(play(desk.table, seat, desk.legal()[0], SeededEntropy(2).rng())))
