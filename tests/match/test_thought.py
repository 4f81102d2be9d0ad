"""Thinking time: percentiles from buckets, and parts that add up."""

from __future__ import annotations

import json
from random import Random

import pytest

from overtrick.match.thought import Thought


def spent(times: list[float]) -> Thought:
    thought = Thought()
    for seconds in times:
        thought.add(seconds)
    return thought


def test_percentiles_are_right_to_a_hundredth() -> None:
    rng = Random(3)
    times = sorted(rng.lognormvariate(-6, 1.5) for _ in range(5000))
    thought = spent(times)
    for percent in (1, 50, 99):
        assert thought.percentile(percent) == pytest.approx(times[5000 * percent // 100 - 1], rel=0.0101)


def test_parts_add_up_to_the_whole_through_json() -> None:
    rng = Random(4)
    times = [rng.random() for _ in range(300)]
    parts = [json.loads(json.dumps(spent(times[i : i + 100]).to_json())) for i in (0, 100, 200)]
    assert Thought.of(parts).summary() == spent(times).summary()


def test_no_decisions_take_no_time() -> None:
    none = {"median": 0.0, "mean": 0.0, "p99": 0.0}
    assert Thought().summary() == {"decisions": 0, "decisions_per_s": 0.0, "ms": none}
