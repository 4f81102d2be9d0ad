"""Whole games played through the real server from a record, and the same games after another deal.

Chance, time, everybody's secrets and the server's key are given, so that two plays of one record give the same bytes.
At the beginning of a deal the database is copied. In a copy the deal is then changed in what one viewer cannot know,
all later deals and all nonces are other ones, and the same people go on there on a server of its own: a difference in
what that viewer is sent means that something else than the viewer's knowledge went into it.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from games.worlds import Moment, duet_secrets, other_luz_deal, renamed, renamed_move
from naive.luz import Luz
from overtrick.bots.pool import Pool
from overtrick.errors import IllegalMove
from overtrick.games import Position, load
from overtrick.tables import House, duties, presence
from overtrick.web.security import link_key
from strategies import random_deal, seats_of
from web.serving import PATIENCE, Served, serving, settings_for
from web.wire import KEY, ORIGIN, Viewer, Watcher

World = tuple[dict[str, Any], tuple[str, ...]]

BOT = "uniform"
"""Plays by its seed alone, so that it can be made to do what a record says."""
BEGINNING = 1_790_000_000_000
"""When all games begin, Unix time in milliseconds."""


class ScriptedRng(random.Random):
    """Deals the deals of a record, one after the other; what the record lacks is dealt in the order of the deck.

    All deals of a game are drawn at its start, and a record that stops early has no more of them.
    """

    def __init__(self, record: dict[str, Any]) -> None:
        super().__init__(0)
        self._numbers = load(record["game"], **record["options"]).deck.numbers
        self._deals = iter(record["deals"])

    def shuffle(self, x: Any) -> None:
        deal = next(self._deals, None)
        if deal is None:
            return
        dealt = [card for hand in deal["hands"] for card in hand] + [
            deal[key] for key in ("decree",) if key in deal
        ]
        first = [self._numbers[card] for card in dealt]
        x[:] = first + [card for card in x if card not in set(first)]


class ScriptedEntropy:
    """No chance at all. `seeds`: of the bots' choices, in order."""

    def __init__(self, record: dict[str, Any], seeds: Iterable[int]) -> None:
        self._rng = ScriptedRng(record)
        self._seeds = iter(seeds)

    def table_id(self) -> str:
        return "thetable"

    def rng(self) -> random.Random:
        return self._rng

    def bot_seed(self) -> int:
        return next(self._seeds, 0)


@dataclass
class Clock:
    """The time that servers go by, Unix time in milliseconds: it stands until it is moved."""

    now: int = BEGINNING

    @classmethod
    def set(cls, monkeypatch: pytest.MonkeyPatch) -> Clock:
        clock = cls()
        monkeypatch.setattr(time, "time_ns", lambda: 1_000_000 * clock.now)
        return clock


def let_bots_follow_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let those who stand in for people be the bot that can be made to follow a record."""
    for module in (duties, presence):
        monkeypatch.setattr(module, "STAND_IN", BOT)


@dataclass(frozen=True)
class Turn:
    """A move as its seat says it, and what else that seat could have said."""

    seat: int
    move: str
    legal: tuple[str, ...]

    @property
    def seed(self) -> int:
        """A seed by which the bot makes this move."""
        return next(seed for seed in range(10_000) if random.Random(seed).choice(self.legal) == self.move)


def spoken(record: dict[str, Any]) -> list[Turn]:
    """The record's moves as their seats say them."""
    position: Position = load(record["game"], **record["options"]).start()
    deals = iter(record["deals"])
    turns = []
    for move in record["moves"]:
        if position.needs_deal:
            position = position.deal(next(deals))
        seat = position.to_act
        assert seat is not None
        legal = position.view(seat).legal
        turns.append(
            Turn(seat, next(said for said in legal if position.record_move(seat, said) == move), legal)
        )
        position = position.play(move)
    return turns


def other_world(moment: Moment, viewer: Viewer, rng: random.Random) -> World:
    """Another deal, and the moves since it, that the viewer cannot tell from the true ones."""
    if isinstance(moment.twin, Luz):
        return other_luz_deal(moment.twin, moment.deal, viewer, rng), moment.moves
    deal, moves = moment.deal, moment.moves
    secrets = sorted(duet_secrets(moment.twin, viewer))
    for _ in range(12 if len(secrets) > 1 else 0):
        swap = dict(zip(pair := rng.sample(secrets, 2), reversed(pair), strict=True))
        new_deal, new_moves = renamed(deal, swap), tuple(renamed_move(move, swap) for move in moves)
        try:
            moment.position(new_deal, new_moves)
        except IllegalMove:
            continue
        deal, moves = new_deal, new_moves
    return deal, moves


def changed(record: dict[str, Any], deal: int, first: int, world: World) -> dict[str, Any]:
    """The record up to a moment of a deal, that deal and the moves since it changed."""
    return {
        **record,
        "deals": [*record["deals"][:deal], world[0]],
        "moves": [*record["moves"][:first], *world[1]],
    }


DATABASE = "overtrick.sqlite3"


class Stage:
    """A server with one table, at which one play of a game after another takes place, each in a folder of its own.

    `secrets`: of everybody who has one, by name.
    """

    def __init__(self, served: Served) -> None:
        self.served = served
        self.folder = Path()
        self.secrets: dict[str, str] = {}
        self.watchers: dict[str, Watcher] = {}

    def turn_to(self, folder: Path, entropy: ScriptedEntropy, secrets: dict[str, str]) -> None:
        """Let the server go on with another database, as after a restart, which takes it a third of a second more."""
        self.clear()
        folder.mkdir(exist_ok=True)
        self.folder, self.secrets = folder, secrets
        assert self.served.loop is not None
        turned = asyncio.run_coroutine_threadsafe(self._opened(entropy), self.served.loop)
        turned.result(PATIENCE)

    async def _opened(self, entropy: ScriptedEntropy) -> None:
        engine = self.served.site.services.engine
        await (await engine.house()).close()
        url = f"sqlite:///{self.folder / DATABASE}"
        engine._house = await House.open(url, pace=0.0, entropy=entropy, key=link_key(KEY))

    def watcher(self, name: str) -> Watcher:
        """Somebody by name: "seat-0" and the like, or a passer-by, all of whom are as they are called."""
        if name not in self.watchers:
            csrf = self.served.site.services.csrf.cookie_name
            secret = None if name == "expired" else self.secrets.setdefault(name, name.rjust(43, "s"))
            self.watchers[name] = Watcher(name, self.served.port, csrf, secret)
        return self.watchers[name]

    def copy(self, to: Path) -> None:
        """Copy the database as it is now."""
        to.mkdir()
        with (
            closing(sqlite3.connect(self.folder / DATABASE)) as ours,
            closing(sqlite3.connect(to / DATABASE)) as theirs,
        ):
            ours.backup(theirs)

    def clear(self) -> None:
        """Let everybody go."""
        for watcher in self.watchers.values():
            watcher.close()
        self.watchers = {}


@contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    """Run a server that keeps its key in a folder."""
    folder.mkdir()
    (folder / "key").write_text(KEY)
    # Nobody searches here, so no process has to get ready for it.
    with patch.object(Pool, "begin_all"), serving(settings_for(folder, base_url=ORIGIN)) as served:
        found = Stage(served)
        try:
            yield found
        finally:
            found.clear()


def deal_anew(folder: Path, deals: list[dict[str, Any]], rng: random.Random) -> None:
    """Change the last deal in a copied log to the last of `deals`, those after it and all nonces to other ones.

    The commitments stay what they were, as if there were other nonces that go with them.
    """
    at = len(deals) - 1
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        [(data,)] = database.execute("SELECT data FROM events WHERE kind = 'started'").fetchall()
        started = json.loads(data)
        game, seats = (
            ("luz", started["options"]["players"]) if "players" in started["options"] else ("duet", 2)
        )
        for number, seal in enumerate(started["seals"]):
            seal["nonce"] = f"{rng.getrandbits(256):064x}"
            if number >= at:
                seal["deal"] = deals[at] if number == at else random_deal(game, seats, rng)
        database.execute("UPDATE events SET data = ? WHERE kind = 'started'", (json.dumps(started),))
        rows = database.execute("SELECT seq FROM events WHERE kind = 'dealt' ORDER BY seq").fetchall()
        assert len(rows) == len(deals), "the copy was not made in that deal"
        dealt = json.dumps({"deal": deals[at]})
        database.execute("UPDATE events SET data = ? WHERE seq = ?", (dealt, rows[at][0]))


def making(record: dict[str, Any], *kinds: str, **fields: object) -> dict[str, object]:
    """The fields of the form that makes the record's table; `kinds` of its seats, the first one's person asks."""
    options = record["options"]
    return {
        "token": "t", "game": record["game"], "dealer": options["dealer"], "name": "Seat 0", "pace": "fast",
        "players": seats_of(record["game"], options), "level": options.get("level", 1),
        "bead_supply": options.get("bead_supply") or "", "explain": 1,
        **{f"seat-{seat}": kind for seat, kind in enumerate(kinds)}, **fields,
    }  # fmt: skip


def await_ply(watcher: Watcher, ply: int) -> None:
    """Wait until so many moves are made: a bot makes the last one."""
    patient_until = time.monotonic() + PATIENCE
    while watcher.table()["ply"] < ply:
        assert time.monotonic() < patient_until, "the bot does not move"
        time.sleep(0.005)
