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
        self.seen: dict[str, Any] = view.to_json()
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

    def with_what_is_awaited(self, news: str) -> str:
        """Return the news, and why the bot that is to move does not move yet, if it cannot think yet."""
        if not self.table.bots_preparing:
            return news
        _ = self.tongue.gettext
        prepared = _(
            "The bots are being prepared; on a first start this takes a minute, on a busy machine several."
        )
        return f"{news} {prepared}".strip()
