"""The Duet playout policy: legal, repeatable, and from what the seat to act knows alone."""

from __future__ import annotations

from collections import Counter
from math import exp
from typing import Any

import pytest

from overtrick._jit import records
from overtrick.games.view import View
from overtrick.rules.rng import seeded
from overtrick.search import duet_policy, duet_worlds
from search.duet_rounds import Moment, Sampler, moments

LEVELS = pytest.mark.parametrize("level", [1, 2, 3])


def decisions(level: int, seed: int) -> list[Moment]:
    """Every moment of a game at which the policy is asked; it never plays on beyond a round."""
    return [moment for moment in moments(level, seed) if moment.position.phase != "forest"]


def logs(state: Any, actions: tuple[int, ...]) -> list[float]:
    """How likely each action is, as logarithms, for a mind that knows nothing yet."""
    mind = records(duet_worlds.MIND)
    duet_worlds.recall(state[0], mind[0])
    return [float(duet_policy.log_likelihood(state[0], mind[0], action)) for action in actions]


def chosen(state: Any, seed: int) -> int:
    mind = records(duet_worlds.MIND)
    duet_worlds.recall(state[0], mind[0])
    return int(duet_policy.choose(state[0], mind[0], seeded(seed)))


def legal_actions(moment: Moment) -> tuple[int, ...]:
    view: View = moment.position.view(moment.seat)
    return view.legal_actions


@LEVELS
def test_a_seat_acts_and_is_expected_to_act_alike_whatever_it_cannot_see(level: int) -> None:
    others: Counter[str] = Counter()
    for seed in range(8):
        for moment in decisions(level, seed):
            state, actions = moment.position.states.copy(), legal_actions(moment)
            weighed, choices = logs(state, actions), [chosen(state, luck) for luck in range(3)]
            sampler = Sampler(moment, seed=seed)
            for _ in range(4):
                sampler.draw()
                assert logs(sampler.state, actions) == weighed, moment
                assert [chosen(sampler.state, luck) for luck in range(3)] == choices, moment
                others[moment.position.phase] += sampler.state.tobytes() != state.tobytes()
    assert set(others) == {"play", "foxes", "decree", "gift", "move"}
    assert min(others.values()) > 50, "worlds that differ, whatever is asked"


@LEVELS
def test_chosen_actions_are_legal_and_repeat_from_their_seed(level: int) -> None:
    for seed in range(8):
        for moment in decisions(level, seed):
            state, actions = moment.position.states.copy(), legal_actions(moment)
            for luck in range(4):
                assert chosen(state, luck) in actions
                assert chosen(state, luck) == chosen(state, luck)


@LEVELS
def test_chances_of_the_legal_actions_sum_to_one(level: int) -> None:
    for seed in range(8):
        for moment in decisions(level, seed):
            chances = [exp(log) for log in logs(moment.position.states.copy(), legal_actions(moment))]
            assert sum(chances) == pytest.approx(1, abs=1e-5)
            assert min(chances) >= duet_policy.STRAY / len(chances) * 0.999
