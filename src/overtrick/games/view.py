"""What one seat, or the public, may know of a position: all that bots, pages and the API ever receive."""

from __future__ import annotations

import json
from typing import Any

from overtrick._cached import cached_property
from overtrick._jit import records, records_of
from overtrick.errors import IllegalMove
from overtrick.games import kernels
from overtrick.games.game import Game, bits_above


class View:
    """One viewer's knowledge, made from an observation and nothing else.

    `observation` is an array of one OBSERVATION of the game's rules module, for bots that compute; `to_json()`
    is the same knowledge as the server sends it. `public`: the public's view of the same moment, whose JSON a seat's
    shares but for what is its own. `own`: the text of that, if it is there already, as `Game.own_texts` has it.
    """

    __slots__ = ("__dict__", "_own", "_public", "game", "observation", "phase", "seat", "to_act")

    def __init__(self, game: Game, observation: Any, public: View | None = None, own: str = "") -> None:
        self._public = public
        self._own = own
        self.game = game
        self.observation = observation
        observation.setflags(write=False)
        self.seat = _seat(observation, "seat")
        self.to_act: int | None = _seat(observation, "turn") if public is None else public.to_act
        self.phase: str = game.phases[int(observation["phase"][0])] if public is None else public.phase
        """What is asked: "deal" (the next deal is awaited), a decision of the game, or "over"."""

    @property
    def my_turn(self) -> bool:
        """Whether the viewer is the seat to act."""
        return self.seat is not None and self.seat == self.to_act

    @cached_property
    def legal_actions(self) -> tuple[int, ...]:
        """The viewer's legal actions, ascending; () unless it is the viewer's turn."""
        if not self.my_turn:
            return ()
        return tuple(bits_above(int(self.observation["base"][0]), int(self.observation["choices"][0])))

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The viewer's legal moves in seat notation, sorted as text; () unless it is the viewer's turn."""
        return self.game.seat_moves(self.observation, list(self.legal_actions))

    def action(self, move: str) -> int:
        """Return the action that a move in seat notation stands for; raise IllegalMove for no such move."""
        return self.game.seat_action(move)

    def why_not(self, move: str) -> IllegalMove | None:
        """Return why the viewer, whose turn it is, may not play a move in seat notation; None if it may."""
        try:
            action = self.game.seat_action(move)
        except IllegalMove as unknown:
            return unknown
        return None if action in self.legal_actions else self.game.refusal(self.observation, action)

    def to_json(self) -> dict[str, Any]:
        """Return the view as JSON values of its own; the fields are described in docs/records.md."""
        copied: dict[str, Any] = _copied(self.shared_json)
        return copied

    @cached_property
    def shared_json(self) -> dict[str, Any]:
        """The same, of which other views hold parts too: only for reading."""
        own: dict[str, Any] = json.loads(f"{{{self.own_text}}}")
        return {**self.shared.open_json, **own}

    @property
    def shared(self) -> View:
        """The view with which this one shares what is open: the public's that it was made with, else itself."""
        return self._public or self

    @cached_property
    def open_json(self) -> dict[str, Any]:
        """The part of `shared_json` in which everybody knows the same."""
        known: dict[str, Any] = json.loads(f"{{{self.open_text}}}")
        return known

    @cached_property
    def open_text(self) -> str:
        """The same as JSON text, without its braces."""
        return self.game.open_text(self.observation)

    @property
    def own_text(self) -> str:
        """The rest of it as JSON text, without its braces."""
        quoted = '"' + '","'.join(self.legal) + '"' if self.my_turn and self.legal else ""
        own = self._own or self.game.own_texts(self.observation)[0]
        return f'{own},"legal":[{quoted}]'

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.game == other.game and self.observation.tobytes() == other.observation.tobytes()

    def __hash__(self) -> int:
        return hash(self.observation.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game and the bytes of the observation, nothing that was worked out from them."""
        return _restored, (self.game, self.observation.tobytes())


def _seat(observation: Any, field: str) -> int | None:
    seat = int(observation[field][0])
    return None if seat < 0 else seat


def _copied(value: Any) -> Any:
    """Return a copy of JSON values, arrays and objects in it included."""
    if isinstance(value, dict):
        return {name: _copied(inner) for name, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _restored(game: Game, data: bytes) -> View:
    return View(game, records_of(game.observation_dtype, data))


def everybodys(game: Game, states: Any) -> tuple[View, ...]:
    """Return what the public knows of a state, in an array of one, and then what each seat does.

    The same as one view after the other, at a fifth of the cost. Each has an observation of its own: none leads to what
    others know.
    """
    seen = records(game.observation_dtype, 1 + game.seats)
    kernels.observe_everybody(states, seen)
    data, size = seen.tobytes(), seen.itemsize
    each = (records_of(game.observation_dtype, data[at : at + size]) for at in range(0, len(data), size))
    (of_public, own), *seats = zip(each, game.own_texts(seen), strict=True)
    public = View(game, of_public, None, own)
    return public, *(View(game, observation, public, own) for observation, own in seats)
