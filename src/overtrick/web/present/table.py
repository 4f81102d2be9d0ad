"""The scene of a table in any status: waiting room, Luz or Duet, and what every table has."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from overtrick.errors import N_
from overtrick.web.contexts import TablePage
from overtrick.web.i18n import Language, language
from overtrick.web.present.account import account, said_words
from overtrick.web.present.cards import Scene
from overtrick.web.present.chat import chat_scene, watched_by
from overtrick.web.present.chosen import chosen
from overtrick.web.present.duet import board_of, duet_scene
from overtrick.web.present.ending import ending_scene
from overtrick.web.present.luz import luz_scene
from overtrick.web.present.people import People, bot_choices, bot_label
from overtrick.web.present.time import time_scene

if TYPE_CHECKING:
    from overtrick.games import View
    from overtrick.tables import TableView

GAMES = {"luz": N_("Luz"), "duet": N_("The Fox in the Forest Duet")}


def table_scene(page: TablePage) -> Scene:
    """Return what the templates of a table are filled with; `kind` says which of them."""
    table, tongue = page.table, language(page.locale)
    scene: Scene = {
        "csrf": page.csrf,
        "error": page.error or "",
        "invite_url": page.invite_url,
        "name": page.name,
        "heartbeat": page.heartbeat,
        "id": table.id,
        "seq": table.seq,
        "ply": table.ply,
        "status": table.status,
        "game": table.game,
        "game_name": tongue.gettext(GAMES[table.game]),
        "seated": table.me is not None,
        "shut_out": _shut_out(table, tongue),
        "next_table": table.next_table,
        "cut_short": table.cut_short,
        "chat": chat_scene(table, tongue),
        "kind": "waiting" if table.view is None else table.game,
        "about": about(tongue, table.game, table.options, table.view),
    }
    scene["at"] = _inside(page, tongue)
    scene["title"] = _title(scene, tongue)
    scene["icon"] = "icon-turn" if _is_mine(scene) else "icon"
    scene["refresh"] = _refreshes(scene)
    return scene


def _inside(page: TablePage, tongue: Language) -> Scene:
    table = page.table
    if table.view is None:
        return _waiting(page, tongue)
    scene_of = luz_scene if table.game == "luz" else duet_scene
    scene = scene_of(table, table.view, tongue)
    people = People(table, tongue)
    bots = [people.tag(seat) for seat in people.clockwise() if people.is_bot(seat)]
    explains = table.explain and bool(bots) and table.status == "playing"
    time = {"time": time_scene(table, tongue)}
    told = {"said": said_words(table, tongue), "account": account(table, tongue)}
    return {
        **scene,
        **told,
        **time,
        "bots": bots,
        "explains": explains,
        "commitments": list(table.commitments),
        "ending": ending_scene(table, tongue),
    }


def _shut_out(table: TableView, tongue: Language) -> str:
    """Return that the viewer's device does not hold its seat any more, if it held one; in the words of the refusal."""
    from overtrick.tables.refusals import SHUT_OUT

    return tongue.say(SHUT_OUT()) if table.shut_out else ""


def _is_mine(scene: Scene) -> bool:
    """Say whether the viewer is to act."""
    return scene["kind"] != "waiting" and bool(scene["at"]["turn"]["mine"])


def _title(scene: Scene, tongue: Language) -> str:
    """Return the window's title: it says when the viewer is to act, for people who look at another window."""
    if _is_mine(scene):
        return tongue.gettext("● Your turn – %(game)s", game=scene["game_name"])
    if scene["status"] == "waiting":
        return tongue.gettext("Waiting – %(game)s", game=scene["game_name"])
    return tongue.gettext("%(game)s – Overtrick", game=scene["game_name"])


def _refreshes(scene: Scene) -> bool:
    """Say whether a page without scripts reloads itself: while others are awaited, never over a half-typed name."""
    if scene["status"] == "over":
        return False
    if scene["kind"] == "waiting":
        return bool(scene["seated"]) and not scene["at"]["may_start"]
    return not scene["at"]["turn"]["mine"]


def _waiting(page: TablePage, tongue: Language) -> Scene:
    table, people = page.table, People(page.table, tongue)
    seats = [
        {
            **people.tag(seat.seat),
            "kind": seat.kind,
            "host": seat.is_host,
            "what": bot_label(tongue, seat.bot) if seat.bot else "",
            "number": seat.seat + 1,
        }
        for seat in table.seats
    ]
    free = sum(seat.kind == "empty" for seat in table.seats)
    return {
        "seats": seats,
        "free": free,
        "is_host": table.is_host,
        "may_sit": table.me is None,
        "watched_by": watched_by(table, tongue),
        "chosen": chosen(table, tongue),
        "only_here": is_only_here(page.invite_url),
        "may_start": table.is_host and not free,
        "bots": bot_choices(tongue),
    }


def is_only_here(url: str) -> bool:
    """Say whether an address means this machine to whoever opens it, and so leads friends nowhere."""
    host = urlsplit(url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


def about(tongue: Language, game: str, options: dict[str, object], view: View | None = None) -> str:
    """Return a game's options in a few words; `view` of one that has begun."""
    _ = tongue.gettext
    if game == "duet":
        board = board_of(options, view)
        side = {"side-a": _("side A"), "side-b": _("side B, reconstructed")}.get(
            board.name.removesuffix("-diamonds")
        )
        return _("level %(level)s, %(side)s", level=options.get("level", 1), side=side or board.title)
    players = int(str(options.get("players", 4)))
    words = tongue.ngettext("%(n)s player", "%(n)s players", players, n=players)
    return _("%(players)s, beads are limited", players=words) if options.get("bead_supply") else words
