"""Positions never change, say no to what is not theirs, and read every move that they write."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overtrick.errors import IllegalMove, InvalidRecord
from overtrick.games import Game, Position, load
from strategies import VARIANTS, random_record

GAMES = [load(name, **options) for name, options in VARIANTS.values()]


def dealt(game: Game, seed: int = 0) -> Position:
    return game.start().deal(game.random_deal(random.Random(seed)))


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_positions_stay_as_they_were_while_the_game_goes_on(variant: str) -> None:
    record = random_record(variant, 21, care=0.9)
    position, deals, kept = load(record["game"], **record["options"]).start(), iter(record["deals"]), []
    for move in record["moves"]:
        if position.needs_deal:
            position = position.deal(next(deals))
        kept.append((position, position.state(), position.view(0).to_json(), position.legal_moves()))
        position = position.play(move)
    for old, state, view, legal in kept:
        assert (old.state(), old.view(0).to_json(), old.legal_moves()) == (state, view, legal)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_what_is_done_to_a_views_json_changes_no_other_view(variant: str) -> None:
    record = random_record(variant, 5, care=0.9)
    position, deals = load(record["game"], **record["options"]).start(), iter(record["deals"])
    for move in record["moves"][:30]:
        if position.needs_deal:
            position = position.deal(next(deals))
        viewers = (None, *range(position.game.seats))
        views = position.views()
        before = json.dumps([view.to_json() for view in views])
        for view in views:
            spoil(view.to_json())
        again = [position.view(viewer) for viewer in viewers]
        assert json.dumps([view.to_json() for view in views]) == before
        assert json.dumps([view.to_json() for view in again]) == before
        position = position.play(move)


def spoil(value: Any) -> None:
    """Empty all that can be emptied."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            spoil(inner)
        value.clear()


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_state_of_a_position_can_not_be_written_to(game: Game) -> None:
    position = dealt(game)
    with pytest.raises(ValueError, match="read-only"):
        position.states["turn"] = 0
    with pytest.raises(ValueError, match="read-only"):
        position.view(0).observation["turn"] = 0


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_every_action_is_written_and_read_back_in_seat_notation(game: Game) -> None:
    position = dealt(game)
    for move in position.view(position.to_act).legal:
        action = game.seat_action(move)
        assert game.seat_moves(position.view(position.to_act).observation, [action]) == (move,)
    assert len(set(game.codes.values())) == len(game.codes)


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    move=st.text(max_size=12)
    | st.sampled_from(["play:", "bet:", "play:#", "move:", "gift:", "RESIGN", "play:R4 "])
)
def test_text_that_is_no_move_is_refused_as_one(game: Game, move: str) -> None:
    position = dealt(game)
    assert position.to_act is not None
    if move in game.codes:
        return
    with pytest.raises(IllegalMove):
        position.play(move)
    if move not in position.view(position.to_act).legal and move != "resign":
        with pytest.raises(IllegalMove):
            position.record_move(position.to_act, move)
        assert isinstance(position.view(position.to_act).why_not(move), IllegalMove)


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_seat_out_of_turn_is_refused_and_has_no_legal_moves(game: Game) -> None:
    position = dealt(game)
    assert position.to_act is not None
    for seat in set(range(game.seats)) - {position.to_act}:
        assert position.view(seat).legal == ()
        assert position.view(seat).to_json()["legal"] == []
        for move in position.view(position.to_act).legal:
            with pytest.raises(IllegalMove, match="not your turn"):
                position.record_move(seat, move)


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_seat_that_does_not_exist_has_no_view(game: Game) -> None:
    for seat in (-1, game.seats, 99):
        with pytest.raises(IndexError):
            dealt(game).view(seat)


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_deal_is_refused_where_none_is_awaited(game: Game) -> None:
    deal = game.random_deal(random.Random(0))
    with pytest.raises(InvalidRecord):
        game.start().deal(deal).deal(deal)


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_move_is_refused_where_a_deal_is_awaited(game: Game) -> None:
    for move in ("play:R4", "bet:3" if game.name == "luz" else "foxes:self"):
        with pytest.raises(IllegalMove, match="deal"):
            game.start().play(move)


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_position_that_awaits_a_deal_says_so_to_everybody(game: Game) -> None:
    position = game.start()
    assert (position.needs_deal, position.to_act, position.over, position.phase) == (
        True,
        None,
        False,
        "deal",
    )
    assert position.legal_moves() == []
    assert position.outcome() is None
    for viewer in (None, *range(game.seats)):
        assert position.view(viewer).to_json()["phase"] == "deal"


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_random_deals_are_taken_and_differ(game: Game) -> None:
    deals = [game.random_deal(random.Random(seed)) for seed in range(20)]
    assert len({str(deal) for deal in deals}) == 20
    for deal in deals:
        assert game.start().deal(deal).to_act is not None


def test_version_of_the_rules_is_a_number() -> None:
    assert {game.rules_version for game in GAMES} == {1}


@pytest.mark.parametrize("game", GAMES, ids=list(VARIANTS))
def test_views_made_together_hold_what_each_viewer_knows_and_lead_to_nothing_else(game: Game) -> None:
    position, size = dealt(game), game.observation_dtype.itemsize
    for viewer, view in zip((None, *range(game.seats)), position.views(), strict=True):
        assert view == position.view(viewer)
        assert not view.observation.flags.writeable
        base = view.observation
        while isinstance(base, np.ndarray):
            base = base.base
        assert len(base) == size
