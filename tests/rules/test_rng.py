"""Random numbers in kernels: even, repeatable, and apart from each other when asked for."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.rules.rng import below, branch, seeded


def draws(rng: np.ndarray, n: int, bound: int) -> list[int]:
    return [int(below(rng, bound)) for _ in range(n)]


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others() -> None:
    assert draws(seeded(3), 50, 1000) == draws(seeded(3), 50, 1000)
    assert draws(seeded(3), 50, 1000) != draws(seeded(4), 50, 1000)


def test_every_number_below_the_bound_comes_as_often() -> None:
    counts = np.bincount(draws(seeded(8), 12_000, 12), minlength=12)
    assert ((counts - 1000) ** 2 / 1000).sum() < 31.3  # chi-square, 11 degrees of freedom, 1 in 1000


def test_branches_of_one_generator_have_nothing_in_common() -> None:
    rng = seeded(5)
    branches = [np.array([branch(rng)], np.uint64) for _ in range(40)]
    rows = np.array([draws(one, 200, 1 << 30) for one in [*branches, rng]])
    assert len(np.unique(rows)) == rows.size  # no sequence is another one shifted
    pairs = np.corrcoef(rows)[np.triu_indices(len(rows), 1)]
    assert float(np.abs(pairs).max()) < 0.35
    assert float(pairs.mean()) == pytest.approx(0, abs=0.02)
