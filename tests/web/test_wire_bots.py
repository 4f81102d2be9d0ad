"""What a bot at the table does, and so what others are sent, depends on the bot's own view alone.

A bot plays beside persons through the real server, in a seat of its own or for a person who has stepped out. Then a
deal is changed in what the bot's seat cannot know, the persons say the same, and the bot, with the same seed, does the
same: somebody who watches, and who knows less than the bot, is sent the same bytes.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from games.worlds import moments
from overtrick.bots import Budget, make_bot
from overtrick.games import load
from overtrick.tables import presence
from strategies import options_with_dealer, random_deal, seats_of
from web.audit import (
    Clock,
    ScriptedEntropy,
    Stage,
    Turn,
    await_ply,
    changed,
    deal_anew,
    making,
    other_world,
    spoken,
    stage,
)
from web.wire import Sent, Watcher

SEAT = 1
"""The bot's."""
PLIES = 30
BOT = "rules_of_thumb"


def beside_a_bot(variant: str, seed: int) -> dict[str, Any]:
    """The beginning of a game in which persons, of whom one begins, play anything and the bot what its view says."""
    rng = random.Random(seed)
    game, options = options_with_dealer(variant, rng)
    options["dealer"] = SEAT
    position = load(game, **options).start()
    deals = [random_deal(game, seats_of(game, options), rng) for _ in range(position.game.max_deals)]
    coming, moves = iter(deals), list[str]()
    chooser = make_bot(BOT)
    while len(moves) < PLIES and not position.over:
        position = position.deal(next(coming)) if position.needs_deal else position
        seat = position.to_act
        view = position.view(seat)
        chosen = chooser.choose(view, seed=0, budget=Budget()).move if seat == SEAT else ""
        moves.append(position.record_move(seat, chosen or rng.choice(view.legal)))
        position = position.play(moves[-1])
    return {"game": game, "options": options, "deals": deals, "moves": moves}


def seen_beside_the_bot(on: Stage, turns: list[Turn]) -> dict[int, Sent]:
    """Let the persons among `turns` act and the bot when it likes; what a watcher is sent whenever a person is to."""
    watcher, sent = on.watcher("watcher"), dict[int, Sent]()
    watcher.watch()
    for ply, turn in enumerate(turns):
        if turn.seat == SEAT:
            continue
        await_ply(watcher, ply)
        sent[ply] = {**watcher.look(str(ply)), "pushed": (newest(watcher),)}
        done = on.watcher(f"seat-{turn.seat}").page(
            "POST", "/t/thetable/move", {"ply": ply, "move": turn.move}
        )
        assert done.status == 303
    return sent


def newest(watcher: Watcher) -> tuple[str, str]:
    """What both streams brought last."""
    return watcher.pushes[max(watcher.pushes)], watcher.events[max(watcher.events)]


@pytest.mark.parametrize(
    ("variant", "seed", "stands_in"), [("luz-3", 3, False), ("duet-1", 4, False), ("luz-4", 5, True)]
)
def test_a_bot_does_the_same_whatever_lies_where_it_cannot_look(
    variant: str, seed: int, stands_in: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Clock.set(monkeypatch)
    # One that takes no time of the clock's into account: on a busy machine another might not do the same twice.
    monkeypatch.setattr(presence, "STAND_IN", BOT)
    record = beside_a_bot(variant, seed)
    seats = seats_of(record["game"], record["options"])
    kinds = ["me", "friend" if stands_in else f"bot:{BOT}", *("friend",) * (seats - 2)]
    with stage(tmp_path / "server") as on:
        on.turn_to(tmp_path / "true", ScriptedEntropy(record, ()), {})
        open_table(on, record, kinds)
        on.copy(tmp_path / "begun")
        truth = seen_beside_the_bot(on, spoken(record))
        rng = random.Random(seed)
        for ply in (9, 20):
            moment = next(moment for at, moment in enumerate(moments(record)) if at == ply)
            worlds = (other_world(moment, SEAT, rng) for _ in range(9))
            other = changed(record, 0, 0, next(world for world in worlds if world[0] != moment.deal))
            copy_of(tmp_path / "begun", tmp_path / f"{ply}", other, rng)
            on.turn_to(tmp_path / f"{ply}", ScriptedEntropy(other, ()), {})
            seen = seen_beside_the_bot(on, spoken(other))
            assert len(seen) > 3
            for at, sent in seen.items():
                assert sent == truth[at], (ply, at)


def open_table(on: Stage, record: dict[str, Any], kinds: list[str]) -> None:
    """Begin a game; whoever was to sit in the bot's seat steps out."""
    host = on.watcher("seat-0")
    assert host.page("POST", "/tables", making(record, *kinds)).status == 303
    for seat, kind in enumerate(kinds):
        if kind == "friend":
            form = {"seat": seat, "name": f"Seat {seat}"}
            assert on.watcher(f"seat-{seat}").page("POST", "/t/thetable/sit", form).status == 303
    assert host.page("POST", "/t/thetable/start", {}).status == 303
    if kinds[SEAT] == "friend":
        assert on.watcher(f"seat-{SEAT}").page("POST", "/t/thetable/step-out", {}).status == 303


def copy_of(begun: Path, folder: Path, record: dict[str, Any], rng: random.Random) -> None:
    """Copy a game that has begun, and deal it anew as the record has it."""
    shutil.copytree(begun, folder)
    deal_anew(folder, record["deals"], rng)
