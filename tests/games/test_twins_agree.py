"""The engine and the naive twins agree at every step of whole random games, compiled or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from games.agreement import check_board, check_game
from strategies import VARIANTS, seeds

TESTS = Path(__file__).parents[1]


games = settings(
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # a smaller seed is not a smaller game
)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_engine_and_twin_agree_on_moves_state_result_and_every_view(variant: str) -> None:
    @settings(games, max_examples=40 if variant.startswith("duet") else 6)
    @given(seed=seeds)
    def agree(seed: int) -> None:
        check_game(variant, seed)

    agree()


@settings(games, max_examples=60)
@given(seed=seeds)
def test_engine_and_twin_agree_on_boards_of_any_shape(seed: int) -> None:
    check_board(seed)


def agree_in_a_process(games: int, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "games.agreement", "--games", str(games), "--seed", "1000"],
        env={**os.environ, "PYTHONPATH": str(TESTS), **environment},
        cwd=TESTS,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_engine_and_twin_agree_with_every_index_checked() -> None:
    assert "positions agree" in agree_in_a_process(3, NUMBA_BOUNDSCHECK="1")


@pytest.mark.jit_off
def test_engine_and_twin_agree_with_the_compiler_off() -> None:
    assert "positions agree" in agree_in_a_process(1, NUMBA_DISABLE_JIT="1")
