"""How long a searching bot thinks: as long as it is told, and no longer once it is stopped."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from overtrick.bots import Budget, make_bot
from overtrick.bots.searcher import PORTION, searched
from overtrick.games import View, load
from overtrick.search import Search, Settings

PATIENT = Settings(bank=16, doubt=1e9)
EVERY_GAME = pytest.mark.parametrize("game", ["luz", "duet"])


def a_view(game: str) -> View:
    position = load(game).start()
    position = position.deal(position.game.random_deal(random.Random(4)))
    return position.view(position.to_act)


def at_the(last: int) -> Callable[[], bool]:
    """Return what says no until it is asked for the `last` time."""
    answers = iter([False] * (last - 1) + [True])
    return lambda: next(answers)


@EVERY_GAME
def test_a_search_that_is_stopped_ends_with_what_it_has_found(game: str) -> None:
    view = a_view(game)
    search = Search(view, PATIENT, seed=1)
    action = searched(search, Budget(nodes=10**9, stopped=at_the(3)))
    assert action in view.legal_actions
    assert 3 * PORTION <= search.nodes < 3 * (PORTION + len(view.legal_actions))


@EVERY_GAME
def test_a_budget_in_nodes_is_spent_to_the_last_world(game: str) -> None:
    view = a_view(game)
    search = Search(view, PATIENT, seed=1)
    searched(search, Budget(nodes=1000))
    assert 1000 <= search.nodes < 1000 + len(view.legal_actions)


@EVERY_GAME
def test_a_budget_in_milliseconds_ends_the_search(game: str) -> None:
    view = a_view(game)
    search = Search(view, PATIENT, seed=1)
    searched(search, Budget(milliseconds=0.001))
    assert PORTION <= search.nodes < PORTION + len(view.legal_actions)


@EVERY_GAME
@pytest.mark.parametrize("level", ["medium", "strong"])
def test_where_no_limit_is_named_the_level_has_its_own(game: str, level: str) -> None:
    view = a_view(game)
    assert make_bot(level).choose(view, seed=1, budget=Budget()).move in view.legal
