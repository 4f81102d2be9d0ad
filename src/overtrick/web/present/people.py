"""Who sits where, and what bots are called.

The engine is imported when it is first needed, as in `cards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.web.i18n import Language
from overtrick.web.present.cards import Scene

if TYPE_CHECKING:
    from overtrick.tables import TableView

BOT_NAMES = ("Anise", "Basil", "Clover", "Dill", "Elder")
"""What the bot of each seat is called at a table, so that sentences can tell bots apart."""


USUAL_BOT = "medium"


def bot_choices(tongue: Language) -> list[Scene]:
    """Return the bots to choose from, weakest first; `usual`: the one that is chosen until somebody chooses."""
    from overtrick.bots import BOTS

    return [
        {
            "key": name,
            "label": bot_label(tongue, name),
            "what": tongue.gettext(info.about),
            "usual": name == USUAL_BOT,
        }
        for name, info in BOTS.items()
        if info.offered
    ]


def bot_label(tongue: Language, bot: str) -> str:
    """Return what kind of bot this is, in words."""
    return tongue.gettext("Bot: %(title)s", title=bot_level(tongue, bot))


def bot_level(tongue: Language, bot: str) -> str:
    """Return how well this kind of bot plays, in a word or two."""
    from overtrick.bots import BOTS

    return tongue.gettext(BOTS[bot].title) if bot in BOTS else bot


class People:
    """The seats of one table as one viewer names them."""

    def __init__(self, table: TableView, tongue: Language) -> None:
        self._table = table
        self._tongue = tongue

    @property
    def me(self) -> int | None:
        """The viewer's own seat, if any."""
        return self._table.me

    def name(self, seat: int) -> str:
        """Return what a seat is called in a list: its name, whoever looks."""
        if self.is_bot(seat):
            return BOT_NAMES[seat]
        return self._table.seats[seat].name or self._tongue.gettext("Seat %(number)s", number=seat + 1)

    def is_bot(self, seat: int) -> bool:
        """Say whether a bot sits there."""
        return self._table.seats[seat].kind == "bot"

    def is_played_by_bot(self, seat: int) -> bool:
        """Say whether a bot makes the moves of a seat now, its own or one that stands in for a person."""
        return self.is_bot(seat) or bool(self._table.seats[seat].stand_in)

    def has_forfeited(self, seat: int) -> bool:
        """Say whether a seat has lost because its time was up."""
        return self._table.seats[seat].flagged and self._table.timing.get("flag") == "forfeit"

    def level(self, seat: int) -> str:
        """Return how well the bot of a seat plays; empty for a person's seat, which has none."""
        bot = self._table.seats[seat].bot
        return bot_level(self._tongue, bot) if bot else ""

    def clockwise(self) -> list[int]:
        """Return every seat in turn order, the viewer's own first (seat 0 for a spectator)."""
        count = len(self._table.seats)
        start = self.me or 0
        return [(start + step) % count for step in range(count)]

    def tag(self, seat: int) -> Scene:
        """Return what a name plate shows: whose seat, what kind of bot's, whether a bot plays there for a person."""
        return {
            "seat": seat,
            "name": self.name(seat),
            "me": seat == self.me,
            "bot": self.is_bot(seat),
            "level": self.level(seat),
            "stand_in": bool(self._table.seats[seat].stand_in) and self._table.status == "playing",
            "out": self.has_forfeited(seat),
        }
