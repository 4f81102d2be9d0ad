"""Endings are solved over every world that is left."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from overtrick._jit import records
from overtrick.games import Position, View, load
from overtrick.rules import either
from overtrick.search import Search, Settings, verbs

GAMES = {"luz": {"players": 4}, "duet": {"level": 1}}
EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def cards_left(view: View) -> int:
    seen = view.observation[0]
    if view.game.name == "luz":
        return int(seen["held"][view.seat]).bit_count()
    return int(seen["hand_size"][view.seat])


def endings(game: str, *, cards: range, seeds: range) -> Iterator[Position]:
    """Moments at which the seat to act holds so many cards and has a choice."""
    for seed in seeds:
        rng = random.Random(f"{game} {seed}")
        board = load(game, **GAMES[game])
        position = board.start()
        while not position.over:
            if position.needs_deal:
                position = position.deal(board.random_deal(rng))
                continue
            view = position.view(position.to_act)
            if len(view.legal) > 1 and cards_left(view) in cards:
                yield position
            position = position.play(rng.choice(position.legal_moves()))


def text_of(position: Position) -> str:
    """All that can be told of a position: every card, and the gifts that are not yet exchanged."""
    return json.dumps(
        [position.state(), *(position.view(seat).to_json() for seat in range(position.game.seats))]
    )


def worlds_of(view: View) -> list[str]:
    """Every world that agrees with a view, by number, as text; each must look the same to the seat."""
    parts = verbs.PARTS[view.observation.dtype]
    know = records(parts.knowledge)
    seen: Any = records(view.observation.dtype)
    seen[0] = view.observation[0]
    verbs.ponder(seen[0], know[0])
    found = []
    for index in range(verbs.count_worlds(seen[0], know[0])):
        states, minds, again = records(parts.state), records(parts.mind), records(seen.dtype)
        verbs.world(seen[0], know[0], index, states[0], minds[0])
        found.append(text_of(Position(view.game, states)))
        either.observe(states[0], view.seat, again[0])
        assert again.tobytes() == view.observation.tobytes()
    return found


def mean_and_error(view: View, settings: Settings, nodes: int) -> tuple[float, float]:
    search = Search(view, settings, seed=3)
    search.run(nodes)
    best = search.estimates()[0]
    return best.mean, best.error


@EVERY_GAME
def test_every_world_is_written_once_and_looks_the_same_to_the_seat(game: str) -> None:
    seen = 0
    for position in endings(game, cards=range(2, 4), seeds=range(6)):
        view = position.view(position.to_act)
        worlds = worlds_of(view)
        assert len(set(worlds)) == len(worlds)
        assert text_of(position) in worlds
        seen += len(worlds) > 5
    assert seen > 8


@EVERY_GAME
def test_the_solvers_plan_is_at_least_as_good_as_playing_on_by_policy(game: str) -> None:
    compared = better = 0
    for position in endings(game, cards=range(2, 5), seeds=range(10)):
        view = position.view(position.to_act)
        solved = Search(view, Settings(exact=1024), seed=3)
        solved.run(1)
        if not solved.decided:
            continue
        flat, error = mean_and_error(view, Settings(bank=64, doubt=1e9), 20_000)
        exact = solved.estimates()[0].mean
        assert exact > flat - 4 * error - 0.02 * abs(flat) - 1e-9
        better += exact > flat + 4 * error + 1e-3
        compared += 1
    assert compared > 20
    assert better > 0


def test_with_one_choice_left_the_solver_gives_what_sampling_tends_to() -> None:
    """Two cards of Luz: what follows the choice is forced for the seat, so both count the same thing."""
    compared = 0
    for position in endings("luz", cards=range(2, 3), seeds=range(25)):
        view = position.view(position.to_act)
        solved = Search(view, Settings(exact=1024), seed=3)
        solved.run(1)
        flat, error = mean_and_error(view, Settings(bank=64, doubt=1e9), 20_000)
        assert solved.estimates()[0].mean == pytest.approx(flat, abs=5 * error + 0.01)
        compared += 1
    assert compared > 20


def test_what_is_too_large_to_solve_is_sampled() -> None:
    position = next(endings("luz", cards=range(9, 11), seeds=range(1)))
    search = Search(position.view(position.to_act), Settings(bank=16, doubt=1e9, exact=64), seed=1)
    search.run(200)
    assert not search.decided
    assert search.estimates()[0].worlds > 5
