"""What each command leads to, and what is refused."""

from __future__ import annotations

import pytest
from msgspec import structs

from overtrick.tables.commands import Again, Command, Leave, Move, ProposeEnd, SeatBot, Sit, Start
from overtrick.tables.decide import decide
from overtrick.tables.events import Dealt, Moved
from overtrick.tables.record import record
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import BotSeat, Empty, Person, PersonSeat
from tables.setting import ANN, BEN, CAT, DAN, Desk, SeededEntropy, finished, playing, waiting


def refusal(desk: Desk, person: Person, command: Command) -> str:
    """The kind of refusal; the table is as before."""
    with pytest.raises(Refused) as refused:
        desk.ask(person, command)
    return refused.value.kind


def test_a_friend_takes_an_empty_seat() -> None:
    desk = waiting()
    assert desk.ask(BEN, Sit(1, " Ben ")) == 1
    assert desk.table.seats[1] == PersonSeat(BEN.id, "Ben", link=desk.table.seq, since=desk.table.seq)


def test_sitting_down_twice_is_sitting_down_once() -> None:
    desk = waiting()
    desk.ask(BEN, Sit(1, "Ben"))
    assert desk.ask(BEN, Sit(1, "Ben")) == 0


@pytest.mark.parametrize(
    ("person", "command", "kind"),
    [
        (BEN, Sit(0, "Ben"), "full"),
        (BEN, Sit(2, "Ben"), "full"),
        (BEN, Sit(4, "Ben"), "invalid"),
        (BEN, Sit(-1, "Ben"), "invalid"),
        (BEN, Sit(1, "ANN"), "name"),
        (BEN, Sit(1, ""), "name"),
        (ANN, Sit(1, "Anna"), "forbidden"),
        (ANN, Sit(0, "Anna"), "forbidden"),
        (BEN, Leave(), "forbidden"),
        (BEN, SeatBot(1, "uniform"), "forbidden"),
        (ANN, SeatBot(0, "uniform"), "full"),
        (ANN, SeatBot(9, "uniform"), "invalid"),
        (ANN, SeatBot(1, "stockfish"), "invalid"),
        (ANN, Start(), "not_started"),
        (BEN, Start(), "forbidden"),
        (ANN, Move(0, "bet:1"), "not_started"),
        (ANN, ProposeEnd(0), "not_started"),
        (BEN, Move(0, "bet:1"), "forbidden"),
        (ANN, Again(), "not_started"),
        (BEN, Again(), "forbidden"),
    ],
)
def test_refused_while_the_table_waits(person: Person, command: Command, kind: str) -> None:
    assert refusal(waiting(), person, command) == kind


def test_the_host_places_and_changes_bots() -> None:
    desk = waiting()
    desk.ask(ANN, SeatBot(1, "rules_of_thumb"))
    assert desk.table.seats[1] == BotSeat("rules_of_thumb")
    desk.ask(ANN, SeatBot(1, "uniform"))
    assert desk.ask(ANN, SeatBot(1, "uniform")) == 0
    assert desk.table.seats[1] == BotSeat("uniform")


def test_the_host_takes_a_bot_away() -> None:
    desk = waiting()
    desk.ask(ANN, SeatBot(2, ""))
    assert desk.ask(ANN, SeatBot(2, "")) == 0
    assert desk.table.seats[2] == Empty()


def test_a_guest_who_leaves_frees_the_seat() -> None:
    desk = waiting()
    desk.ask(BEN, Sit(1, "Ben"))
    desk.ask(BEN, Leave())
    assert desk.table.seats[1] == Empty()
    assert desk.table.host == ANN.id


def test_a_host_who_leaves_is_followed_by_the_next_person() -> None:
    desk = waiting()
    desk.ask(BEN, Sit(1, "Ben"))
    desk.ask(ANN, Leave())
    assert desk.table.host == BEN.id


def test_after_a_host_who_leaves_alone_whoever_sits_down_next_is_the_host() -> None:
    desk = waiting()
    desk.ask(ANN, Leave())
    assert refusal(desk, ANN, Start()) == "forbidden"
    desk.ask(BEN, Sit(1, "Ben"))
    assert desk.table.host == BEN.id


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_the_start_draws_a_dealer_and_deals(game: str) -> None:
    table = playing(game).table
    assert table.status == "playing"
    assert table.dealer == table.options["dealer"]
    assert table.dealer in range(len(table.seats))
    assert len(table.deals) == 1


@pytest.mark.parametrize(("game", "whole"), [("luz", 4), ("duet", 3)])
def test_every_deal_is_drawn_and_sealed_at_the_start(game: str, whole: int) -> None:
    desk = playing(game)
    sealed = [one.deal for one in desk.table.seals]
    assert len(sealed) == len({str(deal) for deal in sealed}) == whole
    desk.entropy = SeededEntropy(99)  # what comes later bears on no deal
    desk.play_on(1000, (ANN, BEN, CAT, DAN))
    assert desk.table.status == "over"
    assert list(desk.table.deals) == sealed[: len(desk.table.deals)]
    assert game == "duet" or len(desk.table.deals) == whole


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_game_that_began_before_deals_were_sealed_goes_on_and_has_no_commitments(game: str) -> None:
    desk = playing(game)
    desk.table = structs.replace(desk.table, seals=())
    desk.play_on(1000, (ANN, BEN, CAT, DAN))
    assert desk.table.status == "over"
    assert "seals" not in record(desk.table, made_at=None)["meta"]


def test_a_chosen_dealer_deals() -> None:
    desk = playing("luz", dealer=2)
    assert (desk.table.dealer, desk.table.to_act) == (2, 3)


def test_starting_twice_is_starting_once() -> None:
    assert playing().ask(ANN, Start()) == 0


def test_every_dealer_is_drawn() -> None:
    desk = waiting("duet", seats=("me", "bot:uniform"))
    drawn = set()
    for seed in range(40):
        start = Desk(desk.table, seed)
        start.ask(ANN, Start())
        drawn.add(start.table.dealer)
    assert drawn == {0, 1}


@pytest.mark.parametrize(
    ("person", "command", "kind"),
    [
        (ANN, Leave(), "started"),
        (BEN, Sit(1, "Ben"), "started"),
        (Person("x"), Sit(0, "Eve"), "started"),
        (ANN, SeatBot(1, "uniform"), "started"),
        (Person("x"), Move(0, "bet:1"), "forbidden"),
        (ANN, Move(0, "bet:1"), "not_your_turn"),
        (BEN, Move(0, "bet:11"), "illegal"),
        (BEN, Move(0, "play:#1"), "illegal"),
        (BEN, Move(0, ""), "illegal"),
        (BEN, Move(0, "x" * 10_000), "illegal"),
        (BEN, Move(0, "bet:1\u202e"), "illegal"),
        (BEN, Move(1, "bet:1"), "stale"),
        (BEN, Move(-1, "bet:1"), "stale"),
        (BEN, Move(0, "resign"), "illegal"),
        (ANN, Again(), "started"),
    ],
)
def test_refused_while_the_game_goes_on(person: Person, command: Command, kind: str) -> None:
    assert refusal(playing("luz", dealer=0), person, command) == kind


def test_a_move_goes_into_the_log_in_record_notation() -> None:
    desk = playing("luz", dealer=0)
    for person in (BEN, CAT, DAN, ANN):
        desk.say(person, "bet:1")
    desk.say(BEN, "play:#1")
    moved = desk.table.moves[-1]
    assert moved.said == "play:#1"
    assert moved.move == "play:" + sorted_hand(desk.table.deals[0]["hands"][1])[0]


def sorted_hand(hand: list[str]) -> list[str]:
    return sorted(hand, key=lambda card: ("RYGBP".index(card[0]), int(card[1:])))


def test_a_luz_seat_cannot_ask_for_a_card_by_its_value() -> None:
    desk = playing("luz", dealer=0)
    for person in (BEN, CAT, DAN, ANN):
        desk.say(person, "bet:1")
    sentences = set()
    for suit in "RYGBP":
        for value in range(1, 11):
            with pytest.raises(Refused) as refused:
                desk.say(BEN, f"play:{suit}{value}")
            assert refused.value.kind == "illegal"
            sentences.add(str(refused.value).replace(f"play:{suit}{value}", "CARD"))
    assert len(sentences) == 1


def test_the_same_move_again_does_nothing() -> None:
    desk = playing("luz", dealer=0)
    desk.say(BEN, "bet:1")
    desk.say(CAT, "bet:2")
    assert desk.ask(BEN, Move(0, "bet:1")) == 0
    assert desk.table.ply == 2


def test_another_move_at_a_ply_that_has_passed_is_stale() -> None:
    desk = playing("luz", dealer=0)
    desk.say(BEN, "bet:1")
    assert refusal(desk, BEN, Move(0, "bet:2")) == "stale"
    assert refusal(desk, CAT, Move(0, "bet:1")) == "stale"


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_deal_that_is_due_comes_with_the_move_that_ended_the_last_one(game: str) -> None:
    desk = playing(game)
    people = (ANN, BEN, CAT, DAN)
    while desk.table.status == "playing":
        deals = len(desk.table.deals)
        desk.play_on(1, people, seed=desk.table.ply)
        position = desk.table.position
        assert position is not None
        assert not position.needs_deal
        assert len(desk.table.deals) - deals in (0, 1)


def test_the_events_of_a_deals_last_move_are_the_move_and_the_deal() -> None:
    desk = playing("luz")
    desk.play_on(43, (ANN, BEN, CAT, DAN))
    table = desk.table
    assert table.to_act is not None
    person = (ANN, BEN, CAT, DAN)[table.to_act]
    events = decide(table, person, Move(43, desk.legal()[0]), desk.entropy, now=1)
    assert [type(event) for event in events] == [Moved, Dealt]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (Move(0, "play:D1"), "over"),
        (Move(999, "play:D1"), "over"),
        (ProposeEnd(0), "over"),
        (Start(), "over"),
        (Leave(), "over"),
        (SeatBot(1, "uniform"), "over"),
        (Sit(0, "Ann"), "over"),
    ],
)
def test_refused_once_the_game_is_over(command: Command, kind: str) -> None:
    assert refusal(finished("duet"), ANN, command) == kind


def test_the_last_move_again_does_nothing_though_the_game_is_over() -> None:
    desk = finished("luz")
    last = desk.table.moves[-1]
    person = (ANN, BEN, CAT, DAN)[last.seat]
    assert desk.ask(person, Move(desk.table.ply - 1, last.said)) == 0


def test_again_links_one_next_table() -> None:
    desk = finished("duet")
    assert desk.ask(ANN, Again()) == 1
    linked = desk.table.next_table
    assert linked is not None
    assert desk.ask(BEN, Again()) == 0
    assert desk.table.next_table == linked
    assert refusal(desk, CAT, Again()) == "forbidden"
