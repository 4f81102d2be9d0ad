"""The page of one's own account."""

from __future__ import annotations

from overtrick.web.contexts import DeletePage, MePage
from overtrick.web.i18n import language
from overtrick.web.present.cards import Scene


def me_scene(page: MePage) -> Scene:
    """Return what the page shows: the account, or how a guest gets one."""
    tongue = language(page.locale)
    games = tongue.ngettext(
        "%(n)s game that goes on here is played by this browser's guest. Log in and it stays behind: play it to its "
        "end first, or note the private link of your seat.",
        "%(n)s games that go on here are played by this browser's guest. Log in and they stay behind: play them to "
        "their end first, or note the private links of your seats.",
        page.games,
        n=page.games,
    )
    return {
        "csrf": page.csrf,
        "error": page.error or "",
        "done": page.done,
        "account": page.account.name if page.account else "",
        "name": page.name,
        "left_behind": games if page.games else "",
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
