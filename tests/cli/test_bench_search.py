"""`overtrick bench search`: figures of what it says that it measures."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from overtrick._jit import records
from overtrick.cli import bench_search
from overtrick.cli.bench import SETUPS
from overtrick.cli.main import app
from overtrick.games import Position, load
from overtrick.rules.rng import seeded
from overtrick.search import measure

EVERYWHERE = pytest.mark.parametrize(("name", "options"), SETUPS)


def cards_left(position: Position, seat: int) -> int:
    view = position.view(seat).to_json()
    return len(view["hands"][seat]) if position.game.name == "luz" else int(view["hand_sizes"][seat])


@EVERYWHERE
@pytest.mark.parametrize("tricks", [0, 5])
def test_moments_are_the_beginning_of_the_trick_that_is_named(
    name: str, options: dict[str, int], tricks: int
) -> None:
    game = load(name, **options)
    made = measure.moments(game, tricks=tricks, number=8, seed=3)
    for i in range(8):
        position = Position(game, made.states[i : i + 1])
        assert position.to_act is not None
        assert [cards_left(position, seat) for seat in range(game.seats)] == [
            game.hand_size - tricks
        ] * game.seats
        assert position.view(position.to_act).observation.tobytes() == made.seen[i : i + 1].tobytes()
        assert position.view(None).phase == ("bet" if name == "luz" and tricks == 0 else "play")


@EVERYWHERE
def test_what_is_measured_repeats_for_a_seed(name: str, options: dict[str, int]) -> None:
    game = load(name, **options)
    made = [measure.moments(game, tricks=5, number=6, seed=seed) for seed in (1, 1, 2)]
    first, again, other = (moments.states.tobytes() for moments in made)
    assert first == again != other
    sums = [playouts_from(made[which], seed) for which, seed in ((0, 7), (1, 7), (0, 8))]
    assert sums[0] == sums[1] != sums[2]
    assert made[0].states.tobytes() == first


def playouts_from(made: measure.Moments, seed: int) -> float:
    state, mind = records(made.states.dtype), records(made.minds.dtype)
    return float(measure.playouts(made, state, mind, seeded(seed), 5))


@EVERYWHERE
def test_only_worlds_drawn_with_belief_weigh_what_the_others_did(name: str, options: dict[str, int]) -> None:
    made = measure.moments(load(name, **options), tricks=5, number=6, seed=1)
    room: Any = records(made.states.dtype), records(made.minds.dtype)
    assert measure.draws(made, 0.0, *room, seeded(1), 5) == 0.0
    assert measure.draws(made, 0.8, *room, seeded(1), 5) != 0.0


@EVERYWHERE
def test_the_odds_that_are_measured_are_written(name: str, options: dict[str, int]) -> None:
    made = measure.moments(load(name, **options), tricks=5, number=6, seed=1)
    measure.odds(made, 1)
    if name == "luz":
        assert np.allclose(made.odds.sum(axis=1)[made.odds.any(axis=1)], 1.0)
        assert made.odds.any(axis=1).sum() >= 5
    else:
        assert made.odds.sum() == pytest.approx(6.0)


def test_every_game_has_its_figures_beside_the_machines_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_search, "MOMENTS", 8)  # a quarter: what is tested is that each has its figures
    shown = CliRunner().invoke(app, ["bench", "search", "--json", "--repeats", "1", "--seconds", "0.001"])
    assert shown.exit_code == 0, shown.output
    report = json.loads(shown.stdout)
    assert {"processor", "load_before", "load_after", "numba"} <= set(report["machine"])
    assert len(report["search"]) == len(SETUPS)
    for row, (name, options) in zip(report["search"], SETUPS, strict=True):
        assert row["game"] == name
        assert options.items() <= row.items()
        rates = [figures["best"] for trick in ("trick_1", "trick_6") for figures in row[trick].values()]
        assert min(rates) > 0
        assert 0 < row["endings"]["solved"] <= row["endings"]["asked"]
        assert row["endings"]["solve_ms"]["best"] <= row["endings"]["slowest_ms"]
