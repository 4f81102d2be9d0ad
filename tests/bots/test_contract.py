"""What every bot promises, at every game: found by looking at the registry, so that a new bot cannot be left out."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from games.worlds import moments, other_world
from overtrick.bots import BOTS, Budget, Choice, make_bot
from overtrick.games import Position, View, load
from strategies import VARIANTS, options_with_dealer, random_deal

# The scope puts all that is asked of a bot at a game together, so that its games are played once.
EVERYWHERE = pytest.mark.parametrize(
    ("name", "variant"), [(bot, game) for bot in BOTS for game in VARIANTS], scope="module"
)
BUDGET = Budget(nodes=50)


@dataclass
class Played:
    """A whole game with a bot at every seat: each decision, with the seed it was made by, and the record."""

    decisions: list[tuple[View, int, Choice]]
    record: dict[str, Any]


@lru_cache(maxsize=4)
def played(name: str, variant: str, seed: int) -> Played:
    rng, bot = random.Random(f"{variant} {seed}"), make_bot(name)
    game_name, options = options_with_dealer(variant, rng)
    game = load(game_name, **options)
    record: dict[str, Any] = {
        "overtrick": 1, "game": game_name, "options": options, "deals": [], "moves": [],
    }  # fmt: skip
    position, decisions = game.start(), []
    while not position.over:
        if position.needs_deal:
            record["deals"].append(random_deal(game_name, game.seats, rng))
            position = position.deal(record["deals"][-1])
            continue
        view, by = view_to_act(position), rng.getrandbits(32)
        choice = bot.choose(view, seed=by, budget=BUDGET)
        decisions.append((view, by, choice))
        assert choice.move in view.legal
        assert view.seat is not None
        record["moves"].append(position.record_move(view.seat, choice.move))
        position = position.play(record["moves"][-1])
    return Played(decisions, record)


def view_to_act(position: Position) -> View:
    return position.view(position.to_act)


@EVERYWHERE
def test_plays_whole_games_by_the_rules(name: str, variant: str) -> None:
    for seed in range(3):
        assert len(played(name, variant, seed).decisions) > 5


@EVERYWHERE
def test_the_same_view_and_seed_give_the_same_choice(name: str, variant: str) -> None:
    """Whatever a bot has thought about before: here nothing, and there the game so far."""
    for view, seed, choice in played(name, variant, 0).decisions:
        assert make_bot(name).choose(view, seed=seed, budget=BUDGET) == choice


@EVERYWHERE
def test_what_the_seat_cannot_know_changes_neither_move_nor_reason(name: str, variant: str) -> None:
    rng, bot, compared = random.Random(f"{name} {variant}"), make_bot(name), 0
    for seed in (1, 2):
        for moment in moments(played(name, variant, seed).record):
            position = moment.position()
            other = other_world(moment, position.to_act, rng)
            if other != position and rng.random() < 0.4:
                here, there = (bot.choose(view_to_act(p), seed=3, budget=BUDGET) for p in (position, other))
                assert here == there
                compared += 1
    assert compared >= 10


@EVERYWHERE
def test_gives_a_reason_that_can_be_said_and_sent(name: str, variant: str) -> None:
    for seed in range(3):
        for _, _, choice in played(name, variant, seed).decisions:
            said = str(choice.why)
            assert said.endswith(".")
            assert "%(" not in said
            json.dumps(dict(choice.why.params))


@pytest.mark.parametrize("name", BOTS)
def test_is_listed_with_a_title_and_one_sentence(name: str) -> None:
    info = BOTS[name]
    assert info.name == name
    assert info.title
    assert info.about.count(".") == 1
    assert info.about.endswith(".")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        make_bot("nobody")
