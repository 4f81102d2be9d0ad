"""What people at the table have written, and whether the viewer may write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.i18n import Language
from overtrick.web.present.cards import Scene

if TYPE_CHECKING:
    from overtrick.tables import TableView

CLOSED = {
    "luz": N_("Closed until this deal is over."),
    "duet": N_("Closed while a round is being played: partners do not talk then. (D-24)"),
}
READ_BY = {
    "nobody": N_("Only those who sit here can read this."),
    "link": N_("Whoever has the link can read this."),
    "everybody": N_("Everybody can read this."),
}
TALK = {
    "luz": {"open": N_("Open"), "between": N_("Open between deals"), "off": N_("Off")},
    "duet": {"open": N_("Open, except during rounds"), "off": N_("Off")},
}
"""When people may write, by game and by the value that the form sends."""
WATCHED_BY = {
    "nobody": N_("Nobody else may watch this game."),
    "link": N_("Whoever has the link may watch this game, without seeing hidden cards."),
    "everybody": N_("Everybody may watch this game, without seeing hidden cards: the front page lists it."),
}


def chat_scene(table: TableView, tongue: Language) -> Scene:
    """Return the panel of the chat; `shown` where there is somebody to write to, or something was written."""
    partners = sum(seat.kind == "empty" or bool(seat.name) for seat in table.seats)
    seated = table.me is not None
    there = table.talk != "off" and (seated and partners > 1)
    return {
        "shown": there or bool(table.chat),
        "writes": seated and table.talk != "off",
        "open": table.may_talk,
        "closed": tongue.gettext(CLOSED[table.game]),
        "read_by": tongue.gettext(READ_BY[table.watching]),
        "last": table.chat[-1].number if table.chat else 0,
        "messages": [
            {
                "number": message.number,
                "name": message.name,
                "text": message.text,
                "mine": message.seat == table.me,
            }
            for message in table.chat
        ],
    }


def watched_by(table: TableView, tongue: Language) -> str:
    """Return who may watch, in a sentence."""
    return tongue.gettext(WATCHED_BY[table.watching])
