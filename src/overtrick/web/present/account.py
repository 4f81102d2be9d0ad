"""What bots say of their moves: of the last one while the game goes on, of every one once it is over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.i18n import Language
from overtrick.web.present.cards import Scene, duet_name, luz_card
from overtrick.web.present.people import People

if TYPE_CHECKING:
    from overtrick.bots import Reason
    from overtrick.tables import TableView

CARD = {"luz": re.compile(r"[RYGBP]([1-9]|1[0-2])"), "duet": re.compile(r"[DRS]([1-9]|10)")}
PARTS = {"luz": N_("Deal %(number)s"), "duet": N_("Round %(number)s")}
ANSWERS = {
    "decree:keep": N_("keeps the decree"),
    "foxes:self": N_("takes the choice of the decree"),
    "foxes:partner": N_("leaves the choice of the decree to the partner"),
    "move:0": N_("leaves the lantern where it is"),
    "forest:low": N_("puts the forest at the low end"),
    "forest:high": N_("puts the forest at the high end"),
    "resign": N_("gives up"),
}
"""Moves that name neither a card nor a number."""
CARDS = {
    "play": N_("plays %(card)s"),
    "gift": N_("gives %(card)s"),
    "decree": N_("makes %(card)s the decree"),
}
DOING_ANSWERS = {
    "decree:keep": N_("keeping the decree"),
    "foxes:self": N_("choosing the decree myself"),
    "foxes:partner": N_("letting my partner change the decree"),
    "move:0": N_("leaving the lantern where it is"),
    "forest:low": N_("putting the forest at the low end"),
    "forest:high": N_("putting the forest at the high end"),
}
DOING_CARDS = {
    "play": N_("playing %(card)s"),
    "gift": N_("giving %(card)s"),
    "decree": N_("making %(card)s the decree"),
}
"""The same as what a bot might have done, within a sentence of its own."""
LAST_TRICK = 10  # L-5
MOVE = re.compile(r"(play|bet|gift|decree|foxes|move|forest):\S+")
"""A move in seat notation."""


def said_words(table: TableView, tongue: Language) -> Scene | None:
    """Return who made the last move and why, if the table tells that."""
    if table.said is None or _is_last_card(table):
        return None
    name = People(table, tongue).name(table.said.seat)
    return {"name": name, "sentence": why_words(tongue, table.game, table.said.why)}


def _is_last_card(table: TableView) -> bool:
    """Say whether the last move was a card of the last trick of Luz, where nobody holds a second one (L-6)."""
    if table.view is None or table.game != "luz":
        return False
    seen = table.view.to_json()
    laid = [*seen["trick"]] if seen["phase"] == "play" else seen["last_trick"]
    return bool(laid) and (seen["phase"] != "play" or sum(seen["tricks"]) == LAST_TRICK - 1)


def account(table: TableView, tongue: Language) -> list[Scene]:
    """Return the moves of a finished game at which bots played, deal by deal; [] if none did."""
    if not any(told.why for told in table.told):
        return []
    people = People(table, tongue)
    parts: list[Scene] = []
    played = 0
    for told in table.told:
        if told.deal > len(parts):
            title = tongue.gettext(PARTS[table.game], number=told.deal)
            parts.append({"title": title, "moves": []})
            played = 0
        plays = told.move.startswith("play:")
        line = {
            "name": people.name(told.seat),
            "move": move_words(tongue, table.game, told.move),
            "why": why_words(tongue, table.game, told.why) if told.why else "",
            "leads": plays and played % len(table.seats) == 0,
        }
        parts[-1]["moves"].append(line)
        played += plays
    return parts


def move_words(tongue: Language, game: str, move: str) -> str:
    """Return a move of record notation in a few words, to stand after a name and a colon."""
    if move in ANSWERS:
        return tongue.gettext(ANSWERS[move])
    kind, _, what = move.partition(":")
    if kind in CARDS:
        return tongue.gettext(CARDS[kind], card=card_words(tongue, game, what))
    if kind == "bet":
        n = int(what.rstrip("+"))
        bets = tongue.ngettext("bets %(n)s trick", "bets %(n)s tricks", n, n=n)
        return tongue.gettext("%(bets)s, with safety", bets=bets) if what.endswith("+") else bets
    n = abs(int(what))
    if what.startswith("-"):
        return tongue.ngettext(
            "moves the lantern %(n)s space toward the low end",
            "moves the lantern %(n)s spaces toward the low end",
            n,
            n=n,
        )
    return tongue.ngettext(
        "moves the lantern %(n)s space toward the high end",
        "moves the lantern %(n)s spaces toward the high end",
        n,
        n=n,
    )


def why_words(tongue: Language, game: str, why: Reason) -> str:
    """Return a bot's reason in the reader's language, cards by their names, other moves as something to do."""
    return " ".join(_sentence(tongue, game, sentence) for sentence in why.sentences)


def _sentence(tongue: Language, game: str, said: Reason) -> str:
    params = {key: _param(tongue, game, part) for key, part in said.params.items()}
    if said.plural:
        return tongue.ngettext(said.msgid, said.plural, int(str(said.params["n"])), **params)
    return tongue.gettext(said.msgid, **params)


def doing(tongue: Language, game: str, move: str) -> str:
    """Return a move of seat notation as something to do, to stand in a sentence."""
    if move in DOING_ANSWERS:
        return tongue.gettext(DOING_ANSWERS[move])
    kind, _, what = move.partition(":")
    if what.startswith("#"):
        return tongue.gettext("playing the card at place %(place)s", place=what[1:])
    if kind in DOING_CARDS:
        return tongue.gettext(DOING_CARDS[kind], card=card_words(tongue, game, what))
    if kind == "bet":
        n = int(what.rstrip("+"))
        bets = tongue.ngettext("betting %(n)s trick", "betting %(n)s tricks", n, n=n)
        return tongue.gettext("%(bets)s, with safety", bets=bets) if what.endswith("+") else bets
    n = abs(int(what))
    if what.startswith("-"):
        return tongue.ngettext(
            "going %(n)s space toward the low end", "going %(n)s spaces toward the low end", n, n=n
        )
    return tongue.ngettext(
        "going %(n)s space toward the high end", "going %(n)s spaces toward the high end", n, n=n
    )


def card_words(tongue: Language, game: str, card: str) -> str:
    """Return what a card is called."""
    return str(luz_card(tongue, card)["name"]) if game == "luz" else duet_name(tongue, card)


def _param(tongue: Language, game: str, part: object) -> object:
    if isinstance(part, str) and CARD[game].fullmatch(part):
        return card_words(tongue, game, part)
    if isinstance(part, str) and MOVE.fullmatch(part):
        return doing(tongue, game, part)
    if isinstance(part, list | tuple):
        return ", ".join(str(_param(tongue, game, one)) for one in part)
    return part
