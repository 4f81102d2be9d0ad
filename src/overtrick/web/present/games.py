"""The page of one person's tables: what waits for them, what goes on, what is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from babel.dates import format_timedelta

from overtrick.web.contexts import GamesPage
from overtrick.web.i18n import Language, language
from overtrick.web.present.cards import Scene
from overtrick.web.present.people import BOT_NAMES
from overtrick.web.present.table import GAMES, about

if TYPE_CHECKING:
    from overtrick.tables import MyTable


def games_scene(page: GamesPage) -> Scene:
    """Return the lists of the page, in the order in which they stand there."""
    tongue, tables = language(page.locale), page.tables
    mine = [table for table in tables.going_on if table.waits_for_me]
    running = [table for table in tables.going_on if not table.waits_for_me and table.status == "playing"]
    waiting = [table for table in tables.going_on if not table.waits_for_me and table.status == "waiting"]
    _ = tongue.gettext
    lists = [
        ("mine", _("Waiting for you"), mine),
        ("running", _("Waiting for others"), running),
        ("waiting", _("Not begun"), waiting),
        ("over", _("Finished"), tables.over),
    ]
    return {
        "csrf": page.csrf,
        "first": page.first,
        "account": page.account,
        "more": tables.more or "",
        "waits": len(mine),
        "lists": [
            {"key": key, "title": title, "tables": [_line(table, page, tongue) for table in found]}
            for key, title, found in lists
            if found
        ],
    }


def _line(table: MyTable, page: GamesPage, tongue: Language) -> Scene:
    changed = datetime.fromtimestamp(table.changed_at / 1000, UTC)
    ago = timedelta(milliseconds=min(0, table.changed_at - page.now))
    return {
        "id": table.id,
        "game": table.game,
        "game_name": tongue.gettext(GAMES[table.game]),
        "about": about(tongue, table.game, table.options),
        "people": [_sitter(table, seat, tongue) for seat in range(len(table.sitters))],
        "standing": _standing(table, tongue),
        "changed": changed.isoformat(timespec="seconds"),
        "ago": format_timedelta(ago, add_direction=True, locale=tongue.locale),
    }


def _sitter(table: MyTable, seat: int, tongue: Language) -> Scene:
    who = table.sitters[seat]
    if seat == table.me:
        return {"name": tongue.gettext("You"), "bot": False}
    if "bot" in who:
        return {"name": BOT_NAMES[seat], "bot": True}
    if who.get("name") == "":  # of somebody whose data was deleted
        return {"name": tongue.gettext("Seat %(number)s", number=seat + 1), "bot": False}
    return {"name": who.get("name", tongue.gettext("free seat")), "bot": False}


def _ended(table: MyTable, tongue: Language) -> str:
    """Return how a finished game ended, if that is known."""
    _ = tongue.gettext
    if table.result is None:
        return ""
    if table.result.get("by_house"):
        return _("Closed by the house")
    winners, late = table.result["winners"], table.result["forfeited"]
    if table.me in winners:
        return _("Won")
    if table.game == "duet" or table.me in late:
        return _("Lost by time") if late else _("Lost")
    if not winners:
        return _("Ended without a winner")
    return _("%(name)s won", name=_sitter(table, winners[0], tongue)["name"])


def _standing(table: MyTable, tongue: Language) -> str:
    """Return for whom or what the table waits, in a few words."""
    if table.status == "over":
        return _ended(table, tongue)
    if table.status == "waiting":
        if table.waits_for_me:
            return tongue.gettext("Everybody is there: you can start the game")
        free = sum(not who for who in table.sitters)
        if free:
            return tongue.ngettext("%(n)s free seat", "%(n)s free seats", free, n=free)
        return tongue.gettext("The host can start the game")
    if table.waits_for_me:
        return tongue.gettext("Your turn")
    if table.bot_plays:
        return tongue.gettext("A bot plays for you")
    if table.awaits is None:
        return ""
    return tongue.gettext("%(name)s is to act", name=_sitter(table, table.awaits, tongue)["name"])
