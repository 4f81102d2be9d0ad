"""What bots say of their moves: of the last one while the game goes on, of every one once it is over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overtrick.errors import N_, NN_
from overtrick.web.i18n import Language
from overtrick.web.present.cards import Scene, duet_name, luz_card
from overtrick.web.present.people import People

if TYPE_CHECKING:
    from overtrick.bots import Reason
    from overtrick.tables import TableView

CARD = {"luz": re.compile(r"[RYGBP]([1-9]|1[0-2])"), "duet": re.compile(r"[DRS]([1-9]|10)")}
PARTS = {"luz": N_("Deal %(number)s"), "duet": N_("Round %(number)s")}


@dataclass(frozen=True, slots=True)
class Phrases:
    """How moves are put into words, in one form of the verb; message ids."""

    answers: Mapping[str, str]
    """Moves that name neither a card nor a number."""
    cards: Mapping[str, str]
    """By kind of move, of a card."""
    bet: tuple[str, str]
    low: tuple[str, str]
    high: tuple[str, str]


DONE = Phrases(
    {
        "decree:keep": N_("keeps the decree"),
        "foxes:self": N_("takes the choice of the decree"),
        "foxes:partner": N_("leaves the choice of the decree to the partner"),
        "move:0": N_("leaves the lantern where it is"),
        "forest:low": N_("puts the forest at the low end"),
        "forest:high": N_("puts the forest at the high end"),
        "resign": N_("gives up"),
    },
    {"play": N_("plays %(card)s"), "gift": N_("gives %(card)s"), "decree": N_("makes %(card)s the decree")},
    NN_("bets %(n)s trick", "bets %(n)s tricks"),
    NN_(
        "moves the lantern %(n)s space toward the low end",
        "moves the lantern %(n)s spaces toward the low end",
    ),
    NN_(
        "moves the lantern %(n)s space toward the high end",
        "moves the lantern %(n)s spaces toward the high end",
    ),
)
"""What a seat did, to stand after its name and a colon."""
DOING = Phrases(
    {
        "decree:keep": N_("keeping the decree"),
        "foxes:self": N_("choosing the decree myself"),
        "foxes:partner": N_("letting my partner change the decree"),
        "move:0": N_("leaving the lantern where it is"),
        "forest:low": N_("putting the forest at the low end"),
        "forest:high": N_("putting the forest at the high end"),
    },
    {
        "play": N_("playing %(card)s"),
        "gift": N_("giving %(card)s"),
        "decree": N_("making %(card)s the decree"),
    },
    NN_("betting %(n)s trick", "betting %(n)s tricks"),
    NN_("going %(n)s space toward the low end", "going %(n)s spaces toward the low end"),
    NN_("going %(n)s space toward the high end", "going %(n)s spaces toward the high end"),
)
"""What a bot might have done, to stand within a sentence of its own."""
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


def move_words(tongue: Language, game: str, move: str, phrases: Phrases = DONE) -> str:
    """Return a move of record notation in a few words, in the form that the phrases have."""
    if move in phrases.answers:
        return tongue.gettext(phrases.answers[move])
    kind, _, what = move.partition(":")
    if kind in phrases.cards:
        return tongue.gettext(phrases.cards[kind], card=card_words(tongue, game, what))
    if kind == "bet":
        n = int(what.rstrip("+"))
        bets = tongue.ngettext(*phrases.bet, n, n=n)
        return tongue.gettext("%(bets)s, with safety", bets=bets) if what.endswith("+") else bets
    n = abs(int(what))
    return tongue.ngettext(*(phrases.low if what.startswith("-") else phrases.high), n, n=n)


def why_words(tongue: Language, game: str, why: Reason) -> str:
    """Return a bot's reason in the reader's language, cards by their names, other moves as something to do."""
    return " ".join(_sentence(tongue, game, sentence) for sentence in why.sentences)


def _sentence(tongue: Language, game: str, said: Reason) -> str:
    params = {key: _param(tongue, game, part) for key, part in said.params.items()}
    if said.plural:
        return tongue.ngettext(said.msgid, said.plural, int(str(said.params["n"])), **params)
    return tongue.gettext(said.msgid, **params)


def card_words(tongue: Language, game: str, card: str) -> str:
    """Return what a card is called."""
    return str(luz_card(tongue, card)["name"]) if game == "luz" else duet_name(tongue, card)


def _param(tongue: Language, game: str, part: object) -> object:
    if isinstance(part, str) and CARD[game].fullmatch(part):
        return card_words(tongue, game, part)
    if isinstance(part, str) and MOVE.fullmatch(part):
        place = part.partition(":#")[2]
        if place:
            return tongue.gettext("playing the card at place %(place)s", place=place)
        return move_words(tongue, game, part, DOING)
    if isinstance(part, list | tuple):
        return ", ".join(str(_param(tongue, game, one)) for one in part)
    return part
