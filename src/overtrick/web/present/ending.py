"""Ending a game early, and handing the host's role on, in words: what is proposed, who is asked, what may be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.i18n import Language
from overtrick.web.present.cards import Scene
from overtrick.web.present.people import People

if TYPE_CHECKING:
    from overtrick.tables import TableView
    from overtrick.tables.tableview import EndingView

WORDS = {
    "duet": {
        "summary": N_("Give up…"),
        "what": N_("This ends the game for both of you, as lost, and cannot be taken back."),
        "propose": N_("Propose to give up"),
        "mine": N_("You propose to give the game up."),
        "theirs": N_("%(name)s proposes to give the game up."),
        "alone": N_("Give the game up? It ends as lost, and that cannot be taken back."),
        "agree": N_("Give the game up"),
    },
    "luz": {
        "summary": N_("End the game…"),
        "what": N_("This ends the game for everybody, without a winner, and cannot be taken back."),
        "propose": N_("Propose to end the game"),
        "mine": N_("You propose to end the game now, without a winner."),
        "theirs": N_("%(name)s proposes to end the game now, without a winner."),
        "alone": N_("End the game now, without a winner? That cannot be taken back."),
        "agree": N_("End the game"),
    },
}
"""By game: in Duet a team gives up (D-23); Luz is left without a winner."""


def ending_scene(table: TableView, tongue: Language) -> Scene:
    """Return the forms of a game that goes on: `propose`, `proposal` (one that is open) and `hosts`."""
    said = table.ending
    return {
        "propose": _propose(table, said, tongue) if said is not None and said.may_propose else None,
        "proposal": _proposal(table, said, tongue) if said is not None and said.seat is not None else None,
        "hosts": _hosts(table) if table.is_host and table.status == "playing" else [],
    }


def _propose(table: TableView, said: EndingView, tongue: Language) -> Scene:
    _, words = tongue.gettext, WORDS[table.game]
    asked = [seat for seat in said.asked if seat != table.me]
    return {
        "after": said.proposals,
        "summary": _(words["summary"]),
        "what": _(words["what"]),
        "asked": _("The others are asked, and all must agree.")
        if asked
        else _("You will be asked once more."),
        "button": _(words["propose"]),
    }


def _proposal(table: TableView, said: EndingView, tongue: Language) -> Scene:
    """Return the open proposal: a sentence, who is still asked, and what the viewer may answer."""
    _, words, people, me = tongue.gettext, WORDS[table.game], People(table, tongue), table.me
    assert said.seat is not None
    mine, plays = said.seat == me, me is not None and _plays(table, me)
    alone = mine and not said.awaited
    if mine:
        text = _(words["alone"] if alone else words["mine"])
    else:
        text = _(words["theirs"], name=people.name(said.seat))
    waits = [people.name(seat) for seat in said.awaited if seat != me]
    return {
        "number": said.proposals,
        "text": text,
        "waits": _("Still asked: %(names)s.", names=", ".join(waits)) if waits else "",
        "may_agree": plays and (me in said.awaited or not said.awaited),
        "agree": _(words["agree"]),
        "may_decline": plays,
    }


def _hosts(table: TableView) -> list[Scene]:
    """Return the persons who may become the host, the value of the form's choice among them."""
    return [
        {"to": f"{seat.seat} {seat.name}", "name": seat.name}
        for seat in table.seats
        if seat.name and not seat.is_host
    ]


def _plays(table: TableView, seat: int) -> bool:
    """Say whether a person plays there, and no bot for them."""
    found = table.seats[seat]
    return found.kind == "person" and not found.stand_in
