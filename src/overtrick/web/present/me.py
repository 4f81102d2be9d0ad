"""The page of one's own account."""

from __future__ import annotations

from overtrick.web.contexts import DeletePage, MePage
from overtrick.web.i18n import language
from overtrick.web.present.cards import Scene


def me_scene(page: MePage) -> Scene:
    """Return what the page shows: the account, or how a guest gets one."""
    tongue = language(page.locale)
    take = tongue.ngettext(
        "Take the %(n)s game along that goes on in this browser",
        "Take the %(n)s games along that go on in this browser",
        page.games,
        n=page.games,
    )
    return {
        "csrf": page.csrf,
        "error": page.error or "",
        "done": page.done,
        "account": page.account.name if page.account else "",
        "name": page.name,
        "take": take if page.games else "",
        "takes": page.takes,
    }


def delete_scene(page: DeletePage) -> Scene:
    """Return what is said before somebody's data is deleted."""
    tongue = language(page.locale)
    return {
        "csrf": page.csrf,
        "error": page.error or "",
        "account": page.account.name if page.account else "",
        "games": tongue.ngettext(
            "You leave %(n)s game that goes on. A seat at a table that has not begun is free again; in a game that is "
            "being played a bot plays on for you, to its end.",
            "You leave %(n)s games that go on. A seat at a table that has not begun is free again; in a game that is "
            "being played a bot plays on for you, to its end.",
            page.games,
            n=page.games,
        )
        if page.games
        else "",
    }
