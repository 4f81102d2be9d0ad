"""How long decisions took: counted in buckets, so that millions of them stay small and still give a percentile."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = math.log(1.02)
"""A bucket is 2 % wide, so a percentile is right to 1 %."""


class Thought:
    """The thinking time of one bot: decisions, seconds in all, and a histogram of the logarithm."""

    __slots__ = ("buckets", "decisions", "seconds")

    def __init__(self) -> None:
        self.decisions = 0
        self.seconds = 0.0
        self.buckets: Counter[int] = Counter()

    def add(self, seconds: float) -> None:
        """Count one decision."""
        self.decisions += 1
        self.seconds += seconds
        self.buckets[round(math.log(max(seconds, 1e-9)) / WIDTH)] += 1

    def percentile(self, percent: float) -> float:
        """Return the seconds within which so many of 100 decisions were made; 0.0 if there were none."""
        left = math.ceil(self.decisions * percent / 100)
        for bucket in sorted(self.buckets):
            left -= self.buckets[bucket]
            if left <= 0:
                return math.exp(bucket * WIDTH)
        return 0.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; `of` reads it back."""
        return {"decisions": self.decisions, "seconds": round(self.seconds, 9), "buckets": dict(self.buckets)}

    @classmethod
    def of(cls, data: Iterable[Mapping[str, Any]]) -> Thought:
        """Return what several of them come to together."""
        total = cls()
        for part in data:
            total.decisions += part["decisions"]
            total.seconds += part["seconds"]
            total.buckets.update({int(bucket): count for bucket, count in part["buckets"].items()})
        return total

    def summary(self) -> dict[str, Any]:
        """Return the figures that a match reports."""
        rate = self.decisions / self.seconds if self.seconds else 0.0
        mean = self.seconds / self.decisions if self.decisions else 0.0
        return {
            "decisions": self.decisions,
            "decisions_per_s": round(rate, 1),
            "ms": {
                "median": _ms(self.percentile(50)),
                "mean": _ms(mean),
                "p99": _ms(self.percentile(99)),
            },
        }


def _ms(seconds: float) -> float:
    return float(f"{1000 * seconds:.3g}")
