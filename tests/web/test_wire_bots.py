"""What a bot at the table does, and so what others are sent, depends on the bot's own view alone.

A bot plays beside persons through the real server. Then a deal is changed in what the bot's seat cannot know, the
persons say the same, and the bot, with the same seed, does the same: a spectator, who knows less than the bot, is
sent the same bytes.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from games.worlds import moments
from overtrick.bots import Budget, make_bot
from overtrick.games import load
from strategies import options_with_dealer, random_deal, seats_of
from web.audit import BOT, Sent, Turn, Watcher, changed, other_world, spoken, table_of
from web.serving import PATIENCE

SEAT = 1
"""The bot's."""
PLIES = 45


def beside_a_bot(variant: str, seed: int) -> dict[str, Any]:
    """The beginning of a game in which persons play anything and the bot what it chooses from its view."""
    rng = random.Random(seed)
    game, options = options_with_dealer(variant, rng)
    position = load(game, **options).start()
    deals = [random_deal(game, seats_of(game, options), rng) for _ in range(position.game.max_deals)]
    coming, moves = iter(deals), list[str]()
    while len(moves) < PLIES and not position.over:
        position = position.deal(next(coming)) if position.needs_deal else position
        seat = position.to_act
        view = position.view(seat)
        bot = make_bot(BOT).choose(view, seed=0, budget=Budget()).move if seat == SEAT else ""
        moves.append(position.record_move(seat, bot or rng.choice(view.legal)))
        position = position.play(moves[-1])
    return {"game": game, "options": options, "deals": deals, "moves": moves}


def seen_beside_the_bot(watchers: list[Watcher], turns: list[Turn]) -> dict[int, Sent]:
    """Let the persons among `turns` act and the bot when it likes; what a spectator is sent whenever a person is to."""
    spectator, sent = watchers[-1], dict[int, Sent]()
    for ply, turn in enumerate(turns):
        if turn.seat == SEAT:
            continue
        await_ply(spectator, ply)
        sent[ply] = spectator.look()
        done = watchers[turn.seat].form("/t/thetable/move", ply=ply, move=turn.move)
        assert done.status_code == 200
    return sent


def await_ply(watcher: Watcher, ply: int) -> None:
    patient_until = time.monotonic() + PATIENCE
    while (made := watcher.json()["ply"]) < ply:
        assert time.monotonic() < patient_until, "the bot does not move"
    assert made == ply


@pytest.mark.parametrize(("variant", "seed"), [("luz-3", 3), ("duet-1", 4)])
def test_a_bot_does_the_same_whatever_lies_where_it_cannot_look(
    variant: str, seed: int, tmp_path: Path
) -> None:
    record = beside_a_bot(variant, seed)
    with table_of(record, tmp_path / "true", bots=frozenset({SEAT})) as watchers:
        truth = seen_beside_the_bot(watchers, spoken(record))
    rng = random.Random(seed)
    for ply in (9, 20):
        moment = next(moment for at, moment in enumerate(moments(record)) if at == ply)
        deal = record["deals"].index(moment.deal)
        worlds = (other_world(moment, SEAT, rng) for _ in range(9))
        world = next(world for world in worlds if world[0] != moment.deal)
        other = changed(record, deal, ply - len(moment.moves), world)
        other["deals"] += record["deals"][deal + 1 :]
        with table_of(other, tmp_path / f"{ply}", bots=frozenset({SEAT})) as watchers:
            seen = seen_beside_the_bot(watchers, spoken(other))
        first = ply - len(moment.moves)
        assert len(seen) > 3
        for at, sent in seen.items():
            assert at < first or sent == truth[at], (ply, at)
