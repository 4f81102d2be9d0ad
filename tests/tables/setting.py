"""Tables for the tests: people, chance that repeats, tables at any stage, and somebody who plays."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Any

from overtrick.bots import Choice, Reason
from overtrick.tables import House, Person, TableView
from overtrick.tables.commands import AgreeEnd, Command, Make, Move, ProposeEnd, Sit, Start
from overtrick.tables.decide import decide, play_bot
from overtrick.tables.duties import overdue
from overtrick.tables.events import Event, Logged
from overtrick.tables.fold import fold_all, replay
from overtrick.tables.making import make
from overtrick.tables.store import Store
from overtrick.tables.table import Table

ANN, BEN, CAT, DAN = (Person(f"{letter}" * 64) for letter in "abcd")
BOT = "bot:uniform"

LUZ_SEATS = ("me", "friend", BOT, BOT)
GAMES: dict[str, dict[str, Any]] = {
    "luz": {"game": "luz", "options": {"players": 4}, "seats": LUZ_SEATS},
    "duet": {"game": "duet", "options": {"level": 1}, "seats": ("me", "friend")},
}


class SeededEntropy:
    """Chance that repeats."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def table_id(self) -> str:
        return f"table-{self._rng.getrandbits(60):x}"

    def rng(self) -> random.Random:
        return self._rng

    def bot_seed(self) -> int:
        return self._rng.getrandbits(63)


def making(game: str = "luz", /, **changes: Any) -> Make:
    return Make(**{"token": "token", "name": "Ann", **GAMES[game], **changes})


def logged(events: Iterable[Event], at: int = 1) -> list[Logged]:
    """The events as a log that was written all at once."""
    return [Logged(at, event) for event in events]


async def read_table(url: str, table_id: str) -> Table:
    """The table as its log has it."""
    store = await Store.open(url)
    try:
        return replay(table_id, await store.read(table_id))
    finally:
        await store.close()


class Desk:
    """One table without a store: asks `decide`, folds what follows."""

    def __init__(self, table: Table, seed: int = 1) -> None:
        self.table = table
        self.entropy = SeededEntropy(seed)
        self.now = table.at

    def ask(self, person: Person, command: Command) -> int:
        """Return the number of events that followed."""
        events = decide(self.table, person, command, self.entropy, now=self.now)
        self.table = fold_all(self.table, logged(events, self.now))
        return len(events)

    def wait(self, seconds: float) -> None:
        """Let time go by, and let happen what follows from it alone."""
        self.now += int(1000 * seconds)
        self.table = fold_all(self.table, logged(overdue(self.table, self.now), self.now))

    def bot_moves(self, move: str) -> None:
        """Let the bot to act make a move."""
        assert self.table.to_act is not None
        choice = Choice(move, Reason(""))
        events = play_bot(self.table, self.table.to_act, choice, self.entropy.rng())
        self.table = fold_all(self.table, logged(events, self.now))

    def say(self, person: Person, move: str) -> int:
        return self.ask(person, Move(self.table.ply, move))

    def legal(self) -> tuple[str, ...]:
        position = self.table.position
        assert position is not None
        return position.view(position.to_act).legal

    def play_on(self, plies: int, people: tuple[Person, ...], seed: int = 3) -> None:
        """Let the persons in the seats make random legal moves."""
        rng = random.Random(seed)
        for _ in range(plies):
            if self.table.status == "over":
                return
            assert self.table.to_act is not None
            self.say(people[self.table.to_act], rng.choice(self.legal()))


def waiting(game: str = "luz", **changes: Any) -> Desk:
    """A table that Ann has just made."""
    return Desk(replay("t", logged(make(ANN, making(game, **changes)))))


def playing(game: str = "luz", **changes: Any) -> Desk:
    """A table of people only, begun: Ann (seat 0, host), Ben, Cat, Dan."""
    seats = ("me",) + ("friend",) * (3 if game == "luz" else 1)
    desk = waiting(game, seats=seats, **changes)
    for number, (person, name) in enumerate(
        zip((BEN, CAT, DAN), ("Ben", "Cat", "Dan"), strict=True), start=1
    ):
        if number < len(seats):
            desk.ask(person, Sit(number, name))
    desk.ask(ANN, Start())
    return desk


def finished(game: str = "luz", **changes: Any) -> Desk:
    """A table of people only, played to the end."""
    desk = playing(game, **changes)
    desk.play_on(1000, (ANN, BEN, CAT, DAN))
    assert desk.table.status == "over"
    return desk


class Bell:
    """A viewer of whom a generator asks for the newest look."""

    def __init__(self) -> None:
        self.rung = asyncio.Event()
        self.newest: TableView | None = None
        self.ended = False
        self.error: Exception | None = None

    def show(self, look: TableView) -> None:
        self.newest = look
        self.rung.set()

    def end(self, error: Exception | None = None) -> None:
        self.ended, self.error = True, error
        self.rung.set()


async def watched(house: House, table_id: str, person: Person | None) -> AsyncGenerator[TableView, None]:
    """Give the table as it is, then the newest state whenever there is one that is newer."""
    bell = Bell()
    with await house.watch(table_id, person, bell):
        while True:
            await bell.rung.wait()
            bell.rung.clear()
            if bell.newest is not None:
                look, bell.newest = bell.newest, None
                yield look
            elif bell.error is not None:
                raise bell.error
            elif bell.ended:
                return


async def until(
    house: House, table_id: str, person: Person | None, reached: Callable[[TableView], bool]
) -> TableView:
    """Follow a table until it is as wished."""
    views = watched(house, table_id, person)
    try:
        async for view in views:
            if reached(view):
                return view
    finally:
        await views.aclose()
    raise AssertionError("the house closed")


def my_turn(view: TableView) -> bool:
    return view.status == "over" or (view.view is not None and view.view.legal != ())


async def play_to_the_end(house: House, table_id: str, person: Person, seed: int = 5) -> TableView:
    """Make random legal moves for one person whenever it is their turn, till the game is over."""
    rng = random.Random(seed)
    while True:
        view = await until(house, table_id, person, my_turn)
        if view.status == "over" or view.view is None:
            return view
        await house.act(table_id, person, Move(view.ply, rng.choice(view.view.legal)))


async def give_up(house: House, table_id: str, *persons: Person) -> TableView:
    """Let the first of the persons propose to end the game and the others agree; who is alone confirms it."""
    first, *others = persons
    view = await house.look(table_id, first)
    assert view.ending is not None
    so_far = view.ending.proposals
    await house.act(table_id, first, ProposeEnd(so_far))
    for person in others or [first]:
        view = await house.act(table_id, person, AgreeEnd(so_far + 1))
    return view
