"""What the end of a Duet round is worth to the search, and what follows for the forest token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from overtrick.search import Search, Settings, duet_value
from search.duet_rounds import Moment, moments


def forest_choices(level: int) -> Iterator[Moment]:
    for seed in range(30):
        for moment in moments(level, seed):
            if moment.position.phase == "forest":
                yield moment


def worth_of(state: Any) -> float:
    return float(duet_value.worth(state[0], 0))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_forest_token_goes_to_the_end_that_leaves_more_points_to_expect(level: int) -> None:
    chosen = set()
    for moment in forest_choices(level):
        search = Search(moment.position.view(moment.seat), Settings(), seed=1)
        search.run(400)
        ends = {end: worth_of(moment.position.play(end).states) for end in moment.position.legal_moves()}
        best = max(ends, key=ends.__getitem__)
        if len(ends) == 2 and max(ends.values()) - min(ends.values()) > 1e-6:
            view = moment.position.view(moment.seat)
            assert view.game.seat_moves(view.observation, [search.best]) == (best,)
            chosen.add(best)
    assert len(chosen) == 2


def mirrored(states: Any) -> Any:
    """The same board with its ends exchanged."""
    turned, last = states.copy(), int(states["spaces"][0]) - 1
    turned["tracker"], turned["start"] = last - states["tracker"], last - states["start"]
    turned["low"], turned["high"] = states["high"], states["low"]
    turned["gems"][0, : last + 1] = states["gems"][0, last::-1]
    return turned


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_board_and_its_mirror_image_are_worth_the_same(level: int) -> None:
    for moment in forest_choices(level):
        states = moment.position.states
        assert worth_of(mirrored(states)) == pytest.approx(worth_of(states))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_gem_less_to_find_is_worth_more(level: int) -> None:
    for moment in forest_choices(level):
        states = moment.position.states
        fewer = states.copy()
        space = int(np.argmax(fewer["gems"][0]))
        fewer["gems"][0, space] -= 1
        fewer["gems_left"] -= 1
        assert worth_of(fewer) > worth_of(states)
