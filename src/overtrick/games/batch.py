"""Many games at once, as arrays: the interface that search and research stand on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick._jit import records
from overtrick.errors import N_, IllegalMove
from overtrick.games import kernels
from overtrick.games.game import Game
from overtrick.rules.rng import seeded


class Batch:
    """`n` games side by side, each dealt at random from `seed`; the next deal of a game comes by itself.

    Arrays have one element a game: `states` (STATE of the game's rules module), `to_act` (int8, -1: over) and
    `over` (bool). Actions are the game's ints, 0..game.actions-1 (see `rules.luz` and `rules.duet`).

    >>> from overtrick.games import Batch, load
    >>> batch = Batch(load("luz"), 8, seed=1)
    >>> while not batch.over.all():
    ...     batch.step(batch.random_actions())
    >>> batch.scores().shape
    (8, 4)
    """

    def __init__(self, game: Game, n: int, *, seed: int) -> None:
        self.game = game
        self.states = records(game.state_dtype, n)
        self._generator = seeded(seed)
        self._owner = np.empty(game.deck.size, np.int8)
        self.states[:] = game.begun()
        kernels.deal_all(self.states, self._generator, self._owner)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def to_act(self) -> NDArray[np.int8]:
        """The seat to act in each game; -1 where the game is over."""
        return np.asarray(self.states["turn"])

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game has ended."""
        return self.to_act < 0

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return bool[n, actions]: the legal actions of the seat to act in each game."""
        mask = np.zeros((len(self), self.game.actions), np.bool_)
        kernels.legal_masks(self.states, mask)
        return mask

    def step(self, actions: NDArray[Any]) -> None:
        """Play one action in every game that is not over; the others ignore theirs.

        actions: int[n]. Raises ValueError for another shape and IllegalMove, with no game changed, for an action that
        is not legal.
        """
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (len(self),):
            raise ValueError(f"actions has shape {actions.shape}; ({len(self)},) was expected")
        wrong = kernels.first_illegal(self.states, actions)
        if wrong >= 0:
            raise IllegalMove(
                N_("Action %(action)d is not legal in game %(game)d of the batch."),
                action=int(actions[wrong]),
                game=wrong,
            )
        kernels.step(self.states, actions, self._generator, self._owner)

    def random_actions(self) -> NDArray[np.int64]:
        """Return a legal action for every game, each equally likely; -1 where the game is over."""
        actions = np.empty(len(self), np.int64)
        kernels.random_actions(self.states, actions, self._generator)
        return actions

    def observe(self, seat: int | None = None) -> Any:
        """Return every game as a seat sees it (None: as the seat to act does), an array of OBSERVATION."""
        seen = records(self.game.observation_dtype, len(self))
        kernels.observe_all(self.states, -1 if seat is None else seat, seen)
        return seen

    def scores(self) -> NDArray[np.int64]:
        """Return int[n, seats]: the points so far (Duet: the team's, 0 unless won)."""
        points = np.empty((len(self), self.game.seats), np.int64)
        kernels.scores(self.states, points)
        return points
