"""Games in which more happens than moves: people chat, leave, come back, run out of time, give up, log in.

A story says what is done before the move at a ply, and by whom; the moves are those of its record. Where a bot sits in,
it makes the record's moves too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from strategies import seats_of
from web.audit import Clock, Stage, Turn, await_ply, making, spoken
from web.serving import PATIENCE
from web.survey import EVERY, attempts, survey
from web.wire import Answer, Watcher

PASSERS_BY = ("watcher", "removed", "expired")
"""Those without a seat: somebody with the link, somebody whom the host removed, somebody whose session is over."""


@dataclass(frozen=True)
class Act:
    """What somebody does, by a form; `what`: the last part of an address below the table's, or a whole one."""

    who: str
    what: str
    fields: dict[str, Any] = field(default_factory=dict)
    status: int = 303

    def of(self, stage: Stage) -> Answer:
        path = self.what if self.what.startswith("/") else f"/t/thetable/{self.what}"
        return stage.watcher(self.who).page("POST", path, self.fields)


@dataclass(frozen=True)
class Passing:
    """Time that goes by; with it something happens, unless `quietly`."""

    seconds: int
    quietly: bool = False


@dataclass(frozen=True)
class JoinsByLink:
    """A second device opens the private link of a seat."""

    who: str
    seat: str


@dataclass(frozen=True)
class LogsIn:
    """A second device logs in to an account, and has another secret from then on."""

    who: str
    name: str
    password: str


@dataclass(frozen=True)
class Look:
    """Everybody looks; `survey`: of those, and asks every route."""

    survey: bool = True


Happening = Act | Passing | JoinsByLink | LogsIn | Look


@dataclass(frozen=True, kw_only=True)
class Story:
    """`kinds` of the seats as it is made; `before` the game; `acts` by ply; `devices`: second ones of seats.

    `public_from`: the ply at which a second device is shut out of its seat. `away`: the plies at which bots stand in.
    `leaving`: what makes a bot take over at a ply, after all have looked. `logged_in`: who has an account. All look at
    every so many plies, and whenever something has happened. `after`: how it ends at the ply `until`, None for the end
    of the game.
    """

    record: dict[str, Any]
    kinds: tuple[str, ...]
    fields: dict[str, object] = field(default_factory=dict)
    before: tuple[Happening, ...] = ()
    acts: dict[int, tuple[Happening, ...]] = field(default_factory=dict)
    devices: tuple[str, ...] = ()
    passers_by: tuple[str, ...] = PASSERS_BY
    public_from: int = 0
    away: Collection[int] = ()
    leaving: dict[int, Happening] = field(default_factory=dict)
    logged_in: tuple[str, ...] = ()
    look_every: int = 3
    after: tuple[Happening, ...] = ()
    until: int | None = None

    @property
    def seats(self) -> int:
        return seats_of(self.record["game"], self.record["options"])

    @property
    def turns(self) -> list[Turn]:
        return spoken(self.record)

    @property
    def surveys(self) -> list[int]:
        """The plies at which every route is asked."""
        looks = [
            ply for ply, acts in self.acts.items() for act in acts if isinstance(act, Look) and act.survey
        ]
        return sorted(set(looks))

    def looks_at(self, ply: int) -> bool:
        happens = {one + later for one in (*self.acts, *self.leaving) for later in (0, 1)}
        return ply % self.look_every == 0 or ply in happens

    @property
    def end(self) -> int:
        return len(self.record["moves"]) if self.until is None else self.until

    def bots_turn(self, ply: int, turn: Turn) -> bool:
        return self.kinds[turn.seat].startswith("bot:") or ply in self.away

    def seeds(self, turns: list[Turn], first: int = 0) -> list[int]:
        """By which the bots make the record's moves."""
        return [turn.seed for ply, turn in enumerate(turns) if ply >= first and self.bots_turn(ply, turn)]

    def everybody(self) -> list[str]:
        persons = [f"seat-{seat}" for seat, kind in enumerate(self.kinds) if not kind.startswith("bot:")]
        return [*persons, *self.devices, *self.passers_by]

    def knowing(self, viewer: int | None, ply: int) -> list[str]:
        """Everybody who knows at a ply what a seat does; None: what the public does."""
        if viewer is None:
            return [*self.passers_by, *(self.devices if ply > self.public_from else ())]
        own = [] if self.kinds[viewer].startswith("bot:") else [f"seat-{viewer}"]
        devices = self.devices if ply < self.public_from else ()
        return [*own, *(name for name in devices if name.endswith(f"-{viewer}"))]

    def open(self, stage: Stage) -> None:
        """Make the table and let everybody sit down."""
        host = stage.watcher("seat-0")
        assert host.page("POST", "/tables", making(self.record, *self.kinds, **self.fields)).status == 303
        removed = next(seat for seat, kind in enumerate(self.kinds) if kind == "friend")
        happen(stage, None, Act("removed", "sit", {"seat": removed, "name": "Removed"}))
        happen(stage, None, Act("seat-0", "remove", {"seat": removed, "name": "Removed"}))
        for seat, kind in enumerate(self.kinds):
            if kind == "friend":
                happen(stage, None, Act(f"seat-{seat}", "sit", {"seat": seat, "name": f"Seat {seat}"}))
        for happening in self.before:
            happen(stage, None, happening)
        happen(stage, None, Act("seat-0", "start"))


@dataclass
class Play:
    """A play of a story at a server; `recorded`: those for whom everything is kept; `at_ply`: called at each ply."""

    story: Story
    stage: Stage
    turns: list[Turn]
    clock: Clock
    recorded: Callable[[int], list[str]]
    at_ply: Callable[[int], None] = lambda ply: None

    def go(self, first: int, last: int) -> None:
        """Play from one ply to another, at which no move is made any more."""
        for ply in range(first, last + 1):
            leaves = self.story.leaving.get(ply)
            bots_turn = ply < len(self.turns) and self.story.bots_turn(ply, self.turns[ply])
            if not bots_turn or leaves or ply == last:
                self._rest(ply)
            if ply == last:
                return
            if leaves:
                happen(self.stage, self.clock, leaves)
            if bots_turn:
                await_ply(self.stage.watcher("seat-0"), ply + 1)
            else:
                self._move(ply)

    def _rest(self, ply: int) -> None:
        """While a person is to move: let happen what does, and keep what everybody is sent."""
        self.at_ply(ply)
        recorded = [self.stage.watcher(name) for name in self.recorded(ply)]
        for watcher in self.stage.watchers.values():
            if watcher.watches != (watcher in recorded):
                watcher.unwatch() if watcher.watches else watcher.watch()
        for number, happening in enumerate(self.story.acts.get(ply, ())):
            if isinstance(happening, Look):
                self._look(recorded, ply, f"{ply}, look {number}", with_survey=happening.survey)
                continue
            answer = happen(self.stage, self.clock, happening)
            if isinstance(happening, Act) and (actor := self.stage.watcher(happening.who)) in recorded:
                actor.sent[f"{ply}, act {number}"] = {happening.what: actor.kept(answer)}
        if self.story.looks_at(ply):
            self._look(recorded, ply, str(ply))
        for watcher in recorded if ply % (EVERY * self.story.look_every) == 0 else ():
            watcher.sent[f"{ply}, attempts"] = attempts(watcher, ply)

    def _look(self, watchers: list[Watcher], ply: int, moment: str, *, with_survey: bool = False) -> None:
        for watcher in watchers:
            watcher.look(moment)
            if with_survey:
                account = watcher.name in self.story.logged_in and not (
                    watcher.name in self.story.devices and ply > self.story.public_from
                )
                turn = self.story.surveys.index(ply)
                watcher.sent[f"{moment}, survey"] = survey(watcher, turn=turn, logged_in=account)

    def _move(self, ply: int) -> None:
        turn = self.turns[ply]
        mover = self.stage.watcher(f"seat-{turn.seat}")
        form = {"ply": ply, "move": turn.move}
        if mover.name not in self.recorded(ply):
            assert mover.api("POST", "/tables/thetable/move", form).status == 200
            return
        answer = mover.page("POST", "/t/thetable/move", form, **{"hx-request": "true"})
        assert answer.status == 200
        mover.sent[f"{ply}, move"] = {"move": mover.kept(answer)}


def happen(stage: Stage, clock: Clock | None, happening: Happening) -> Answer:
    """Let one thing happen; what a server does by itself is waited for."""
    host = stage.watcher("seat-0")
    match happening:
        case Act():
            answer = happening.of(stage)
            assert answer.status == happening.status, (happening, answer.content[-2000:])
        case Passing():
            assert clock is not None
            before = host.table()["seq"]
            clock.now += 1000 * happening.seconds
            patient_until = time.monotonic() + PATIENCE
            while not happening.quietly and host.table()["seq"] == before:
                assert time.monotonic() < patient_until, "nothing happens"
                time.sleep(0.01)
            answer = host.api("GET", "/tables/thetable")
        case Look():
            answer = host.api("GET", "/tables/thetable")
        case JoinsByLink():
            secret = stage.watcher(happening.seat).api("GET", "/tables/thetable/link").json()["secret"]
            device = stage.watcher(happening.who)
            assert device.page("GET", f"/t/thetable/seat/{secret}").status == 200
            answer = device.page("POST", "/t/thetable/seat", {"secret": secret})
            assert answer.status == 303
        case LogsIn():
            device = stage.watcher(happening.who)
            form = {"name": happening.name, "password": happening.password}
            answer = device.page("POST", "/me/login", form)
            assert answer.status == 303
            [secret] = [
                value.partition("=")[2].partition(";")[0]
                for name, value in answer.headers
                if name == "set-cookie" and value.startswith("overtrick=")
            ]
            device.secret = stage.secrets[device.name] = secret
    return answer


def says(who: str, text: str, *, status: int = 303) -> Act:
    return Act(who, "say", {"token": text[:20], "text": text}, status)


def quiet(turns: list[Turn], after: int, seat: int) -> int:
    """The first ply from `after` on at which another seat is to move."""
    return next(ply for ply in range(after, len(turns)) if turns[ply].seat != seat)


def moves_of(turns: list[Turn], seat: int, plies: range) -> tuple[int, ...]:
    return tuple(ply for ply in plies if turns[ply].seat == seat)
