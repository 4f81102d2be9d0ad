"""The pages of a seat's private link: the one that shows it, and the one that it opens."""

from __future__ import annotations

from overtrick.web.contexts import JoinPage, LinkPage
from overtrick.web.i18n import language
from overtrick.web.present.cards import Scene
from overtrick.web.present.table import GAMES


def link_scene(page: LinkPage) -> Scene:
    """Return what the page shows to whoever holds the seat."""
    tongue = language(page.locale)
    return {
        "id": page.table.id,
        "csrf": page.csrf,
        "url": page.url,
        "renewed": page.renewed,
        "game_name": tongue.gettext(GAMES[page.table.game]),
    }


def join_scene(page: JoinPage) -> Scene:
    """Return what the page asks on the other device."""
    return {
        "id": page.table_id,
        "csrf": page.csrf,
        "secret": page.secret,
        "mine": page.seat.mine,
        "game_name": language(page.locale).gettext(GAMES[page.seat.game]),
        "who": page.seat.name,
    }
