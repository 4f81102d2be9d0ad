"""Players made of code: a view goes in, a move and the reason for it come out.

In reading order: `bot` (what a bot is), `uniform` (any legal move), `duet_sight` (a view of Duet, read for
thinking about), `rules_of_thumb_luz` and `rules_of_thumb_duet` (what a good beginner thinks of each move), `thoughts`
(the same of either game), `rules_of_thumb` (who plays by them, well or carelessly), `levels` (how hard the searching
bots think), `findings` (what a search found, in words), `searcher` (medium and strong), `omniscient` (a yardstick that
is shown all cards), `registry` (the bots by name), `pool`, `process` and `worker` (bots in processes of their own).
"""

from overtrick.bots.bot import Bot, Budget, Choice, Reason
from overtrick.bots.registry import BOTS, BotInfo, make_bot

__all__ = ["BOTS", "Bot", "BotInfo", "Budget", "Choice", "Reason", "make_bot"]
