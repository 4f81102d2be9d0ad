"""A batch plays the same games as positions do, many at once."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.errors import IllegalMove
from overtrick.games import Batch, Game, Position, load
from strategies import VARIANTS

GAMES = [load(name, **options) for name, options in VARIANTS.values()]
IDS = list(VARIANTS)


def positions(batch: Batch) -> list[Position]:
    return [Position(batch.game, batch.states[i : i + 1].copy()) for i in range(len(batch))]


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_batch_steps_as_positions_play(game: Game) -> None:
    batch = Batch(game, 3, seed=5)
    while not batch.over.all():
        before, actions, mask = positions(batch), batch.random_actions(), batch.legal_mask()
        batch.step(actions)
        for i, (old, new) in enumerate(zip(before, positions(batch), strict=True)):
            assert np.flatnonzero(mask[i]).tolist() == list(old.view(old.to_act).legal_actions)
            if old.over:
                assert actions[i] == -1
                assert new.states.tobytes() == old.states.tobytes()
                continue
            after = old.play(game.record_moves(old.states, [int(actions[i])])[0])
            if not after.needs_deal:  # the batch deals by itself
                assert new.states.tobytes() == after.states.tobytes()
            else:
                assert new.state()["tricks"] == [0] * game.seats


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_batch_observes_what_views_hold(game: Game) -> None:
    batch = Batch(game, 4, seed=6)
    for _ in range(30):
        batch.step(batch.random_actions())
        for seat in range(game.seats):
            seen = batch.observe(seat)
            for i, position in enumerate(positions(batch)):
                assert seen[i].tobytes() == position.view(seat).observation.tobytes()
        seen = batch.observe()
        for i, position in enumerate(positions(batch)):
            assert seen[i].tobytes() == position.view(position.to_act).observation.tobytes()


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_batch_scores_are_those_of_the_outcomes(game: Game) -> None:
    batch = Batch(game, 50, seed=7)
    while not batch.over.all():
        batch.step(batch.random_actions())
    for position, points in zip(positions(batch), batch.scores().tolist(), strict=True):
        outcome = position.outcome()
        assert outcome is not None
        result = outcome.to_json()
        assert points == (result["scores"] if game.name == "luz" else [result["score"]] * 2)


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_illegal_action_changes_no_game_of_the_batch(game: Game) -> None:
    batch = Batch(game, 5, seed=8)
    for _ in range(12):
        batch.step(batch.random_actions())
    before = batch.states.tobytes()
    for wrong in (-1, game.actions, 2**40, -(2**62), int(np.flatnonzero(~batch.legal_mask()[2])[0])):
        actions = batch.random_actions()
        actions[2] = wrong
        with pytest.raises(IllegalMove, match="game 2"):
            batch.step(actions)
        assert batch.states.tobytes() == before


@pytest.mark.parametrize("shape", [(), (4,), (6,), (5, 1)])
def test_actions_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        Batch(load("luz"), 5, seed=0).step(np.zeros(shape, np.int64))


def test_same_seed_gives_the_same_games() -> None:
    one, two, other = (Batch(load("duet"), 20, seed=seed) for seed in (1, 1, 2))
    for _ in range(20):
        for batch in (one, two, other):
            batch.step(batch.random_actions())
    assert one.states.tobytes() == two.states.tobytes()
    assert one.states.tobytes() != other.states.tobytes()


def test_deals_of_a_batch_are_whole_and_different() -> None:
    for name, game in zip(IDS, GAMES, strict=True):
        hands = [position.state()["hands"] for position in positions(Batch(game, 200, seed=9))]
        for dealt in hands:
            cards = [card for hand in dealt for card in hand]
            assert len(set(cards)) == game.seats * game.hand_size, name
        assert len({str(dealt) for dealt in hands}) == 200
