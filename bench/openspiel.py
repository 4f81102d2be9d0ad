"""Both games for OpenSpiel (https://github.com/google-deepmind/open_spiel), a public framework for research on games.

Importing this makes `overtrick_luz` and `overtrick_duet` loadable by `pyspiel.load_game`. A state is one of ours; a
deal is a chance node; what a seat knows is its observation; worlds that agree with it are drawn as by our own search.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pyspiel

from overtrick._jit import kernel, records
from overtrick.games import Game, Position, View, load
from overtrick.games.game import bits_above
from overtrick.rules import either, rng
from overtrick.search import verbs

DEALS = 1000
"""Chance outcomes when a deal is awaited: outcome n is the deal that `Random(n)` shuffles."""

FAR = 100.0
"""Points that count as 1 in one deal of Luz; the most that can lie between a seat and the mean of the others is 90."""

BEST = 60.0
"""More than the most that a game of Duet can score."""


@kernel
def _facts(states: Any) -> tuple[int, int, int, int]:
    """Return the phase, the seat to act, the first action of its kind and the legal ones as bits above it."""
    state = states[0]
    return int(state.phase), int(state.turn), int(either.base(state)), int(either.legal(state))


@kernel
def _apply(states: Any, action: int) -> None:
    either.apply(states[0], action)


@kernel
def _score(states: Any, seat: int) -> int:
    return int(either.score(states[0], seat))


@kernel
def _ponder(seen: Any, know: Any) -> None:
    verbs.ponder(seen[0], know[0])


@kernel
def _sample(work: Any, states: Any, generator: Any) -> None:
    seen, know, minds = work
    verbs.sample(seen[0], know[0], states[0], minds[0], generator)


def _kind(name: str, players: range, utility: Any, parameters: dict[str, Any]) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=players.start,
        max_num_players=players.stop - 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=parameters,
    )


UTILITY = pyspiel.GameType.Utility
LUZ = _kind("overtrick_luz", range(3, 6), UTILITY.ZERO_SUM, {"players": 4, "dealer": 0, "whole": True})
DUET = _kind("overtrick_duet", range(2, 3), UTILITY.IDENTICAL, {"level": 1, "dealer": 0})
LONGEST = {"luz": 5 * 11 * 4, "duet": 3 * (11 * 3 + 12 * 2) + 2}
"""More decisions than any game has."""


class SpielGame(pyspiel.Game):
    """A game of ours as OpenSpiel has them. `whole` False: it ends with its first deal."""

    def __init__(self, name: str, kind: pyspiel.GameType, params: dict[str, Any]) -> None:
        options = {key: value for key, value in params.items() if key != "whole"}
        self.rules: Game = load(name, **options)
        self.whole = bool(params.get("whole", True))
        zero_sum = kind.utility == UTILITY.ZERO_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.actions,
            max_chance_outcomes=DEALS,
            num_players=self.rules.seats,
            min_utility=-1.0 if zero_sum else 0.0,
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=LONGEST[name],
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> SpielState:
        """Return the state that awaits the first deal."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """Return what OpenSpiel reads observations through."""
        return Observer(perfect_recall=kind is not None and kind.perfect_recall)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many deals there are at most."""
        return self.rules.max_deals


class LuzGame(SpielGame):
    """Luz: `players`, `dealer`, `whole`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__("luz", LUZ, params or {})


class DuetGame(SpielGame):
    """Duet: `level`, `dealer`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__("duet", DUET, params or {})


# Classes, for OpenSpiel holds what it is given until after the interpreter's end.
pyspiel.register_game(LUZ, LuzGame)
pyspiel.register_game(DUET, DuetGame)


class SpielState(pyspiel.State):
    """A moment of a game: one of our states, in an array of one that is replaced and never changed."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.states = game.rules.begun()
        self._renew()

    def show(self, states: Any) -> None:
        """Take over a state of ours."""
        self.states = states
        self._renew()

    def _renew(self) -> None:
        self._phase, self._turn, self._base, self._choices = _facts(self.states)

    def __deepcopy__(self, memo: Any) -> SpielState:
        return self._with(self.states)

    def _with(self, states: Any) -> SpielState:
        made = SpielState.__new__(SpielState)
        pyspiel.State.__init__(made, self.get_game())
        made.show(states)
        return made

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's sign for a deal that is awaited or a game that is over."""
        if self._turn >= 0:
            return self._turn
        if self._phase != either.WAITING or self._ended_early():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE)

    def _ended_early(self) -> bool:
        return not self.get_game().whole and _dealt(self.states) > 0

    def is_terminal(self) -> bool:
        """Return whether the game, or the one deal that is played, is over."""
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return bits_above(self._base, self._choices)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, all alike."""
        return [(deal, 1 / DEALS) for deal in range(DEALS)]

    def _apply_action(self, action: int) -> None:
        if self._turn < 0:
            rules = self.get_game().rules
            position = Position(rules, self.states.copy())
            self.show(position.deal(rules.random_deal(Random(action))).states)
        else:
            states = self.states.copy()
            _apply(states, action)
            self.show(states)

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.get_game().rules
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal:{action}"
        return str(rules.seat_moves(rules.observe(self.states, player), [action])[0])

    def returns(self) -> list[float]:
        """Return what the end is worth to each seat; zeros before it."""
        if not self.is_terminal():
            return [0.0] * self.get_game().num_players()
        return worths(self.get_game(), self.states)

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that the seat knows: the deal at hand from its beginning, and what the earlier ones came to."""
        return self._observed(player).tobytes().hex()

    def observation_string(self, player: int | None = None) -> str:
        """Return the seat's view, for people."""
        return json.dumps(View(self.get_game().rules, self._observed(player)).to_json())

    def _observed(self, player: int | None) -> Any:
        return self.get_game().rules.observe(self.states, self._turn if player is None else player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state in which the seat knows the same, each of them equally likely."""
        seen = self.get_game().rules.observe(self.states, player)
        generator = rng.seeded(int(sampler() * (1 << 52)))
        return self._with(world(seen, generator))

    def __str__(self) -> str:
        return self.states.tobytes().hex()


class Observer:
    """Observations as text; there are no tensors."""

    def __init__(self, *, perfect_recall: bool) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}
        self._perfect_recall = perfect_recall

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensors, of which there are none."""

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what the seat knows."""
        known = state.information_state_string if self._perfect_recall else state.observation_string
        return known(player)


def _dealt(states: Any) -> int:
    """Return the number of the deal or round that began last, 0 before the first."""
    return int(states["deal" if "deal" in states.dtype.names else "number"][0])


def worths(game: SpielGame, states: Any) -> list[float]:
    """Return what an end is worth to each seat: in Duet the score, in Luz the game, or the points of its one deal."""
    rules = game.rules
    if rules.name == "duet":
        return [_score(states, 0) / BEST] * 2
    n = rules.seats
    if game.whole:
        winner = int(rules.observe(states, None)["winner"][0])
        return [1.0 if seat == winner else -1.0 / (n - 1) for seat in range(n)]
    return above_the_others(states["by_deal"][0, _dealt(states) - 1, :n].tolist())


def above_the_others(points: list[float]) -> list[float]:
    """Return by how much each seat's points of a deal lie above the others' mean, as utilities."""
    total, others = sum(points), len(points) - 1
    return [(mine - (total - mine) / others) / FAR for mine in points]


class _Worlds:
    """Draws worlds for one observation after another, all of one game."""

    def __init__(self, dtype: Any) -> None:
        parts = verbs.PARTS[dtype]
        self._seen, self._know, self._minds = records(dtype), records(parts.knowledge), records(parts.mind)
        self._state = parts.state

    def draw(self, seen: Any, generator: Any) -> Any:
        if seen.tobytes() != self._seen.tobytes():
            self._seen[:] = seen
            self._know[:] = np.zeros(1, self._know.dtype)
            _ponder(self._seen, self._know)
        states = records(self._state)
        _sample((self._seen, self._know, self._minds), states, generator)
        return states


_worlds = cache(_Worlds)


def world(seen: Any, generator: Any) -> Any:
    """Return one of the states that agree with an observation, each equally likely; an array of one."""
    return _worlds(seen.dtype).draw(seen, generator)
