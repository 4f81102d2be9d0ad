"""What a match plays: the game, who sits where, the seed from which every game is dealt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from overtrick import __version__
from overtrick._cached import cached_property
from overtrick.errors import InvalidRecord
from overtrick.games import Game, load
from overtrick.match.entrant import Entrant, InvalidMatch

Place = tuple[int, int]
"""One game of a match: its number (which fixes the deals), and which rotation of the seats plays them."""


@dataclass(frozen=True)
class Setting:
    """A match but for its length. A game is dealt from the seed and its number, whoever plays it, and wherever."""

    game: Game
    seats: tuple[Entrant, ...]
    seed: int

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who takes part, each once, in the order of the seats."""
        return tuple(dict.fromkeys(self.seats))

    @cached_property
    def rotations(self) -> tuple[tuple[Entrant, ...], ...]:
        """The different seatings that rotating the seats gives: one if all are the same, else up to one a seat."""
        turned = (self.seats[i:] + self.seats[:i] for i in range(len(self.seats)))
        return tuple(dict.fromkeys(turned))

    def numbered(self, number: int) -> Game:
        """Return the game of that number: the seats take turns at dealing first."""
        return replace(self.game, dealer=number % self.game.seats)  # type: ignore[call-arg]  # every game has it

    def places(self, games: int) -> Iterator[Place]:
        """Yield every game of a match of so many different games, all rotations of one before the next."""
        for number in range(games):
            yield from ((number, rotation) for rotation in range(len(self.rotations)))

    def games_for(self, deals: int) -> int:
        """Return how many different games give at least so many deals; in Duet a game counts as one deal."""
        each = self.game.max_deals if self.game.name == "luz" else 1
        return -(-deals // each)

    def to_json(self) -> dict[str, Any]:
        """Return all that the games of the match follow from."""
        options = {key: value for key, value in self.game.options.items() if key != "dealer"}
        board = getattr(self.game, "board", None)
        return {
            "game": self.game.name,
            "options": options,
            "seats": [str(entrant) for entrant in self.seats],
            "seed": self.seed,
            "version": __version__,
            "rules_version": self.game.rules_version,
        } | ({} if board is None else {"board": board.to_json()})


def make_setting(
    game: str,
    options: Mapping[str, Any],
    entrants: Sequence[Entrant],
    *,
    seed: int,
    players: int | None = None,
) -> Setting:
    """Return a setting; the last of the entrants also takes the seats that are left. Raises InvalidMatch.

    players: seats at the table of Luz; None means as many as there are entrants, or four if those are fewer than three.
    """
    if game == "luz":
        options = {**options, "players": _players(entrants) if players is None else players}
    elif players not in (None, 2):
        raise InvalidMatch(f"Duet has two players, not {players}.")
    try:
        loaded = load(game, **options)
    except InvalidRecord as error:
        raise InvalidMatch(str(error)) from None
    if not 1 <= len(entrants) <= loaded.seats:
        raise InvalidMatch(f"The game has {loaded.seats} seats; {len(entrants)} bots were named for them.")
    filled = (*entrants, *[entrants[-1]] * (loaded.seats - len(entrants)))
    return Setting(loaded, filled, seed)


def _players(entrants: Sequence[Entrant]) -> int:
    return len(entrants) if len(entrants) > 2 else 4


def missing(setting: Setting, games: int, finished: Iterable[Place]) -> list[Place]:
    """Return the games of the match that are not finished, in order."""
    done = frozenset(finished)
    return [place for place in setting.places(games) if place not in done]
