"""Intervals hold what they promise, and agree with the textbook where it has figures."""

from __future__ import annotations

import math
from random import Random

import pytest

from overtrick.match.estimate import mean_of, share_of, student


@pytest.mark.parametrize(
    ("freedom", "point"),
    [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (7, 2.365), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_students_points_are_the_tables(freedom: int, point: float) -> None:
    assert student(freedom) == pytest.approx(point, rel=1.5e-3)


def test_a_mean_has_students_interval() -> None:
    mean, low, high = mean_of([1.0, 2.0, 3.0, 4.0])
    half = 3.1824 * math.sqrt(5 / 3) / 2
    assert (mean, low, high) == pytest.approx((2.5, 2.5 - half, 2.5 + half), rel=1e-3)


def test_one_group_gives_no_interval() -> None:
    assert mean_of([3.0]) == (3.0, None, None)
    assert share_of([1.0], 4) == (1.0, None, None)


def test_a_share_of_independent_games_has_wilsons_interval() -> None:
    groups = [1.0] * 90 + [0.0] * 10
    _, low, high = share_of(groups, 100)
    assert (low, high) == pytest.approx((0.8256, 0.9448), abs=0.003)


def test_winning_everything_is_not_said_to_be_certain() -> None:
    mean, low, high = share_of([1.0] * 100, 400)
    assert (mean, high) == pytest.approx((1.0, 1.0))
    assert low == pytest.approx(0.9621, abs=0.002)
    mean, low, high = share_of([0.0] * 100, 400)
    assert (mean, low) == pytest.approx((0.0, 0.0))
    assert high == pytest.approx(0.0379, abs=0.002)


def test_a_share_stays_between_0_and_1() -> None:
    rng = Random(5)
    for _ in range(300):
        groups = [rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0]) for _ in range(rng.randrange(2, 9))]
        mean, low, high = share_of(groups, 4 * len(groups))
        assert low is not None
        assert high is not None
        assert 0 <= low <= mean + 1e-12
        assert mean - 1e-12 <= high <= 1


def test_intervals_hold_the_truth_19_times_in_20() -> None:
    """Groups whose games hang together, as those on the same deals do: a group's chance is drawn, then 4 games."""
    rng = Random(11)
    held = [0, 0]
    for _ in range(1000):
        groups = []
        for _ in range(40):
            chance = rng.choice([0.1, 0.5])
            groups.append(sum(rng.random() < chance for _ in range(4)) / 4)
        for way, (_, low, high) in enumerate((mean_of(groups), share_of(groups, 160))):
            assert low is not None
            assert high is not None
            held[way] += low <= 0.3 <= high
    assert all(930 <= count <= 970 for count in held), held
