"""How well bots play: the same deals in every rotation of the seats, and what came of it, with intervals.

In reading order: `entrant` (a bot and its budget), `setting` (what is played), `arena` (one game), `thought` (how long
decisions took), `workers` (many games at once, here or on a cluster), `keep` (finished games survive whatever ends the
run), `estimate` (means and shares with intervals), `figures` (all of a match's numbers).
"""

from overtrick.match.entrant import Entrant, InvalidMatch, checked_budget, parse_entrant
from overtrick.match.figures import figures_of
from overtrick.match.keep import Keep
from overtrick.match.setting import Setting, make_setting
from overtrick.match.workers import BACKENDS, Workers, play_all

__all__ = [
    "BACKENDS",
    "Entrant",
    "InvalidMatch",
    "Keep",
    "Setting",
    "Workers",
    "checked_budget",
    "figures_of",
    "make_setting",
    "parse_entrant",
    "play_all",
]
