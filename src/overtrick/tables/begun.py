"""What the start of a game, as the log has it, says: the game as it was then, and its sealed deals."""

from __future__ import annotations

from overtrick.errors import OvertrickError
from overtrick.games import Board, Game, load
from overtrick.seals import BrokenSeal, Seal
from overtrick.tables.events import Started
from overtrick.tables.happened import UnknownEvent


def game_of(name: str, event: Started) -> Game:
    """The game as it was when it began: on the board of the log, whatever is now known by its name."""
    try:
        board = {} if event.board is None else {"board": Board.of(event.board, "log")}
        game = load(name, **event.options | board)
    except OvertrickError as error:
        raise UnknownEvent(f"a start that this engine cannot make: {error}") from error
    if game.rules_version != event.rules_version:
        # Folding on would show a game that was never played.
        raise UnknownEvent(
            f"rules {event.rules_version} of {game.name}; this engine has {game.rules_version}"
        )
    return game


def seals_of(event: Started) -> tuple[Seal, ...]:
    """The sealed deals; () of a log that is older than they are."""
    try:
        return tuple(Seal.of(data) for data in event.seals or ())
    except BrokenSeal as error:
        raise UnknownEvent(f"a start whose deals are not sealed as they should be: {error}") from error
