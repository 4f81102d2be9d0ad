"""What people do beside their moves has a bound, which normal use never meets and by which nothing is locked."""

from __future__ import annotations

import pytest

from overtrick.tables.acts import BETWEEN_MOVES, FOR_THE_END, IN_A_ROUND, WAITING, Bound
from overtrick.tables.commands import (
    AgreeEnd,
    ComeBack,
    Command,
    DeclineEnd,
    HandOver,
    Leave,
    Pause,
    ProposeEnd,
    Relink,
    Remove,
    Resume,
    SeatBot,
    Sit,
    Start,
    StepOut,
)
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import STAND_IN, Person, bot_of
from tables.setting import ANN, BEN, CAT, DAN, Desk, playing, waiting

PEOPLE = (ANN, BEN, CAT, DAN)
TIMED = {"timing": {"kind": "bank", "seconds": 3600}}
MINUTE = 60


def again_and_again(desk: Desk, *acts: tuple[Person, Command], limit: int = 200) -> int:
    """Do these in turn till one is refused as too often; return how many of `limit` were done."""
    for done in range(limit):
        try:
            assert desk.ask(*acts[done % len(acts)])
        except Refused as refused:
            if refused.kind != "too_often":
                raise
            return done
    return limit


@pytest.mark.parametrize(("game", "bound"), [("luz", BETWEEN_MOVES), ("duet", IN_A_ROUND)])
@pytest.mark.parametrize("commands", [(StepOut(), ComeBack()), (Pause(), Resume()), (Relink(),)])
def test_nobody_fills_the_log_between_two_moves(
    game: str, bound: Bound, commands: tuple[Command, ...]
) -> None:
    desk = playing(game, **TIMED)
    assert again_and_again(desk, *((BEN, command) for command in commands)) == bound.most


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_who_is_refused_may_again_after_the_time_that_the_refusal_tells(game: str) -> None:
    desk = playing(game, **TIMED)
    again_and_again(desk, (BEN, Relink()))
    with pytest.raises(Refused) as refused:
        desk.ask(BEN, Relink())
    desk.now += refused.value.wait - 1
    with pytest.raises(Refused) as again:
        desk.ask(BEN, Relink())
    assert again.value.wait == 1
    desk.now += 1
    assert desk.ask(BEN, Relink()) == 1


def test_a_proposal_taken_back_again_and_again_has_a_bound_too() -> None:
    desk = waiting("luz", seats=("me", "bot:uniform", "bot:uniform", "bot:uniform"), dealer=3)
    desk.ask(ANN, Start())
    number = 0
    while again_and_again(desk, (ANN, ProposeEnd(number)), (ANN, DeclineEnd(number + 1)), limit=2) == 2:
        number += 1
    assert 2 * number == BETWEEN_MOVES.most + FOR_THE_END


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_move_of_anybody_gives_everybody_all_of_it_again(game: str) -> None:
    desk = playing(game, **TIMED)
    again_and_again(desk, (BEN, StepOut()), (BEN, ComeBack()))
    first = again_and_again(desk, (ANN, Pause()), (ANN, Resume()))
    desk.play_on(1, PEOPLE)
    assert again_and_again(desk, (ANN, Pause()), (ANN, Resume())) == first
    assert desk.ask(BEN, StepOut()) == 1


def test_normal_use_never_meets_the_bound() -> None:
    desk = playing("duet", **TIMED)
    for commands in (
        (StepOut(), ComeBack()),
        (StepOut(), ComeBack()),
        (Pause(), Resume()),
        (Pause(), Resume()),
    ):
        for command in commands:
            assert desk.ask(BEN, command) == 1
    desk = playing("luz", **TIMED)
    for _ in range(4):
        for command in (StepOut(), ComeBack(), Pause(), Resume()):
            assert desk.ask(BEN, command) == 1
    assert desk.ask(BEN, Relink()) == 1


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_each_seat_has_its_own_share(game: str) -> None:
    desk = playing(game, **TIMED)
    again_and_again(desk, (BEN, StepOut()), (BEN, ComeBack()))
    assert desk.ask(ANN, StepOut()) == 1
    assert desk.ask(ANN, ComeBack()) == 1


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_whoever_has_had_enough_can_still_come_back_go_on_propose_and_agree(game: str) -> None:
    desk = playing(game, **TIMED)
    again_and_again(desk, (BEN, Relink()))
    assert desk.ask(BEN, ProposeEnd(0)) == 1
    assert desk.ask(BEN, DeclineEnd(1)) == 1
    again_and_again(desk, (ANN, StepOut()), (ANN, ComeBack()))
    others = PEOPLE[2:4] if game == "luz" else ()
    assert desk.ask(ANN, ProposeEnd(1)) == 1
    for person in (BEN, *others):
        assert desk.ask(person, AgreeEnd(2)) >= 1
    assert desk.table.status == "over"


def test_who_stepped_out_with_the_last_act_takes_the_seat_back() -> None:
    desk = playing("luz", **TIMED)
    for _ in range(BETWEEN_MOVES.most - 1):
        desk.ask(BEN, Relink())
    desk.ask(BEN, StepOut())
    assert desk.ask(BEN, ComeBack()) == 1
    desk = playing("luz", **TIMED)
    for person in PEOPLE:
        for _ in range(BETWEEN_MOVES.most - 1):
            desk.ask(person, Relink())
        desk.ask(person, Pause())
    assert desk.table.paused
    assert desk.ask(BEN, Resume()) == 1


def test_a_refused_act_changes_nothing_and_a_repeat_is_no_act() -> None:
    desk = playing("luz", **TIMED)
    again_and_again(desk, (BEN, Relink()))
    before = desk.table
    with pytest.raises(Refused, match="after the next move"):
        desk.ask(BEN, StepOut())
    assert desk.table == before
    assert desk.ask(BEN, ComeBack()) == 0, "already as asked, and no refusal"


def test_acts_come_back_with_time() -> None:
    desk = playing("luz")
    again_and_again(desk, (BEN, Relink()))
    desk.wait(9 * MINUTE)
    with pytest.raises(Refused):
        desk.ask(BEN, Relink())
    desk.wait(1 * MINUTE)
    assert desk.ask(BEN, Relink()) == 1
    with pytest.raises(Refused):
        desk.ask(BEN, Relink())
    desk.wait(24 * 60 * MINUTE)
    assert again_and_again(desk, (BEN, Relink())) == BETWEEN_MOVES.most


def test_partners_get_nothing_back_while_they_wait_for_a_move() -> None:
    desk = playing("duet")
    again_and_again(desk, (BEN, StepOut()), (BEN, ComeBack()))
    desk.wait(120 * MINUTE)
    with pytest.raises(Refused):
        desk.ask(BEN, StepOut())


def test_a_bot_that_sits_in_for_somebody_away_is_no_act_of_theirs() -> None:
    desk = playing("luz", timing={"away": 60}, dealer=0)
    desk.wait(60)
    assert [bot_of(seat) for seat in desk.table.seats].count(STAND_IN) == 1
    assert desk.table.acts == ()


def test_a_seat_before_the_start_has_a_bound_and_its_table_can_still_start() -> None:
    desk = waiting("luz", seats=("me", "friend", "bot:uniform", "bot:uniform"))
    most = WAITING.most
    assert again_and_again(desk, (BEN, Sit(1, "Ben")), (BEN, Leave())) == most
    assert again_and_again(desk, (ANN, SeatBot(2, "easy")), (ANN, SeatBot(2, "medium"))) == most - 1
    desk.wait(MINUTE)
    assert desk.ask(BEN, Sit(1, "Ben")) == 1
    assert desk.ask(ANN, Start()) == 2
    assert desk.table.acts == ()


def test_a_seat_that_has_seen_too_much_can_be_freed_and_left() -> None:
    desk = waiting("luz", seats=("me", "friend", "bot:uniform", "bot:uniform"))
    for _ in range(WAITING.most // 2 - 1):
        desk.ask(BEN, Sit(1, "Ben"))
        desk.ask(BEN, Leave())
    desk.ask(BEN, Sit(1, "Ben"))
    desk.ask(BEN, Relink())
    with pytest.raises(Refused, match="in a few minutes"):
        desk.ask(BEN, Relink())
    assert desk.ask(ANN, Remove(1, "Ben")) == 1
    with pytest.raises(Refused, match="in a few minutes"):
        desk.ask(BEN, Sit(1, "Ben"))
    assert desk.ask(ANN, Leave()) == 2


def test_the_hosts_role_goes_round_so_often_only() -> None:
    desk = playing("luz")
    most = again_and_again(desk, (ANN, HandOver(1, "Ben")), (BEN, HandOver(0, "Ann")))
    assert most == BETWEEN_MOVES.most
    assert desk.ask(CAT, StepOut()) == 1, "it is nobody's seat that did it"


def test_a_link_is_not_renewed_without_end_after_the_game() -> None:
    desk = playing("duet")
    desk.ask(ANN, ProposeEnd(0))
    desk.ask(BEN, AgreeEnd(1))
    assert desk.table.status == "over"
    assert again_and_again(desk, (BEN, Relink())) == BETWEEN_MOVES.most
