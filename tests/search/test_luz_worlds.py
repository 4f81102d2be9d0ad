"""Worlds drawn for a Luz seat: all agree with its view, each as often as the others, as many as there are."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest

from overtrick._jit import records
from overtrick.games import Position
from overtrick.rules import luz
from overtrick.rules.rng import seeded
from overtrick.search import luz_deduce, luz_mind, luz_policy, luz_worlds
from search.luz_hands import midway, possible_hands

MOMENTS = [(players, tricks) for players in (3, 4, 5) for tricks in (0, 1, 3, 6, 9)]


class Sampler:
    """What it takes to draw worlds for the seat to act."""

    def __init__(self, position: Position, *, belief: float = 0.0) -> None:
        assert position.to_act is not None
        self.seat = position.to_act
        self.seen: Any = position.view(self.seat).observation
        self.know, self.state, self.mind = (
            records(luz_worlds.KNOWLEDGE),
            records(luz.STATE),
            records(luz_worlds.MIND),
        )
        self.know["belief"] = belief
        luz_worlds.ponder(self.seen[0], self.know[0])
        self.rng = seeded(5)

    def draw(self) -> float:
        weight = luz_worlds.sample(self.seen[0], self.know[0], self.state[0], self.mind[0], self.rng)
        return float(weight)


@pytest.mark.parametrize(("players", "tricks"), MOMENTS)
def test_every_world_gives_back_the_same_view(players: int, tricks: int) -> None:
    for seed in range(5):
        sampler = Sampler(midway(players, seed, plies=players + players * tricks + seed % players))
        seen = records(luz.OBSERVATION)
        for _ in range(50):
            sampler.draw()
            seen[:] = np.zeros(1, luz.OBSERVATION)
            luz.observe(sampler.state[0], sampler.seat, seen[0])
            assert seen.tobytes() == sampler.seen.tobytes()


@pytest.mark.parametrize(("players", "tricks"), [(3, 3), (4, 0), (4, 4), (5, 5), (4, 7)])
def test_the_number_of_worlds_is_that_of_counting_them(players: int, tricks: int) -> None:
    for seed in range(3):
        position = midway(players, seed, plies=players + players * tricks + 1)
        sampler = Sampler(position)
        known = luz_worlds.count_worlds(sampler.seen[0], sampler.know[0])
        if known < 50_000:
            assert known == sum(1 for _ in possible_hands(position, sampler.seat))


@pytest.mark.parametrize(("players", "tricks", "seed"), [(3, 6, 1), (4, 6, 2), (4, 7, 3), (5, 6, 4)])
def test_each_world_is_drawn_as_often_as_the_others(players: int, tricks: int, seed: int) -> None:
    position = midway(players, seed, plies=players + players * tricks)
    sampler = Sampler(position)
    hands = set(possible_hands(position, sampler.seat))
    assert 2 <= len(hands) <= 2000, "a case to count"
    draws = 40 * len(hands)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        sampler.draw()
        counts[tuple(sampler.state["hand"][0, sampler.seat].tolist())] += 1
    assert set(counts) <= hands
    chi_square = sum((counts[hand] - 40) ** 2 / 40 for hand in hands)
    freedom = len(hands) - 1
    assert chi_square < freedom + 4 * sqrt(2 * freedom) + 8


@pytest.mark.parametrize(("players", "tricks"), MOMENTS)
def test_odds_and_ranges_are_those_of_counting_every_hand(players: int, tricks: int) -> None:
    checked = 0
    for seed in range(4):
        position = midway(players, seed, plies=players + players * tricks + 1)
        sampler = Sampler(position)
        if luz_worlds.count_worlds(sampler.seen[0], sampler.know[0]) > 100_000:
            continue
        table, low, high = np.zeros((10, 60)), np.zeros(10, np.int8), np.zeros(10, np.int8)
        luz_deduce.odds(sampler.seen[0], sampler.know[0], table)
        luz_deduce.ranges(table, low, high)
        hands = np.array(list(possible_hands(position, sampler.seat)))
        for place in range(luz.HAND):
            if not int(sampler.seen["held"][0, sampler.seat]) >> place & 1:
                assert not table[place].any()
                assert low[place] == high[place] == luz.NONE
                continue
            assert table[place] == pytest.approx(np.bincount(hands[:, place], minlength=60) / len(hands))
            assert (low[place], high[place]) == (hands[:, place].min(), hands[:, place].max())
            checked += 1
    assert checked


@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_seats_think_stays_as_thought_anew_while_cards_fall(players: int) -> None:
    sampler = Sampler(midway(players, 8, plies=0))
    sampler.draw()
    state, mind, anew = sampler.state, sampler.mind, records(luz_worlds.MIND)
    while not luz_policy.settled(state[0]):
        luz_policy.act(state[0], mind[0], luz_policy.choose(state[0], mind[0], sampler.rng))
        luz_mind.recall(state[0], anew[0])
        for field in ("aside", "cards", "in_hands"):
            assert np.array_equal(mind[field], anew[field])
        for seat in range(players):
            for place in range(luz.HAND):
                if int(state["held"][0, seat]) >> place & 1:
                    for field in ("unseen", "spot", "value"):
                        assert mind[field][0, seat, place] == anew[field][0, seat, place]


def test_weighing_a_world_leaves_it_as_drawn_and_tells_worlds_apart() -> None:
    position = midway(4, 2, plies=4 + 4 * 5)
    plain, weighed = Sampler(position), Sampler(position, belief=1.0)
    weights = set()
    for _ in range(30):
        assert plain.draw() == 0.0
        weights.add(weighed.draw())
        assert plain.state.tobytes() == weighed.state.tobytes()
    assert len(weights) > 1
    assert max(weights) <= 0.0
