"""One game of a match, from its first deal to its end, at little cost beside the bots."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from overtrick.bots import Budget, Choice
from overtrick.games import Game, Position, View
from overtrick.games.record import to_json
from overtrick.match.entrant import Entrant, Player
from overtrick.match.setting import Place, Setting
from overtrick.match.thought import Thought

WARM_UP = Budget(nodes=8)
"""What a decision costs in the game that nobody counts."""


class Misplay(Exception):  # noqa: N818
    """A bot failed or chose a move that is none: the match ends, and says in which game."""


class Seat:
    """Who sits there in this game: the entrant, its player, and the time that it took."""

    __slots__ = ("ask_open", "budget", "entrant", "player", "thought")

    def __init__(self, entrant: Entrant, budget: Budget | None = None) -> None:
        self.entrant = entrant
        self.budget = entrant.budget if budget is None else budget
        self.player: Player = entrant.player()
        self.ask_open = getattr(self.player, "choose_open", None)
        self.thought = Thought()

    def choose(self, position: Position, view: View, seed: int) -> Choice:
        """Ask the player, and count the time."""
        began = time.perf_counter()
        if self.ask_open is None:
            choice = self.player.choose(view, seed=seed, budget=self.budget)  # type: ignore[union-attr]
        else:
            choice = self.ask_open(position, view.seat, seed=seed, budget=self.budget)
        self.thought.add(time.perf_counter() - began)
        return choice


@dataclass(slots=True)
class Played:
    """A game as it goes on: its deals, its moves in record notation, the bets by deal and seat, where it stands."""

    position: Position
    deals: list[dict[str, Any]] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    bets: list[list[str]] = field(default_factory=list)

    def deal(self, deal: dict[str, Any]) -> None:
        """Begin the next deal or round."""
        self.deals.append(deal)
        self.bets.append([""] * self.position.game.seats)
        self.position = self.position.deal(deal)

    def play(self, seat: int, action: int) -> None:
        """Make a legal move of the seat to act."""
        move = self.position.game.record_moves(self.position.states, [action])[0]
        if move.startswith("bet:"):
            self.bets[-1][seat] = move[4:]
        self.moves.append(move)
        self.position = self.position.play(move)


def play_game(setting: Setting, place: Place, *, with_record: bool = False) -> dict[str, Any]:
    """Play one game of a match; return what came of it as JSON values.

    `game`, `rotation`, `result` (of a record), Luz: `bets` by deal and seat, Duet: `tokens` left; `thought` by
    entrant; `record` if asked for. Raises Misplay.
    """
    number, rotation = place
    for entrant in setting.entrants:
        _warm(type(setting.game), setting.game.options.get("players"), entrant)
    seats = [Seat(entrant) for entrant in setting.rotations[rotation]]
    game = setting.numbered(number)
    try:
        played = _play(game, seats, setting.seed, place)
    except Misplay as error:
        raise Misplay(f"In game {number}, rotation {rotation}, {error}") from error.__cause__
    outcome = played.position.outcome()
    assert outcome is not None
    ended: dict[str, Any] = {"game": number, "rotation": rotation, "result": outcome.to_json()}
    if game.name == "luz":
        ended["bets"] = played.bets
    else:
        ended["tokens"] = played.position.state()["tokens"]
    ended["thought"] = {
        str(entrant): Thought.of(s.thought.to_json() for s in seats if s.entrant == entrant).to_json()
        for entrant in setting.entrants
    }
    if with_record:
        names = [str(seat.entrant) for seat in seats]
        meta = {"seats": names, "seed": setting.seed, "game": number, "rotation": rotation}
        ended["record"] = to_json(game, played.deals, played.moves, meta)
    return ended


def _play(game: Game, seats: Sequence[Seat], seed: int, place: Place) -> Played:
    """Play to the end."""
    number, rotation = place
    dealer = Random(f"overtrick {seed} deals {number}")  # the same in every rotation
    chance = Random(f"overtrick {seed} bots {number} {rotation}")
    played = Played(game.start())
    while not (position := played.position).over:
        turn = position.to_act
        if turn is None:
            played.deal(game.random_deal(dealer))
            continue
        seed_of_move = chance.getrandbits(32)
        view = position.view(turn)
        legal = view.legal_actions
        action = legal[0]
        if len(legal) > 1:  # what is forced needs no thought
            action = _chosen(seats[turn], position, view, seed_of_move)
        if action not in legal:
            raise Misplay(f"{seats[turn].entrant} chose a move that is not legal.")
        played.play(turn, action)
    return played


def _chosen(seat: Seat, position: Position, view: View, seed: int) -> int:
    """Return the action that the seat's player chooses, or -1 for a move that is none; raise Misplay."""
    try:
        choice = seat.choose(position, view, seed)
    except Exception as error:
        raise Misplay(f"{seat.entrant} failed: {type(error).__name__}: {error}.") from error
    try:
        return view.action(choice.move)
    except (ValueError, AttributeError, TypeError):
        return -1


@lru_cache
def _warm(game: type[Game], players: int | None, entrant: Entrant) -> None:
    """Play a small game that nobody counts, so that no decision that is counted waits for a compiler."""
    table: Any = game() if players is None else game(players=players)  # type: ignore[call-arg]
    _play(table, [Seat(entrant, WARM_UP) for _ in range(table.seats)], 0, (0, 0))
