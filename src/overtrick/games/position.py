"""One moment of play, immutable: the face of the engine for Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import copy_of
from overtrick.errors import N_, IllegalMove, InvalidRecord
from overtrick.games import kernels
from overtrick.games.game import Game
from overtrick.games.outcome import Outcome
from overtrick.games.view import View, everybodys
from overtrick.rules import either

_NO_CODES = np.empty(0, np.int64)
_NO_OWNERS = np.empty((0, 0), np.int8)
_NO_DECREES = np.empty(0, np.int8)


class Position:
    """One moment of a game, with every card known. Moves give new positions; nothing changes in place.

    >>> from overtrick.games import load
    >>> import random
    >>> game = load("duet")
    >>> position = game.start().deal(game.random_deal(random.Random(7)))
    >>> position.to_act, len(position.legal_moves())
    (1, 11)
    """

    __slots__ = ("_after", "game", "states")

    def __init__(self, game: Game, states: Any) -> None:
        self._after: tuple[str, Position] | None = None
        states.setflags(write=False)
        self.game = game
        self.states = states
        """The state, in a read-only array of one STATE of the game's rules module."""

    @property
    def needs_deal(self) -> bool:
        """Whether the next deal or round is awaited; nobody is to act then."""
        return int(self.states["phase"][0]) == either.WAITING

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.needs_deal and self.to_act is None

    @property
    def to_act(self) -> int | None:
        """The seat to act, or None."""
        turn = int(self.states["turn"][0])
        return None if turn < 0 else turn

    @property
    def phase(self) -> str:
        """What is asked: "deal", "over", or the decision to be made (the view's `phase`)."""
        return self.game.phases[int(self.states["phase"][0])]

    def legal_moves(self) -> list[str]:
        """Return every legal move of `to_act` in record notation, sorted as text; "resign" is never listed."""
        return self.game.record_moves(self.states, list(self.view(self.to_act).legal_actions))

    def deal(self, deal: object) -> Position:
        """Return the position after the next deal, given as RECORD.md writes it; raise InvalidRecord."""
        if not self.needs_deal:
            raise InvalidRecord(N_("No deal is awaited here."))
        parsed = self.game.parse_deal(deal)
        states = copy_of(self.states)
        kernels.replay(states, parsed.owner[np.newaxis], np.array([parsed.decree], np.int8), _NO_CODES)
        return Position(self.game, states)

    def play(self, move: str) -> Position:
        """Return the position after a move in record notation; raise IllegalMove with the clause.

        The last one is kept, for a move is tried before it is made.
        """
        if self._after is None or self._after[0] != move:
            self._after = move, self._played(move)
        return self._after[1]

    def _played(self, move: str) -> Position:
        code = self.game.code(move)
        states = copy_of(self.states)
        played, stop = kernels.replay(states, _NO_OWNERS, _NO_DECREES, np.array([code], np.int64))
        if not played:
            raise self.game.record_refusal(self.states, code) if stop == kernels.ILLEGAL else self._no_move()
        return Position(self.game, states)

    def _no_move(self) -> IllegalMove:
        if self.needs_deal:
            return IllegalMove(N_("The next deal is awaited; no move can be made before it."))
        return IllegalMove(
            N_("The game is over; no move was expected after its end."), clause=self.game.end_clause
        )

    def record_move(self, seat: int, move: str) -> str:
        """Return, in record notation, the move that a seat makes in its own notation.

        Raises IllegalMove if it is not that seat's turn or the move is not legal. Whether and how it refuses depends
        only on what the seat knows.
        """
        view = self.view(seat)
        action = view.action(move)
        if self.over:
            raise self._no_move()
        if self.game.resigns(action):
            return move
        if not view.my_turn:
            raise IllegalMove(N_("It is not your turn."), clause=self.game.turn_clause)
        if action not in view.legal_actions:
            raise self.game.refusal(view.observation, action)
        return self.game.record_moves(self.states, [action])[0]

    def view(self, seat: int | None) -> View:
        """Return what a seat (None: the public) may know of this position; raise IndexError for no such seat."""
        if seat is not None and seat not in range(self.game.seats):
            raise IndexError(f"seats are 0..{self.game.seats - 1}, not {seat}")
        return View(self.game, self.game.observe(self.states, seat))

    def views(self) -> tuple[View, ...]:
        """Return what the public may know of this position, and then what each seat may, made together."""
        return everybodys(self.game, self.states)

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        return self.game.outcome(self.game.observe(self.states, None)) if self.over else None

    def state(self) -> dict[str, Any]:
        """Return the `state` of RECORD.md: every card, open."""
        return self.game.state_json(self.states)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.states.tobytes() == other.states.tobytes()

    def __hash__(self) -> int:
        return hash(self.states.tobytes())

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}: {self.phase}, to act {self.to_act}>"
