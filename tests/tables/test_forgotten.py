"""What becomes of a table when one of its people is forgotten: the log and the table that is in memory say the same."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

from overtrick.tables.commands import (
    Again,
    AgreeEnd,
    Command,
    HandOver,
    Leave,
    Make,
    Move,
    ProposeEnd,
    Relink,
    Say,
    Sit,
    Start,
    StepOut,
)
from overtrick.tables.decide import decide
from overtrick.tables.events import Event, Forgotten, Joined, Logged
from overtrick.tables.fold import fold_all, replay
from overtrick.tables.forgotten import blanked, forget, people_of
from overtrick.tables.links import SeatLinks
from overtrick.tables.making import make, remake
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from tables.setting import ANN, BEN, CAT, DAN, SeededEntropy, making

NAMES = {ANN: "Ann Anders", BEN: "Ben Bertil", CAT: "Cat Cesar", DAN: "Dan David"}


class Book:
    """A table with its log, as the database has both."""

    def __init__(self, command: Make, person: Person = ANN) -> None:
        self.log = [Logged(1, event) for event in make(person, command)]
        self.table = replay("t", self.log)
        self.entropy = SeededEntropy(1)

    def add(self, *events: Event) -> None:
        self.log += [Logged(self.table.at + 1, event) for event in events]
        self.table = fold_all(self.table, self.log[self.table.seq :])

    def ask(self, person: Person, command: Command) -> None:
        self.add(*decide(self.table, person, command, self.entropy, now=self.table.at + 60_000))

    def forget(self, person: Person) -> None:
        """As `Forgetting` does it; what is in memory and what a new process would read are the same afterwards."""
        events = forget(self.table, self.log, person.id)
        for seq, event in blanked(self.log, person.id):
            self.log[seq - 1] = dataclasses.replace(self.log[seq - 1], event=event)
        self.add(*events)
        assert replay("t", self.log) == self.table

    def written(self) -> str:
        return json.dumps([one.event.to_row().data for one in self.log])

    def play(self, plies: int) -> None:
        seats = (ANN, BEN, CAT, DAN)
        for _ in range(plies):
            position = self.table.position
            assert position is not None
            if self.table.status == "over":
                return
            legal = position.view(position.to_act).legal
            self.ask(seats[position.to_act or 0], Move(self.table.ply, legal[self.table.ply % len(legal)]))


def begun(game: str = "duet", **changes: Any) -> Book:
    """A game of Ann, who is host, and Ben, or four of them in Luz."""
    people = (ANN, BEN) if game == "duet" else (ANN, BEN, CAT, DAN)
    seats = ("me", *("friend",) * (len(people) - 1))
    book = Book(making(game, seats=seats, name=NAMES[ANN], dealer=0, **changes))
    for seat, person in enumerate(people[1:], 1):
        book.ask(person, Sit(seat, NAMES[person]))
    book.ask(ANN, Say("first", "words of Ann"))
    book.ask(BEN, Say("second", "words of Ben"))
    book.ask(ANN, Start())
    return book


def says(table: Table, person: Person | None = None) -> str:
    return json.dumps(table_view(table, person).to_json())


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_finished_game_keeps_a_seat_of_nobody_and_replays_to_the_same_end(game: str) -> None:
    book = begun(game)
    book.play(1000)
    before, view = record(book.table, made_at=1), table_view(book.table, BEN)
    book.forget(ANN)
    after = record(book.table, made_at=1)
    assert after["meta"]["seats"][0] == {"name": ""}
    before["meta"]["seats"][0] = {"name": ""}
    assert after == before  # the moves, the deals and the seals among it
    now = table_view(book.table, BEN)
    assert (now.view, now.commitments, now.told) == (view.view, view.commitments, view.told)
    assert [(seat.kind, seat.name) for seat in now.seats][:2] == [("person", None), ("person", "Ben Bertil")]
    for text in (book.written(), says(book.table), says(book.table, BEN), json.dumps(after)):
        assert not any(word in text for word in ("Ann Anders", "words of Ann", ANN.id))
    assert "words of Ben" in says(book.table)


def test_before_the_start_the_seat_is_free_and_the_next_person_is_the_host() -> None:
    book = Book(making("luz", seats=("me", "friend", "friend", "friend"), name="Ann Anders"))
    book.ask(BEN, Sit(1, "Ben Bertil"))
    book.forget(ANN)
    view = table_view(book.table, BEN)
    assert (view.seats[0].kind, view.is_host) == ("empty", True)
    book.forget(BEN)
    assert (book.table.host, book.table.seats.free) == ("", 4)
    book.ask(CAT, Sit(2, "Cat Cesar"))
    assert table_view(book.table, CAT).is_host


def test_a_game_that_goes_on_a_bot_plays_for_who_is_gone_and_nobody_takes_the_seat() -> None:
    book = begun()
    links = SeatLinks(b"k" * 32)
    secret = links.secret(book.table, 0)
    book.forget(ANN)
    view = table_view(book.table, BEN)
    assert (view.seats[0].stand_in, view.seats[0].name, view.is_host) == ("medium", None, True)
    assert table_view(book.table, ANN).me is None
    with pytest.raises(Refused):
        links.seat(book.table, secret)
    with pytest.raises(Refused) as refused:
        book.ask(BEN, HandOver(0, ""))
    assert refused.value.msgid == "No person sits there."
    # Alone with the bot, Ben can end the game by himself, as with any bot.
    book.ask(BEN, ProposeEnd(0))
    book.ask(BEN, AgreeEnd(1))
    assert book.table.status == "over"
    book.ask(BEN, Again())
    seats = [type(event).__name__ for event in remake(book.table, BEN)]
    assert seats == ["Made", "Sat"]


def test_who_had_stepped_out_is_forgotten_as_well() -> None:
    book = begun("luz")
    book.ask(CAT, StepOut())
    book.forget(CAT)
    assert [type(one.event).__name__ for one in book.log[-1:]] == ["Forgotten"]
    assert table_view(book.table, None).seats[2].stand_in == "medium"


def test_a_seat_that_was_left_long_ago_says_nothing_any_more() -> None:
    book = Book(making("duet", seats=("me", "friend"), name="Ann Anders"))
    book.ask(BEN, Sit(1, "Ben Bertil"))
    book.ask(BEN, Say("token-of-ben", "words of Ben"))
    book.ask(BEN, Leave())
    book.ask(CAT, Sit(1, "Cat Cesar"))
    book.ask(CAT, Say("t", "words of Cat"))
    book.forget(BEN)
    for text in (book.written(), says(book.table)):
        assert not any(word in text for word in ("Ben Bertil", "words of Ben", "token-of-ben", BEN.id))
        assert "words of Cat" in text
    assert [message.number for message in table_view(book.table, CAT).chat] == [2]
    assert (book.table.seats[1], people_of(one.event for one in book.log)) == (
        replay("t", book.log).seats[1],
        {ANN.id, CAT.id},
    )


def test_every_device_that_a_private_link_let_in_goes_with_the_seat() -> None:
    for gone in (ANN, CAT):
        book = begun()
        book.add(Joined(0, CAT.id))
        book.forget(gone)
        assert table_view(book.table, ANN).me is table_view(book.table, CAT).me is None
        assert gone.id not in book.written()
        assert "Ann Anders" not in book.written()
        assert table_view(book.table, BEN).is_host


def test_who_was_shut_out_of_a_seat_takes_nothing_of_it_along() -> None:
    book = begun()
    book.add(Joined(0, CAT.id))
    book.ask(CAT, Relink())
    book.forget(ANN)
    view = table_view(book.table, CAT)
    assert (view.me, view.is_host, view.seats[0].name) == (0, True, "Ann Anders")
    assert "words of Ann" in book.written()
    assert ANN.id not in book.written()


def test_a_host_without_a_seat_is_forgotten_too() -> None:
    book = Book(making("duet", seats=("friend", "friend"), name=""))
    book.ask(BEN, Sit(1, "Ben Bertil"))
    book.forget(ANN)
    assert ANN.id not in book.written()
    assert table_view(book.table, BEN).is_host


def test_of_a_long_talk_all_that_was_said_goes_and_the_numbers_of_the_others_stay() -> None:
    book = begun()
    book.play(1000)
    for number in range(150):
        person = ANN if number % 3 else BEN
        book.add(
            *decide(
                book.table, person, Say(f"t{number}", f"line {number}"), book.entropy, now=number * 60_000
            )
        )
    numbers = [
        message.number for message in table_view(book.table, None).chat if message.name == "Ben Bertil"
    ]
    book.forget(ANN)
    assert [message.number for message in table_view(book.table, None).chat] == numbers
    assert 'line 1"' not in book.written()
    assert 'line 3"' in book.written()


def test_everybody_may_go_and_the_game_is_still_there() -> None:
    book = begun()
    for person in (BEN, ANN, BEN):
        book.forget(person)
    assert people_of(one.event for one in book.log) == set()
    assert book.table.host == ""
    assert [seat.name for seat in table_view(book.table, None).seats] == [None, None]
    assert book.table.bot_to_act == "medium"


def test_to_forget_who_was_never_there_changes_nothing_but_says_so() -> None:
    book = begun()
    assert blanked(book.log, DAN.id) == ()
    assert forget(book.table, book.log, DAN.id) == (Forgotten(None, []),)


@pytest.mark.parametrize("seed", range(30))
def test_whatever_happened_before_nothing_is_left_of_anybody(seed: int) -> None:
    """Random lives of a table: sitting, leaving, links, talk, moves; then everybody goes, in any order."""
    rng, people = random.Random(seed), [ANN, BEN, CAT, DAN]
    book = Book(making("duet", seats=rng.choice([("me", "friend"), ("friend", "friend")]), name=NAMES[ANN]))
    for step in range(40):
        person = rng.choice(people)
        position = book.table.position
        moves = () if position is None else position.view(position.to_act).legal
        commands: list[Command] = [
            Sit(rng.randrange(2), NAMES[person]),
            Leave(),
            Say(f"token {NAMES[person]} {step}", f"words of {NAMES[person]}"),
            Relink(),
            HandOver(rng.randrange(2), NAMES[rng.choice(people)]),
            StepOut(),
            *(Move(book.table.ply, move) for move in moves[:4]),
            *([Start()] if step > 20 else []),
        ]
        try:
            book.ask(person, rng.choice(commands))
        except Refused:
            seat = rng.randrange(2)
            held = getattr(book.table.seats[seat], "people", ())
            if held and all(table_view(book.table, person).me is None for _ in held):
                book.add(Joined(seat, person.id))
    rng.shuffle(people)
    for gone, person in enumerate(people, 1):
        book.forget(person)
        assert not any(other.id in book.written() for other in people[:gone])
        assert not any(other.id in str(book.table) for other in people[:gone])
    assert not any(name in book.written() for name in NAMES.values())
    assert not any(name in says(book.table) for name in NAMES.values())
