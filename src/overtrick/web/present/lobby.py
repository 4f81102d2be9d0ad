"""The front page: two games to choose from, the tables that wait for people, and the games to watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.contexts import LobbyPage
from overtrick.web.i18n import Language, language
from overtrick.web.present.cards import Scene
from overtrick.web.present.chat import TALK
from overtrick.web.present.people import USUAL_BOT, bot_choices
from overtrick.web.present.table import GAMES, about
from overtrick.web.present.time import AWAYS, CLOCKS, FLAGS, choices

if TYPE_CHECKING:
    from overtrick.tables import TableSummary

PLAYERS = (3, 4, 5)  # L-2
LEVELS = (1, 2, 3)  # D-25
FIRST_BOT = f"bot:{USUAL_BOT}"
WATCHING = {
    "nobody": N_("Nobody but those who play"),
    "link": N_("Whoever has the link"),
    "everybody": N_("Everybody; the game is listed here"),
}
PACES = {"unhurried": N_("Unhurried"), "normal": N_("Normal"), "fast": N_("Fast")}


def lobby_scene(page: LobbyPage) -> Scene:
    """Return the front page's two forms, filled as they were if one was refused, and its list of tables."""
    tongue = language(page.locale)
    return {
        "csrf": page.csrf,
        "token": page.token,
        "account": page.account,
        "name": page.form.get("name", page.name),
        "error": page.error or "",
        "failed": page.form.get("game", ""),
        "luz": _form(page, "luz", 5),
        "duet": _form(page, "duet", 2),
        "bots": bot_choices(tongue),
        "paces": choices(tongue, PACES),
        "clocks": choices(tongue, CLOCKS),
        "flags": choices(tongue, FLAGS),
        "aways": choices(tongue, AWAYS),
        "watching": choices(tongue, WATCHING),
        "talk": {game: choices(tongue, talk) for game, talk in TALK.items()},
        "to_watch": [_open_table(table, tongue) for table in page.to_watch],
        "tables": [_open_table(table, tongue) for table in page.tables],
    }


def _form(page: LobbyPage, game: str, seats: int) -> Scene:
    """Return a make form's fields: those of the refused form if it was this one, else what most people want."""
    sent = page.form if page.form.get("game") == game else {}
    return {
        "players": sent.get("players", "4"),
        "level": sent.get("level", "1"),
        "bead_supply": sent.get("bead_supply", ""),
        "dealer": sent.get("dealer", "random"),
        "pace": sent.get("pace", "normal"),
        "clock": sent.get("clock", "none"),
        "flag": sent.get("flag", "bot"),
        "away": sent.get("away", "0"),
        "watching": sent.get("watching", "link"),
        "talk": sent.get("talk", "open"),
        "explain": "explain" in sent,
        "public": "public" in sent,
        "show_played": "show_played" in sent if sent else True,
        "seats": [sent.get(f"seat-{seat}", FIRST_BOT if seat else "me") for seat in range(seats)],
        "player_choices": [str(players) for players in PLAYERS],
        "level_choices": [str(level) for level in LEVELS],
    }


def _open_table(table: TableSummary, tongue: Language) -> Scene:
    return {
        "id": table.id,
        "game": table.game,
        "game_name": tongue.gettext(GAMES[table.game]),
        "about": about(tongue, table.game, table.options),
        "names": ", ".join(table.names),
        "bots": tongue.ngettext("%(n)s bot", "%(n)s bots", table.bots, n=table.bots) if table.bots else "",
        "free": tongue.ngettext("%(n)s free seat", "%(n)s free seats", table.free, n=table.free),
    }
