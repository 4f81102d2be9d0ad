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

    def with_what_is_awaited(self, news: str) -> str:
        """Return the news, and why the bot that is to move does not move yet, if it cannot think yet."""
        if not self.table.bots_preparing:
            return news
        _ = self.tongue.gettext
        prepared = _("The bots are being prepared; on a first start this takes about a minute.")
        return f"{news} {prepared}".strip()
