"""When people may write to each other, how much, and what a proposal is."""

from __future__ import annotations

import pytest

from overtrick.tables.chat import KEPT, MINUTE, PER_MINUTE
from overtrick.tables.commands import Command, Leave, Move, Propose, Say, Sit
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from overtrick.tables.tableview import MessageView
from tables.setting import ANN, BEN, CAT, DAN, Desk, finished, playing, waiting

EVE = Person("e" * 64)
PEOPLE = (ANN, BEN, CAT, DAN)


def refusal(desk: Desk, person: Person, command: Command) -> Refused:
    before = desk.table
    with pytest.raises(Refused) as refused:
        desk.ask(person, command)
    assert desk.table == before
    return refused.value


def texts(table: Table, person: Person | None = ANN) -> list[str]:
    return [message.text for message in table_view(table, person).chat]


def between_rounds(**changes: object) -> Desk:
    """A game of Duet whose forest token waits for its end to be chosen."""
    for seed in range(30):
        desk = playing("duet", **changes)
        for ply in range(200):
            if desk.table.status == "over":
                break
            if desk.legal()[0].startswith("forest"):
                return desk
            desk.play_on(1, PEOPLE, seed=seed * 1000 + ply)
    raise AssertionError("no round ended with a token left")


def test_a_message_is_shown_to_all_under_its_writers_name() -> None:
    desk = playing("luz")
    assert desk.ask(BEN, Say("t", "  Well\nplayed ")) == 1
    for person in (*PEOPLE, EVE, None):
        (message,) = table_view(desk.table, person).chat
        assert message == MessageView(1, 1, "Ben", "Well played")


def test_a_message_moves_the_table_on_but_not_the_game() -> None:
    desk = playing("luz", dealer=0)
    before = desk.table
    desk.ask(ANN, Say("t", "Hello"))
    assert (desk.table.seq, desk.table.ply) == (before.seq + 1, before.ply)
    assert desk.ask(BEN, Move(before.ply, "bet:1")) == 1


def test_the_same_request_says_it_once() -> None:
    desk = playing("luz")
    assert [desk.ask(ANN, Say("t", "Hello")) for _ in range(10)] == [1] + [0] * 9
    assert desk.ask(BEN, Say("t", "Hello")) == 1, "another person's token is another one"
    assert desk.ask(ANN, Say("t", "Bye")) == 1, "two tabs at the same look write two things"
    assert desk.ask(ANN, Say("u", "Hello")) == 1
    assert texts(desk.table) == ["Hello", "Hello", "Bye", "Hello"]


@pytest.mark.parametrize("token", ["", "t" * 101])
def test_a_message_needs_a_token(token: str) -> None:
    assert refusal(waiting(), ANN, Say(token, "Hello")).kind == "invalid"


@pytest.mark.parametrize("person", [BEN, EVE])
def test_only_who_sits_may_write(person: Person) -> None:
    assert refusal(waiting(), person, Say("t", "Hello")).kind == "forbidden"
    assert not table_view(waiting().table, person).may_talk
    assert table_view(waiting().table, ANN).may_talk


def test_words_stay_with_their_writer_who_has_left_the_seat_to_another() -> None:
    desk = waiting()
    desk.ask(BEN, Sit(1, "Ben"))
    desk.ask(BEN, Say("t", "Bye"))
    desk.ask(BEN, Leave())
    desk.ask(CAT, Sit(1, "Cat"))
    assert [(message.name, message.text) for message in table_view(desk.table, CAT).chat] == [("Ben", "Bye")]
    assert desk.ask(CAT, Say("t", "Bye")) == 1


def test_a_person_writes_so_many_messages_a_minute() -> None:
    desk = playing("luz")
    for number in range(PER_MINUTE):
        desk.ask(ANN, Say(str(number), "Hello"))
    refused = refusal(desk, ANN, Say("more", "Hello"))
    assert (refused.kind, refused.wait) == ("too_often", MINUTE - (desk.now - desk.table.chat[0].at))
    assert desk.ask(ANN, Say("0", "Hello")) == 0, "a repeat is answered all the same"
    assert desk.ask(BEN, Say("t", "Hello")) == 1
    desk.now += MINUTE
    assert desk.ask(ANN, Say("more", "Hello")) == 1


def test_the_last_hundred_messages_are_kept() -> None:
    desk = playing("luz")
    for number in range(KEPT + 5):
        desk.now += MINUTE
        desk.ask(ANN, Say("t", f"Number {number}"))
    chat = table_view(desk.table, BEN).chat
    assert [message.number for message in chat] == list(range(6, KEPT + 6))
    assert chat[-1].text == f"Number {KEPT + 4}"


def write(desk: Desk, person: Person, most: int = 50) -> int:
    """Write until it is refused as too often; return how many messages were taken."""
    for number in range(most):
        try:
            desk.ask(person, Say(f"{desk.table.seq}", f"Number {number}"))
        except Refused as refused:
            if refused.kind != "too_often":
                raise
            return number
    return most


def test_nobody_gets_more_messages_by_sitting_down_anew() -> None:
    desk = waiting("luz", seats=("me", "friend", "friend", "friend"))
    for seat, taken in ((1, PER_MINUTE), (2, 0), (1, 0), (3, 0)):
        desk.ask(BEN, Sit(seat, "Ben"))
        assert write(desk, BEN) == taken
        desk.ask(BEN, Leave())
    desk.ask(EVE, Sit(2, "Eve"))
    assert write(desk, EVE) == 0, "nor by a second browser"
    desk.now += MINUTE
    assert write(desk, EVE) == PER_MINUTE


def test_who_sat_before_writes_on_whatever_others_wrote_and_left() -> None:
    desk = waiting("luz", seats=("me", "friend", "friend", "friend"))
    desk.ask(CAT, Sit(2, "Cat"))
    desk.ask(BEN, Sit(1, "Ben"))
    write(desk, BEN)
    desk.ask(DAN, Sit(3, "Dan"))
    desk.ask(BEN, Leave())
    assert (write(desk, ANN), write(desk, CAT)) == (PER_MINUTE, PER_MINUTE)


def test_a_table_has_heard_enough_some_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.tables.talking.MOST", 3)
    desk = playing("luz")
    for number in range(3):
        desk.ask(ANN, Say(str(number), "Hello"))
    assert refusal(desk, BEN, Say("t", "Hello")).kind == "closed"


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_table_without_chat_stays_without(game: str) -> None:
    for desk in (waiting(game, talk="off"), playing(game, talk="off"), finished(game, talk="off")):
        assert refusal(desk, ANN, Say("t", "Hello")).kind == "forbidden"
        assert not table_view(desk.table, ANN).may_talk


def test_an_open_chat_of_luz_is_open_all_the_time() -> None:
    desk = waiting("luz")
    desk.ask(ANN, Say("w", "Hello"))
    desk = playing("luz")
    for ply in range(60):
        assert desk.ask(ANN, Say(str(ply), "Hello")) == 1
        desk.now += MINUTE
        desk.play_on(1, PEOPLE, seed=ply)
    assert finished("luz").ask(ANN, Say("t", "Well played")) == 1


def test_a_chat_between_deals_closes_with_the_first_bet_and_opens_with_the_next_deal() -> None:
    desk = playing("luz", talk="between")
    deals, opened = len(desk.table.deals), 0
    while desk.table.status == "playing":
        fresh = desk.table.dealt_at[-1] == desk.table.ply
        assert table_view(desk.table, ANN).may_talk == fresh
        desk.now += MINUTE
        if fresh:
            opened += desk.ask(ANN, Say("t", f"Deal {len(desk.table.deals)}"))
        else:
            assert refusal(desk, ANN, Say("t", "Hello")).kind == "closed"
        desk.play_on(1, PEOPLE, seed=desk.table.ply)
    assert opened == len(desk.table.deals) > deals
    assert desk.ask(ANN, Say("t", "Well played")) == 1


@pytest.mark.parametrize("talk", ["open", "between"])
def test_partners_say_nothing_while_a_round_is_played(talk: str) -> None:
    desk = playing("duet", talk=talk)
    opened = 0
    while desk.table.status == "playing":
        between = desk.legal()[0].startswith("forest")
        assert table_view(desk.table, ANN).may_talk == between
        for person in (ANN, BEN):
            desk.now += MINUTE
            if between:
                opened += desk.ask(person, Say("t", f"Round at {desk.table.ply}"))
                continue
            for command in (Say("t", "Hello"), Propose(desk.table.ply, "low")):
                no = refusal(desk, person, command)
                assert (no.kind, no.clause) == ("closed", "D-24")
            assert refusal(desk, person, Sit(0, "I hold the 7")).kind == "started"
        desk.play_on(1, PEOPLE, seed=desk.table.ply)
    assert desk.ask(ANN, Say("t", "Well played")) == 1
    assert between_rounds(talk=talk).ask(ANN, Say("t", "Which end?")) == 1


def test_partners_may_talk_before_the_first_deal() -> None:
    assert waiting("duet").ask(ANN, Say("t", "Hello")) == 1


def test_either_partner_proposes_an_end_and_both_see_it() -> None:
    desk = between_rounds()
    ply = desk.table.ply
    ends = [move.partition(":")[2] for move in desk.legal()]
    for seat, person in enumerate((ANN, BEN)):
        assert desk.ask(person, Propose(ply, ends[0])) == 1
        assert desk.ask(person, Propose(ply, ends[0])) == 0
        for viewer in (ANN, BEN, EVE, None):
            assert (seat, ends[0]) in table_view(desk.table, viewer).proposals
    assert table_view(desk.table, ANN).to_json()["proposals"] == [
        {"seat": 0, "end": ends[0]}, {"seat": 1, "end": ends[0]}
    ]  # fmt: skip


def test_the_decider_decides_whatever_was_proposed() -> None:
    desk = between_rounds()
    decider = desk.table.to_act
    assert decider is not None
    ends = [move.partition(":")[2] for move in desk.legal()]
    desk.ask(PEOPLE[1 - decider], Propose(desk.table.ply, ends[0]))
    assert desk.say(PEOPLE[decider], f"forest:{ends[-1]}") >= 1
    assert table_view(desk.table, ANN).proposals == ()


def test_a_proposal_is_for_partners_at_the_choice_that_they_see() -> None:
    desk = between_rounds()
    ply = desk.table.ply
    assert refusal(desk, EVE, Propose(ply, "low")).kind == "forbidden"
    assert refusal(desk, ANN, Propose(ply - 1, "low")).kind == "stale"
    for end in ("middle", "", "low\u202e", "x" * 1000):
        assert refusal(desk, ANN, Propose(ply, end)).kind == "illegal"
    assert refusal(waiting("duet"), ANN, Propose(0, "low")).kind == "not_started"
    assert refusal(finished("duet"), ANN, Propose(0, "low")).kind == "over"
    assert refusal(playing("luz"), ANN, Propose(0, "low")).kind == "closed"


def test_proposals_for_one_choice_come_to_an_end() -> None:
    desk = between_rounds()
    ends = [move.partition(":")[2] for move in desk.legal()]
    assert len(ends) == 2
    for number in range(20):
        assert desk.ask(ANN, Propose(desk.table.ply, ends[number % 2])) == 1
    assert refusal(desk, ANN, Propose(desk.table.ply, ends[0])).kind == "too_often"


def test_a_table_without_chat_lets_partners_propose() -> None:
    desk = between_rounds(talk="off")
    assert desk.ask(ANN, Propose(desk.table.ply, desk.legal()[0].partition(":")[2])) == 1
