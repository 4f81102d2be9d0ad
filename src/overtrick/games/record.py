"""A whole game as JSON: reading, checking and replaying it (RECORD.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick.errors import N_, IllegalMove, InvalidRecord, OvertrickError
from overtrick.games import kernels
from overtrick.games.catalogue import load
from overtrick.games.game import DealJson, Game, short
from overtrick.games.position import Position

VERSION = 1
"""The version of the format that is written; every version from 1 on is read."""


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_FIELDS = frozenset({"overtrick", "game", "options", "deals", "moves", "meta"})


@dataclass(frozen=True)
class Replay:
    """What a replay came to: the last position, the moves played, and the error that stopped it, if one did."""

    position: Position
    played: int
    error: OvertrickError | None = None


@dataclass(frozen=True)
class Record:
    """A record whose header is sound: the game, the deals in the kernels' numbers, the moves as they stand."""

    game: Game
    owners: NDArray[np.int8]
    decrees: NDArray[np.int8]
    moves: Sequence[object]
    deals: Sequence[DealJson]

    @classmethod
    def loads(cls, text: str | bytes) -> Record:
        """Return the record of a JSON text; raise InvalidRecord for what is no JSON or no sound header."""
        try:
            data = _DECODER.decode(text if isinstance(text, str) else text.decode())
        except (ValueError, RecursionError) as error:
            raise InvalidRecord(
                N_("A record is one JSON object; this is not JSON: %(fault)s."), fault=_fault(error)
            ) from None
        return cls.of(data)

    @classmethod
    def of(cls, data: object) -> Record:
        """Return the record of a JSON value; raise InvalidRecord when its header is not sound."""
        if not isinstance(data, dict):
            raise InvalidRecord(N_("A record is one JSON object, with overtrick, game, deals and moves."))
        _check_header(data)
        options = data.get("options", {})
        if not isinstance(options, dict):
            raise InvalidRecord(N_('`options` is an object, such as {"dealer": 0}.'))
        name: Any = data.get("game")
        game = load(name, **options)
        deals, moves = data.get("deals"), data.get("moves")
        if not isinstance(deals, list) or not isinstance(moves, list):
            raise InvalidRecord(N_("`deals` and `moves` are lists."))
        owners, decrees = _deals(game, deals)
        return cls(game, owners, decrees, moves, deals)

    def replay(self, at: int | None = None) -> Replay:
        """Play the moves, or the first `at` of them, and say how far it went."""
        moves = self.moves if at is None else self.moves[:at]
        get = self.game.codes.get
        codes = np.array([get(m, -1) if isinstance(m, str) else -1 for m in moves], np.int64)
        states = self.game.begun()
        played, stop = kernels.replay(states, self.owners, self.decrees, codes)
        position = Position(self.game, states)
        return Replay(position, played, self._error(position, played, stop))

    def _error(self, position: Position, played: int, stop: int) -> OvertrickError | None:
        if stop == kernels.PLAYED_ALL:
            return None
        if stop == kernels.DEAL_MISSING:
            return InvalidRecord(N_("deal %(number)d is missing"), number=int(_begun(position)) + 1)
        try:
            position.play(self.moves[played])  # type: ignore[arg-type]  # whatever it is, it is refused
        except IllegalMove as refusal:
            return refusal
        raise AssertionError("the kernel refused a move that the position allows")


def _begun(position: Position) -> int:
    field = "deal" if position.game.name == "luz" else "number"
    return int(position.states[field][0])


def _check_header(data: Mapping[str, Any]) -> None:
    version = data.get("overtrick")
    if type(version) is not int or version != VERSION:
        raise InvalidRecord(
            N_("`overtrick` is the format's version; %(value)s is not one that can be read: 1 is."),
            value=short(version),
        )
    unknown = [key for key in data if key not in _FIELDS]
    if unknown:
        raise InvalidRecord(
            N_("A record has no field %(field)s; free data goes into `meta`."), field=short(unknown[0])
        )


def _deals(game: Game, deals: list[object]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    if not deals:
        raise InvalidRecord(N_("deal %(number)d is missing"), number=1)
    if len(deals) > game.max_deals:
        raise InvalidRecord(
            N_("`deals` has %(deals)d entries; a game of %(game)s has at most %(most)d."),
            deals=len(deals), game=game.name, most=game.max_deals,
        )  # fmt: skip
    owners = np.empty((len(deals), game.deck.size), np.int8)
    decrees = np.empty(len(deals), np.int8)
    for i, deal in enumerate(deals):
        parsed = game.parse_deal(deal)
        owners[i], decrees[i] = parsed.owner, parsed.decree
    return owners, decrees


def _fault(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else short(str(error))


def to_json(
    game: Game, deals: Sequence[Mapping[str, Any]], moves: Sequence[str], meta: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a record as a JSON value, as this version writes it."""
    return {
        "overtrick": VERSION,
        "game": game.name,
        "options": game.options,
        "deals": [dict(deal) for deal in deals],
        "moves": list(moves),
        "meta": dict(meta),
    }
