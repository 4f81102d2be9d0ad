"""What the parts of either game's table are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from overtrick.web.i18n import Language
from overtrick.web.present.people import People

if TYPE_CHECKING:
    from overtrick.games import View
    from overtrick.tables import TableView


class SeenTable:
    """Everything the parts of the page are made from: the view as JSON, the people, the language."""

    def __init__(self, table: TableView, view: View, tongue: Language) -> None:
        self.table = table
        self.view = view
        self.seen: dict[str, Any] = view.shared_json
        self.people = People(table, tongue)
        self.tongue = tongue
        self.legal = frozenset(view.legal)

    counted: ClassVar[str]
    """The view's field that counts the deals or rounds."""

    @property
    def begins(self) -> bool:
        """Whether the last trick belongs to the deal or round before: no trick of this one is complete yet."""
        last = self.seen["last_trick"]
        return last is not None and last[self.counted] < self.seen[self.counted]

    @property
    def mine(self) -> bool:
        """Whether the viewer is asked for something: it is their turn, no bot plays for them, and time runs."""
        return bool(self.legal)

    @property
    def held_up(self) -> str:
        """Why the viewer, whose turn it is, or everybody is asked for nothing while the game goes on; empty if not."""
        if self.table.time is not None and self.table.time.paused:
            return self.tongue.gettext("The game is paused")
        if self.people.me is not None and self.seen["to_act"] == self.people.me and not self.mine:
            return self.tongue.gettext("A bot plays for you")
        return ""

    def was_mine(self, seat: int) -> bool:
        """Say whether the viewer made the last move of a seat: it is theirs, and no bot has moved for them since."""
        return seat == self.people.me and not any(mover == seat for mover, _ in self.table.meanwhile)

    def mover(self, seat: int) -> str:
        """Return what to call whoever made the last move of a seat, where that was not the viewer."""
        return self.tongue.gettext("Your bot") if seat == self.people.me else self.people.name(seat)

    def lately(self, news: str) -> str:
        """Return what there is to know beside whose turn it is, the news if it is nothing newer.

        That is how a pause ends, who has begun to play for whom, and why a bot that cannot think yet does not move.
        """
        _, table = self.tongue.gettext, self.table
        if table.time is not None and table.time.paused:
            return _("Any player can go on.")
        news = self._swapped() or news
        if not table.bots_preparing:
            return news
        prepared = _(
            "The bots are being prepared; on a first start this takes a minute or two, on a busy machine longer."
        )
        return f"{news} {prepared}".strip()

    def _swapped(self) -> str:
        """Return that a bot plays for somebody since the last move, or that they are back; "" if neither."""
        _, seat = self.tongue.gettext, self.table.swapped
        if seat is None or self.table.status != "playing":
            return ""
        name, sitter = self.people.name(seat), self.table.seats[seat]
        if not sitter.stand_in:
            return "" if seat == self.people.me else _("%(name)s is back.", name=name)
        if sitter.flagged:
            return _("%(name)s ran out of time; a bot plays on.", name=name)
        return "" if seat == self.people.me else _("A bot plays for %(name)s now.", name=name)
