"""Means and shares with 95 % intervals. What was played on the same deals is one observation, not several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any, NamedTuple

Z = 1.959964
"""The normal distribution's 97.5 % point."""

_T_OF_FEW = (12.7062, 4.3027, 3.1824, 2.7764)
"""Student's 97.5 % point for 1 to 4 degrees of freedom."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval; the interval is None where one group of games cannot give any."""

    mean: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, rounded to six figures after the point."""
        return {key: None if value is None else round(value, 6) for key, value in self._asdict().items()}


def mean_of(groups: Sequence[float]) -> Estimate:
    """Return the mean of one value a group, all groups alike, with Student's interval."""
    mean = fmean(groups)
    if len(groups) < 2:
        return Estimate(mean, None, None)
    half = student(len(groups) - 1) * stdev(groups) / math.sqrt(len(groups))
    return Estimate(mean, mean - half, mean + half)


def share_of(groups: Sequence[float], cases: int) -> Estimate:
    """Return the mean of one share (0..1) a group, with Wilson's interval.

    cases: what was counted in all, such as games or bets. The number of independent cases follows from how much the
    groups differ (p (1 - p) over the squared standard error); where they do not differ at all it is the groups', so
    that a bot that won everything is not said to win for certain.
    """
    mean = fmean(groups)
    if len(groups) < 2:
        return Estimate(mean, None, None)
    error = stdev(groups) / math.sqrt(len(groups))
    t = student(len(groups) - 1)
    spread = mean * (1 - mean)
    if error > 1e-12:
        independent = spread / error**2
    else:
        independent = len(groups) if spread < 1e-12 else cases
    middle = (mean + t * t / (2 * independent)) / (1 + t * t / independent)
    half = t / (1 + t * t / independent)
    half *= math.sqrt(spread / independent + t * t / (4 * independent**2))
    return Estimate(mean, max(0.0, middle - half), min(1.0, middle + half))


def student(freedom: int) -> float:
    """Return the 97.5 % point of Student's distribution with so many degrees of freedom, right to 0.1 %.

    Table for 1 to 4; above, the series of R. A. Fisher and E. A. Cornish (1960).
    """
    if freedom <= len(_T_OF_FEW):
        return _T_OF_FEW[freedom - 1]
    z, v = Z, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )
