"""The simulation behind docs/scale.md keeps the laws that any queue keeps, and repeats."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture(scope="module")
def scale() -> ModuleType:
    sys.path.insert(0, str(BENCH))
    return importlib.import_module("scale")


def test_transactions_follow_each_other_and_what_comes_meanwhile_shares_the_next(scale: ModuleType) -> None:
    disk, unit = scale.Disk(), scale.DISK
    times = [disk.write(at * unit) / unit for at in (1.0, 1.2, 1.9, 2.5, 2.9, 3.5, 7.0)]
    assert times == pytest.approx([2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 8.0])


def test_a_lone_move_waits_for_its_steps_and_nothing_else(scale: ModuleType) -> None:
    partition = scale.Partition(rate=1.0)
    partition.run([(1.0, 0.002), (5.0, 0.002)], 10.0)
    assert partition.waits == pytest.approx([scale.CPU_MOVE + scale.DISK + 0.002] * 2)
    assert partition.busy == pytest.approx(2 * (scale.CPU_MOVE + 0.002) / 10)


def test_every_move_is_told_and_the_core_is_used_for_what_they_take(scale: ModuleType) -> None:
    (partition,) = scale.simulate(200.0, number=1, seed=5)
    tell = scale.VIEWERS * scale.CPU_VIEWER
    assert len(partition.waits) == pytest.approx(partition.rate * scale.SECONDS, rel=0.1)
    assert partition.busy == pytest.approx(
        len(partition.waits) * (scale.CPU_MOVE + tell) / scale.SECONDS, rel=1e-6
    )
    assert min(partition.waits) >= scale.CPU_MOVE + scale.DISK + tell - 1e-9


def test_more_moves_wait_longer(scale: ModuleType) -> None:
    few, many = (scale.simulate(rate, number=3, seed=1) for rate in (50.0, 320.0))
    assert max(p.busy for p in few) < min(p.busy for p in many)
    assert scale.row(few)[3] != scale.row(many)[3]
    assert float(scale.row(few)[3]) < float(scale.row(many)[3])


def test_a_seed_gives_the_same_figures_again(scale: ModuleType) -> None:
    assert scale.hot_partitions() == scale.hot_partitions()
    assert scale.death(5.0, 4) == scale.death(5.0, 4)
    assert scale.row(scale.simulate(100.0, number=1, seed=1)) != scale.row(
        scale.simulate(100.0, number=1, seed=9)
    )


def test_needs_grow_with_the_tables(scale: ModuleType) -> None:
    small, large = scale.Needs(1_000), scale.Needs(100_000)
    assert large.moves == 100 * small.moves
    assert large.bits == pytest.approx(100 * small.bits)
    assert large.cores / large.partitions <= scale.FULL
