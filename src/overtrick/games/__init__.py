"""The kind face of the rules: text in, text out, every input checked, nothing ever changed in place.

In reading order: `kernels` (the compiled entry points), `game` (what a game is), `luz` with `luz_hands` and `duet`
(each game's text, views and refusals), `boards` (Duet boards as data), `catalogue` (`load` by name), `position` (one
moment of play), `view` (what one seat may know of it), `outcome` (how it ended), `record` (a whole game as JSON),
`batch` (many games at once, as arrays), `warm` (everything compiled before it is needed).
"""

from overtrick.games.batch import Batch
from overtrick.games.boards import Board
from overtrick.games.catalogue import GAMES, load
from overtrick.games.game import Deal, Game
from overtrick.games.outcome import DuetOutcome, LuzOutcome, Outcome
from overtrick.games.position import Position
from overtrick.games.record import Record, Replay
from overtrick.games.view import View
from overtrick.games.warm import warm

__all__ = [
    "GAMES",
    "Batch",
    "Board",
    "Deal",
    "DuetOutcome",
    "Game",
    "LuzOutcome",
    "Outcome",
    "Position",
    "Record",
    "Replay",
    "View",
    "load",
    "warm",
]
