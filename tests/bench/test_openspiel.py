"""Our games in OpenSpiel: its own checks pass, and its search plays them as any bot does."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from overtrick.bots import Budget
from overtrick.games import load
from overtrick.match import make_setting, parse_entrant
from overtrick.match.arena import play_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no package for this machine")

BENCH = Path(__file__).parents[2] / "bench"

GAMES = {
    "luz-3": ("overtrick_luz", {"players": 3}),
    "luz-4": ("overtrick_luz", {"players": 4, "dealer": 2}),
    "luz-5": ("overtrick_luz", {"players": 5}),
    "luz-deal": ("overtrick_luz", {"players": 4, "whole": False}),
    "duet-1": ("overtrick_duet", {"level": 1}),
    "duet-3": ("overtrick_duet", {"level": 3, "dealer": 1}),
}


def module(name: str) -> ModuleType:
    sys.path.insert(0, str(BENCH))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCH))


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    module("openspiel")
    return pyspiel.load_game(*request.param)


def test_openspiels_own_checks_pass(game: Any, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    capfd.readouterr()  # it prints every step


def test_whole_games_end_as_ours_do(game: Any) -> None:
    options = {key: value for key, value in game.get_parameters().items() if key != "whole"}
    whole = game.get_parameters().get("whole", True)
    rng = Random(4)
    for _ in range(5):
        ours = load(game.get_type().short_name.removeprefix("overtrick_"), **options)
        position, state = ours.start(), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                deal = rng.randrange(1000)
                state.apply_action(deal)
                position = position.deal(ours.random_deal(Random(deal)))
                continue
            assert state.current_player() == position.to_act
            assert state.legal_actions() == list(position.view(position.to_act).legal_actions)
            action = rng.choice(state.legal_actions())
            position = position.play(ours.record_moves(position.states, [action])[0])
            state.apply_action(action)
        assert position.over or (not whole and position.needs_deal)
        if whole:
            check_returns(state.returns(), position)


def check_returns(returns: list[float], position: Any) -> None:
    result = position.outcome().to_json()
    if "winner" in result:
        assert returns.index(max(returns)) == result["winner"]
        assert sum(returns) == pytest.approx(0)
    else:
        assert returns == [result["score"] / 60] * 2


def test_a_resampled_state_is_the_same_to_its_seat_and_another_to_the_rest(game: Any) -> None:
    rng, changed = Random(9), 0
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.randrange(1000))
            continue
        seat = state.current_player()
        other = state.resample_from_infostate(seat, sampler)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.legal_actions() == state.legal_actions()
        changed += str(other) != str(state)
        state.apply_action(rng.choice(state.legal_actions()))
    assert changed > 20


def test_its_search_plays_a_game_of_ours() -> None:
    rival = module("ismcts").Ismcts("ismcts", Budget(nodes=20))
    setting = make_setting("luz", {}, [parse_entrant("uniform"), rival], seed=3)
    ended = play_game(setting, (0, 0), with_record=True)
    assert ended["thought"]["ismcts@nodes=20"]["decisions"] > 60
    assert len(ended["record"]["moves"]) == 176


def test_a_match_with_it_says_who_won() -> None:
    found = module("ismcts")
    rival = found.Ismcts("ismcts", Budget(nodes=10))
    report = found.match(parse_entrant("rules_of_thumb"), rival, 2, seed=1, jobs=1)
    json.dumps(report)
    assert report["games"] == 4
    assert 0 <= report["won_by"]["rules_of_thumb"]["mean"] <= 1
