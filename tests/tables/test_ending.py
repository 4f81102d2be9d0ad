"""Ending a running game early: two steps, everybody's consent, and never by accident."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from overtrick.games import Record
from overtrick.seals import verify
from overtrick.tables import House
from overtrick.tables.commands import (
    AgreeEnd,
    ComeBack,
    Command,
    DeclineEnd,
    Move,
    ProposeEnd,
    Start,
    StepOut,
)
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import LONG_AWAY, Person, PersonSeat
from overtrick.tables.tableview import EndingView
from tables.setting import ANN, BEN, BOT, CAT, DAN, Desk, finished, making, playing, waiting

PEOPLE = (ANN, BEN, CAT, DAN)
EVE = Person("e" * 64)


def refusal(desk: Desk, person: Person, command: Command) -> str:
    before = desk.table
    with pytest.raises(Refused) as refused:
        desk.ask(person, command)
    assert desk.table == before
    return refused.value.kind


def alone(game: str = "luz") -> Desk:
    """Ann and bots, begun."""
    desk = waiting(game, seats=("me", *(BOT,) * (3 if game == "luz" else 1)))
    desk.ask(ANN, Start())
    return desk


@pytest.mark.parametrize(("person", "partner"), [(ANN, BEN), (BEN, ANN)])
@pytest.mark.parametrize("plies", [0, 1, 9])
def test_a_duet_is_given_up_when_one_proposes_and_the_other_agrees(
    person: Person, partner: Person, plies: int
) -> None:
    desk = playing("duet")
    desk.play_on(plies, PEOPLE)
    desk.ask(person, ProposeEnd(0))
    assert desk.table.status == "playing"
    desk.ask(partner, AgreeEnd(1))
    assert (desk.table.status, desk.table.moves[-1].move) == ("over", "resign")
    outcome = desk.table.position.outcome()  # type: ignore[union-attr]
    assert outcome is not None
    assert outcome.to_json()["reason"] == "given up"
    assert table_view(desk.table, ANN).cut_short is False


def test_luz_ends_when_all_others_have_agreed_and_has_no_winner() -> None:
    desk = playing("luz")
    desk.play_on(30, PEOPLE)
    desk.ask(CAT, ProposeEnd(0))
    for person in (ANN, DAN):
        desk.ask(person, AgreeEnd(1))
        assert desk.table.status == "playing"
    assert desk.ask(BEN, AgreeEnd(1)) == 2
    view = table_view(desk.table, ANN)
    assert (view.status, view.cut_short, view.ending) == ("over", True, None)
    assert view.view is not None
    assert (view.view.to_act, view.view.legal, view.view.to_json()["result"]) == (None, (), None)
    assert desk.table.to_act is None
    assert refusal(desk, ANN, Move(desk.table.ply, "play:#1")) in {"over", "not_your_turn"}


def test_a_game_cut_short_has_a_record_up_to_there_that_says_so_and_all_its_sealed_deals() -> None:
    desk = playing("luz")
    desk.play_on(60, PEOPLE)
    ply, begun = desk.table.ply, len(desk.table.deals)
    desk.ask(ANN, ProposeEnd(0))
    for person in (BEN, CAT, DAN):
        with pytest.raises(Refused):
            record(desk.table, made_at=None)
        desk.ask(person, AgreeEnd(1))
    found = json.loads(json.dumps(record(desk.table, made_at=None)))
    assert (len(found["moves"]), len(found["deals"])) == (ply, begun)
    assert begun < 4
    assert found["meta"]["ended"] == "by agreement"
    replayed = Record.of(found).replay()
    assert (replayed.error, replayed.played, replayed.position.over) == (None, ply, False)
    assert len(verify("luz", found["deals"], found["meta"]["seals"], whole=4)) == 4


def hands(desk: Desk, person: Person | None) -> Any:
    view = table_view(desk.table, person).view
    assert view is not None
    return view.to_json()["hands"]


def test_every_hand_is_turned_over_once_a_game_is_cut_short_and_not_before() -> None:
    desk = playing("luz")
    desk.play_on(10, PEOPLE)
    assert desk.table.position is not None
    dealt = desk.table.position.state()["hands"]
    desk.ask(ANN, ProposeEnd(0))
    for number, person in enumerate((BEN, CAT, DAN), start=1):
        assert not any("card" in slot for slot in hands(desk, person)[number])
        assert not any("card" in slot for hand in hands(desk, None) for slot in hand)
        desk.ask(person, AgreeEnd(1))
    for viewer in (*PEOPLE, None):
        assert [[slot["card"] for slot in hand] for hand in hands(desk, viewer)] == dealt


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_nobody_ends_a_game_alone_by_a_move(game: str) -> None:
    desk = playing(game)
    for person in PEOPLE[: len(desk.table.seats)]:
        assert refusal(desk, person, Move(0, "resign")) == "illegal"


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_alone_with_bots_it_takes_a_second_different_step(game: str) -> None:
    desk = alone(game)
    assert desk.ask(ANN, ProposeEnd(0)) == 1
    for _ in range(10):
        assert desk.ask(ANN, ProposeEnd(0)) == 0
    assert desk.table.status == "playing"
    assert refusal(desk, ANN, AgreeEnd(0)) == "stale"
    assert desk.ask(ANN, AgreeEnd(1)) == 1
    assert desk.table.status == "over"


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_alone_with_bots_one_may_think_better_of_it_and_propose_again(game: str) -> None:
    desk = alone(game)
    for number in range(3):
        desk.ask(ANN, ProposeEnd(number))
        desk.ask(ANN, DeclineEnd(number + 1))
    assert desk.table.status == "playing"
    assert refusal(desk, ANN, AgreeEnd(3)) == "stale"


def test_whoever_proposes_cannot_agree_for_the_others() -> None:
    desk = playing("luz")
    desk.ask(ANN, ProposeEnd(0))
    for _ in range(5):
        assert desk.ask(ANN, AgreeEnd(1)) == 0
        desk.ask(BEN, AgreeEnd(1))
    assert desk.table.status == "playing"
    assert table_view(desk.table, None).ending == EndingView(
        proposals=1, seat=0, agreed=(1,), awaited=(2, 3), asked=(0, 1, 2, 3), may_propose=False
    )


def test_one_who_wants_to_play_on_is_enough_and_the_proposer_waits_for_the_next_deal() -> None:
    desk = playing("luz")
    desk.ask(ANN, ProposeEnd(0))
    desk.ask(BEN, AgreeEnd(1))
    assert desk.ask(CAT, DeclineEnd(1)) == 1
    assert desk.ask(CAT, DeclineEnd(1)) == desk.ask(DAN, DeclineEnd(1)) == 0
    assert refusal(desk, DAN, AgreeEnd(1)) == "stale"
    assert refusal(desk, ANN, ProposeEnd(1)) == "declined"
    assert [table_view(desk.table, person).ending.may_propose for person in (*PEOPLE, None)] == [  # type: ignore[union-attr]
        False, True, True, True, False,
    ]  # fmt: skip
    assert desk.ask(ANN, ProposeEnd(0)) == 0  # the first one, come late a second time
    desk.ask(BEN, ProposeEnd(1))
    desk.ask(ANN, DeclineEnd(2))
    while len(desk.table.deals) < 2:
        desk.play_on(1, PEOPLE)
    assert desk.ask(ANN, ProposeEnd(2)) == 1


def test_a_proposal_taken_back_where_others_were_asked_counts_as_declined() -> None:
    desk = playing("duet")
    desk.ask(ANN, ProposeEnd(0))
    desk.ask(ANN, DeclineEnd(1))
    assert refusal(desk, BEN, AgreeEnd(1)) == "stale"
    assert refusal(desk, ANN, ProposeEnd(1)) == "declined"


def test_a_proposal_stays_while_others_play() -> None:
    desk = playing("duet")
    desk.ask(ANN, ProposeEnd(0))
    desk.play_on(7, PEOPLE)
    desk.ask(BEN, AgreeEnd(1))
    assert desk.table.status == "over"


def test_an_answer_to_an_older_proposal_is_no_answer_to_the_new_one() -> None:
    desk = playing("duet")
    desk.ask(ANN, ProposeEnd(0))
    desk.ask(BEN, DeclineEnd(1))
    desk.ask(BEN, ProposeEnd(1))
    assert refusal(desk, ANN, AgreeEnd(1)) == "stale"
    assert refusal(desk, ANN, DeclineEnd(1)) == "stale"
    assert desk.table.status == "playing"


@pytest.mark.parametrize("command", [ProposeEnd(0), AgreeEnd(1), DeclineEnd(1)])
def test_only_those_who_sit_there_have_a_say(command: Command) -> None:
    desk = playing("duet")
    if not isinstance(command, ProposeEnd):
        desk.ask(ANN, ProposeEnd(0))
    assert refusal(desk, EVE, command) == "forbidden"
    assert refusal(waiting("duet"), ANN, command) == "not_started"
    assert refusal(finished("duet"), ANN, command) == "over"


def test_two_who_propose_at_once_are_told_to_look_again() -> None:
    desk = playing("duet")
    desk.ask(ANN, ProposeEnd(0))
    assert refusal(desk, BEN, ProposeEnd(0)) == "stale"
    assert refusal(desk, BEN, ProposeEnd(1)) == "stale"


def test_agreeing_again_to_what_has_ended_the_game_does_nothing() -> None:
    for game in ("luz", "duet"):
        desk = playing(game)
        desk.ask(ANN, ProposeEnd(0))
        for person in PEOPLE[1 : len(desk.table.seats)]:
            desk.ask(person, AgreeEnd(1))
        assert desk.table.status == "over"
        assert desk.ask(BEN, AgreeEnd(1)) == 0


def test_who_lets_a_bot_play_is_not_asked_and_asks_nobody_until_back() -> None:
    desk = playing("luz")
    desk.ask(ANN, StepOut())
    assert refusal(desk, ANN, ProposeEnd(0)) != ""
    desk.ask(BEN, ProposeEnd(0))
    assert refusal(desk, ANN, AgreeEnd(1)) != ""
    desk.ask(CAT, AgreeEnd(1))
    desk.ask(DAN, StepOut())
    assert desk.table.status == "playing"
    assert table_view(desk.table, BEN).ending.awaited == ()  # type: ignore[union-attr]
    desk.ask(ANN, ComeBack())
    assert desk.ask(BEN, AgreeEnd(1)) == 0
    desk.ask(ANN, AgreeEnd(1))
    assert desk.table.status == "over"


def away(game: str) -> Desk:
    """A bot sits in for Ben, who did not ask for it and keeps the others waiting."""
    desk = playing(game, timing={"away": 60}, dealer=0)
    while desk.table.to_act != 1:
        desk.play_on(1, PEOPLE)
    desk.wait(60)
    assert desk.table.bot_to_act is not None
    return desk


def bot_plays(desk: Desk, moves: int) -> None:
    """Let play go on till the bot that sits in for Ben has made so many moves more."""
    seat = desk.table.seats[1]
    assert isinstance(seat, PersonSeat)
    enough = seat.helped + moves
    while seat.helped < enough:
        if desk.table.bot_to_act is None:
            desk.play_on(1, PEOPLE)
        else:
            desk.bot_moves(desk.legal()[0])
        seat = desk.table.seats[1]
        assert isinstance(seat, PersonSeat)


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_nobody_ends_the_game_behind_the_back_of_somebody_who_is_briefly_away(game: str) -> None:
    desk = away(game)
    others = (CAT, DAN) if game == "luz" else ()
    desk.ask(ANN, ProposeEnd(0))
    for person in others:
        desk.ask(person, AgreeEnd(1))
    assert desk.ask(ANN, AgreeEnd(1)) == 0
    assert table_view(desk.table, ANN).ending.awaited == (1,)  # type: ignore[union-attr]
    assert refusal(desk, BEN, AgreeEnd(1)) == "not_your_turn"
    desk.ask(BEN, ComeBack())
    assert desk.ask(BEN, DeclineEnd(1)) == 1
    assert desk.table.status == "playing"


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_who_is_long_away_does_not_hold_the_others(game: str) -> None:
    desk = away(game)
    desk.ask(ANN, ProposeEnd(0))
    for person in (CAT, DAN) if game == "luz" else ():
        desk.ask(person, AgreeEnd(1))
    bot_plays(desk, LONG_AWAY - 1)
    assert desk.ask(ANN, AgreeEnd(1)) == 0
    bot_plays(desk, 1)
    assert table_view(desk.table, ANN).ending.awaited == ()  # type: ignore[union-attr]
    assert desk.ask(ANN, AgreeEnd(1)) == 1
    assert desk.table.status == "over"


def test_a_proposal_alone_with_somebody_briefly_away_counts_as_one_that_others_were_asked() -> None:
    desk = away("duet")
    desk.ask(ANN, ProposeEnd(0))
    desk.ask(ANN, DeclineEnd(1))
    assert refusal(desk, ANN, ProposeEnd(1)) == "declined"


def test_who_cannot_come_back_is_not_asked() -> None:
    desk = playing("luz", timing={"kind": "bank", "seconds": 60}, dealer=0)
    late = desk.table.to_act
    desk.wait(60)
    assert late not in table_view(desk.table, ANN).ending.asked  # type: ignore[union-attr]


@pytest.mark.anyio
@pytest.mark.parametrize("game", ["luz", "duet"])
async def test_ten_copies_of_each_step_at_once_are_one_step(house: House, game: str) -> None:
    table_id = await house.make(ANN, making(game, seats=("me", *(BOT,) * (3 if game == "luz" else 1))))
    await house.act(table_id, ANN, Start())

    async def ten(command: Command) -> None:
        await asyncio.gather(*(house.act(table_id, ANN, command) for _ in range(10)))

    await ten(ProposeEnd(0))
    view = await house.look(table_id, ANN)
    assert view.status == "playing"
    assert view.ending is not None
    assert (view.ending.proposals, view.ending.seat) == (1, 0)
    await ten(AgreeEnd(1))
    view = await house.look(table_id, ANN)
    assert view.status == "over"
    assert (await house.record(table_id, ANN))["moves"].count("resign") == (game == "duet")
