"""The games by name."""

from __future__ import annotations

from typing import Any

from overtrick.errors import N_, InvalidRecord
from overtrick.games.duet import Duet
from overtrick.games.game import Game, GameFactory, short
from overtrick.games.luz import Luz

GAMES: dict[str, GameFactory] = {Luz.name: Luz.from_options, Duet.name: Duet.from_options}
"""What makes each game from its options, by the game's name in records."""


def load(name: str, /, **options: Any) -> Game:
    """Return a game by name, with its options; raise InvalidRecord for a name, an option or a value unknown.

    >>> load("luz", players=3).seats
    3
    """
    factory = GAMES.get(name) if isinstance(name, str) else None
    if factory is None:
        raise InvalidRecord(
            N_("There is no game %(game)s; the games are %(known)s."),
            game=short(name),
            known=", ".join(GAMES),
        )
    return factory(options)
