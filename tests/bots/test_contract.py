"""What every bot promises, at every game: found by looking at the registry, so that a new bot cannot be left out."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.worlds import moments, other_world
from overtrick.bots import BOTS, Budget, Choice, make_bot
from overtrick.games import Position, View, load
from strategies import VARIANTS, options_with_dealer, random_deal

EVERYWHERE = pytest.mark.parametrize(("name", "variant"), [(bot, game) for bot in BOTS for game in VARIANTS])
BUDGET = Budget(nodes=50)


def choices(name: str, variant: str, seed: int) -> Iterator[tuple[View, Choice]]:
    """Play a whole game with the bot at every seat, giving each decision before it is carried out."""
    yield from _play(name, variant, seed, record={})


def recorded(name: str, variant: str, seed: int) -> dict[str, Any]:
    """The record of the game that `choices` plays."""
    record: dict[str, Any] = {}
    for _ in _play(name, variant, seed, record):
        pass
    return record


def _play(name: str, variant: str, seed: int, record: dict[str, Any]) -> Iterator[tuple[View, Choice]]:
    rng, bot = random.Random(f"{variant} {seed}"), make_bot(name)
    game_name, options = options_with_dealer(variant, rng)
    record |= {"overtrick": 1, "game": game_name, "options": options, "deals": [], "moves": []}
    game = load(game_name, **options)
    position = game.start()
    while not position.over:
        if position.needs_deal:
            record["deals"].append(random_deal(game_name, game.seats, rng))
            position = position.deal(record["deals"][-1])
            continue
        view = view_to_act(position)
        choice = bot.choose(view, seed=rng.getrandbits(32), budget=BUDGET)
        yield view, choice
        assert view.seat is not None
        record["moves"].append(position.record_move(view.seat, choice.move))
        position = position.play(record["moves"][-1])


def view_to_act(position: Position) -> View:
    return position.view(position.to_act)


@EVERYWHERE
def test_plays_whole_games_by_the_rules(name: str, variant: str) -> None:
    for seed in range(3):
        legal = [choice.move in view.legal for view, choice in choices(name, variant, seed)]
        assert all(legal)
        assert len(legal) > 5


@EVERYWHERE
def test_the_same_view_and_seed_give_the_same_choice(name: str, variant: str) -> None:
    for view, _ in choices(name, variant, seed=4):
        first, again = (make_bot(name).choose(view, seed=9, budget=BUDGET) for _ in range(2))
        assert first == again


@EVERYWHERE
def test_what_the_seat_cannot_know_changes_neither_move_nor_reason(name: str, variant: str) -> None:
    rng, bot, compared = random.Random(f"{name} {variant}"), make_bot(name), 0
    for seed in (5, 6):
        for moment in moments(recorded(name, variant, seed)):
            position = moment.position()
            other = other_world(moment, position.to_act, rng)
            if other != position and rng.random() < 0.4:
                here, there = (bot.choose(view_to_act(p), seed=3, budget=BUDGET) for p in (position, other))
                assert here == there
                compared += 1
    assert compared >= 10


@EVERYWHERE
def test_gives_a_reason_that_can_be_said_and_sent(name: str, variant: str) -> None:
    for _, choice in choices(name, variant, seed=7):
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
