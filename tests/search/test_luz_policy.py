"""The Luz playout policy: legal, repeatable, and from what the seat knows alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overtrick._jit import records
from overtrick.games import Position
from overtrick.rules import luz
from overtrick.rules.bits import count
from overtrick.rules.rng import seeded
from overtrick.search import luz_history, luz_mind, luz_model, luz_policy, luz_value, luz_worlds
from search.luz_hands import midway


def thinking(position: Position) -> tuple[Any, Any]:
    """Return the position's state, to write on, and what its seats think."""
    state, mind = position.states.copy(), records(luz_mind.MIND)
    luz_mind.recall(state[0], mind[0])
    return state, mind


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("plies", [0, 2, 6, 17, 33])
def test_a_seat_weighs_its_actions_alike_whatever_it_cannot_see(players: int, plies: int) -> None:
    for seed in range(5):
        position = midway(players, seed, min(plies, 11 * players - 2))
        seat = position.to_act
        assert seat is not None
        state, mind = thinking(position)
        legal = luz_model.weigh(state[0], mind[0])
        chances = {action: float(mind["weight"][0, action]) for action in range(32) if legal >> action & 1}
        assert sum(chances.values()) == pytest.approx(1, abs=1e-4)
        know = records(luz_worlds.KNOWLEDGE)
        seen = position.view(seat).observation
        luz_worlds.ponder(seen[0], know[0])
        rng = seeded(seed)
        for _ in range(20):
            luz_worlds.sample(seen[0], know[0], state[0], mind[0], rng)
            assert luz_model.weigh(state[0], mind[0]) == legal
            for action, chance in chances.items():
                assert float(mind["weight"][0, action]) == chance


@pytest.mark.parametrize("players", [3, 4, 5])
def test_whole_deals_are_played_by_legal_actions_of_positive_chance(players: int) -> None:
    for seed in range(20):
        state, mind = thinking(midway(players, seed, 0))
        rng = seeded(seed)
        acts = 0
        while not luz_policy.settled(state[0]):
            legal = luz.legal(state[0])
            action = luz_policy.choose(state[0], mind[0], rng)
            assert legal >> action & 1
            if count(legal) > 1:
                assert mind["weight"][0, action] > 0
            luz_policy.act(state[0], mind[0], action)
            acts += 1
        assert acts == players * 11


def test_a_deal_rewound_and_acted_again_is_the_same_deal() -> None:
    for players in (3, 4, 5):
        position = midway(players, 4, plies=players + 15)
        state, past, mind = position.states, records(luz.STATE), records(luz_mind.MIND)
        luz_history.rewind(state[0], past[0])
        luz_mind.recall(past[0], mind[0])
        for i in range(int(state["logged"][0])):
            luz_policy.act(past[0], mind[0], int(state["log"][0, i]))
        for field in ("hand", "held", "bets", "safety", "tricks", "trick"):
            assert np.array_equal(past[field][0, :players], state[field][0, :players]), field
        for field in ("turn", "leader", "laid", "taken", "logged", "log"):
            assert np.array_equal(past[field], state[field]), field


def test_what_points_are_worth_depends_on_the_deals_to_come() -> None:
    state = records(luz.STATE)
    luz.begin(state[0], 4, 0, luz.NONE)
    state["scores"][0, :4] = [20, 0, 0, 0]
    ahead = []
    for deal in (1, 2, 3):
        state["deal"] = deal
        shares = [luz_value.worth(state[0], seat) for seat in range(4)]
        assert shares[0] > shares[1] == shares[2] == shares[3]
        ahead.append(shares[0])
    assert ahead == sorted(ahead)
    state["deal"], state["phase"] = 4, luz.OVER
    winner, second = (luz_value.worth(state[0], seat) for seat in (0, 1))
    assert winner > second + 0.5


def test_what_is_revealed_names_the_value_that_falls() -> None:
    position = midway(4, 1, plies=4)
    state, _ = thinking(position)
    seat = int(state["turn"][0])
    shown = {luz_policy.revealed(state[0], place, seat) for place in range(luz.HAND)}
    assert len(shown) == luz.HAND
    other = state.copy()
    other["hand"][0, seat, 0] += 1
    assert luz_policy.revealed(other[0], 0, seat) != luz_policy.revealed(state[0], 0, seat)
