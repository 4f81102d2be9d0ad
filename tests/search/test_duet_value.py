"""What the end of a Duet round is worth to the search, and what follows for the forest token."""

from __future__ import annotations

import pytest

from overtrick.rules import duet, path
from overtrick.search import Search, Settings
from search.duet_rounds import Moment, moments


def room(moment: Moment) -> tuple[int, int]:
    """How many spaces lie between the tracker and the last uncovered one, at the low and the high end."""
    state = moment.position.states[0]
    return int(state["tracker"] - state["low"]), int(path.last_space(state) - state["tracker"])


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_forest_token_goes_to_the_end_further_from_the_tracker(level: int) -> None:
    chosen = set()
    for seed in range(20):
        for moment in moments(level, seed):
            low, high = room(moment)
            if moment.position.phase == "forest" and low != high:
                search = Search(moment.position.view(moment.seat), Settings(), seed=seed)
                search.run(400)
                assert (search.best == duet.FOREST) is (low > high), (low, high)
                chosen.add(search.best)
    assert chosen == {duet.FOREST, duet.FOREST + 1}
