"""What every search promises, at both games: it repeats, stops, ends, and finds what is plain."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator

import pytest

from overtrick.games import Position, load
from overtrick.search import Search, Settings

GAMES = {"luz": {"players": 4}, "duet": {"level": 2}}
FLAT = Settings(bank=32, belief=0.5)
TREE = Settings(bank=32, belief=0.5, depth=3, tree=1 << 10)
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
EVERY_KIND = pytest.mark.parametrize("settings", [FLAT, TREE], ids=["flat", "tree"])


def positions(game: str, seed: int, *, most: int = 12) -> Iterator[Position]:
    """Moments of a random game at which there is a choice."""
    rng = random.Random(f"{game} {seed}")
    board = load(game, **GAMES[game])
    position = board.start()
    while not position.over and most:
        if position.needs_deal:
            position = position.deal(board.random_deal(rng))
            continue
        if len(position.legal_moves()) > 1 and rng.random() < 0.5:
            most -= 1
            yield position
        position = position.play(rng.choice(position.legal_moves()))


def search_at(position: Position, settings: Settings, seed: int = 1) -> Search:
    return Search(position.view(position.to_act), settings, seed=seed)


@EVERY_GAME
@EVERY_KIND
def test_the_same_seed_and_nodes_give_the_same_estimates_in_whatever_portions(
    game: str, settings: Settings
) -> None:
    for position in positions(game, 1):
        at_once, in_portions = search_at(position, settings), search_at(position, settings)
        at_once.run(2000)
        while in_portions.nodes < at_once.nodes:
            assert in_portions.run(1)
        assert in_portions.estimates() == at_once.estimates()
        assert in_portions.best == at_once.best


@EVERY_GAME
@EVERY_KIND
def test_the_best_action_is_legal_and_the_portion_kept(game: str, settings: Settings) -> None:
    for position in positions(game, 2):
        search = search_at(position, settings)
        legal = position.view(position.to_act).legal_actions
        assert search.best in legal
        made = search.run(500)
        assert 0 < made < 500 + len(legal)
        assert search.best in legal
        assert {estimate.action for estimate in search.estimates()} <= set(legal)


@EVERY_GAME
def test_a_search_ends_by_itself_once_it_is_decided(game: str) -> None:
    easy_going = Settings(bank=32, enough=10.0)
    for position in positions(game, 3):
        search = search_at(position, easy_going)
        search.run(1_000_000)
        assert search.decided
        assert search.nodes < 10_000
        assert search.run(100) == 0


@EVERY_GAME
def test_estimates_of_a_longer_search_lie_within_the_errors_of_a_shorter_one(game: str) -> None:
    """Unbiased: what a search thinks does not drift with the number of worlds."""
    patient = Settings(bank=16, doubt=1e9)
    far_off = total = 0
    for position in positions(game, 4):
        short, long = search_at(position, patient, seed=1), search_at(position, patient, seed=2)
        short.run(1000)
        long.run(20_000)
        mean = {estimate.action: estimate for estimate in long.estimates()}
        for estimate in short.estimates():
            other = mean[estimate.action]
            error = (estimate.error**2 + other.error**2) ** 0.5
            far_off += abs(estimate.mean - other.mean) > 4 * error + 1e-3
            total += 1
    assert total > 30
    assert far_off <= 0.03 * total


@EVERY_GAME
def test_a_running_search_leaves_the_interpreter_to_others(game: str) -> None:
    """While a thread searches, this one goes on: the search holds no lock of Python's."""
    search = search_at(next(positions(game, 5)), Settings(bank=32, doubt=1e9))
    search.run(1)
    thread = threading.Thread(target=search.run, args=(200_000,))
    began = time.perf_counter()
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
    took = time.perf_counter() - began
    thread.join()
    assert steps > 1000 * took


@EVERY_GAME
def test_shown_the_truth_it_estimates_one_world(game: str) -> None:
    for position in positions(game, 6, most=4):
        search = Search.of_the_truth(position, Settings(bank=64, exact=64), seed=1)
        search.run(300)
        assert search.best in position.view(position.to_act).legal_actions
        assert search._work.worlds.tobytes() == position.states.tobytes()


def test_a_seat_that_is_not_to_act_cannot_search() -> None:
    position = next(positions("luz", 7))
    assert position.to_act is not None
    with pytest.raises(ValueError, match="to act"):
        Search(position.view((position.to_act + 1) % 4), FLAT, seed=1)
