"""Time at a table in words: clocks, pauses, bots that stand in, and the choices for a new table."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from babel.dates import format_timedelta

from overtrick.errors import N_
from overtrick.web.i18n import Language
from overtrick.web.present.account import move_words
from overtrick.web.present.cards import Scene
from overtrick.web.present.people import People

if TYPE_CHECKING:
    from overtrick.tables import TableView

CLOCKS = {
    "none": N_("No clock"),
    "bank-300-5": N_("5 minutes each, and 5 seconds for every move"),
    "bank-900-10": N_("15 minutes each, and 10 seconds for every move"),
    "move-60": N_("A minute for every move"),
    "move-86400": N_("A day for every move"),
    "move-259200": N_("Three days for every move"),
}
"""By the value that the form sends: kind, seconds and increment."""
FLAGS = {"bot": N_("A bot plays on for them"), "forfeit": N_("They lose")}
AWAYS = {
    "0": N_("Wait for them"),
    "120": N_("After 2 minutes a bot sits in"),
    "600": N_("After 10 minutes a bot sits in"),
    "86400": N_("After a day a bot sits in"),
}
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def choices(tongue: Language, labels: dict[str, str]) -> list[Scene]:
    """Return the choices of one field of the form for a new table."""
    return [{"key": key, "label": tongue.gettext(label)} for key, label in labels.items()]


def time_scene(table: TableView, tongue: Language) -> Scene:
    """Return who plays for the viewer, what was played meanwhile, and the clocks where there are any."""
    from overtrick.tables.clock import Timing

    people = People(table, tongue)
    mine = None if table.me is None else table.seats[table.me]
    playing = mine is not None and table.status == "playing"
    stand_in = mine.stand_in if mine is not None and playing else None
    return {
        "stand_in": bool(stand_in),
        "final": mine is not None and mine.flagged and Timing(**table.timing).flag_is_final,
        "may_step_out": playing and not stand_in,
        "done": _done(table, tongue),
        "meanwhile": [
            {
                "name": people.name(seat),
                "me": seat == table.me,
                "move": move_words(tongue, table.game, move),
            }
            for seat, move in table.meanwhile
        ],
        "clocks": _clocks(table, people, tongue),
        "helped": _helped(table, people, tongue),
    }


def _done(table: TableView, tongue: Language) -> str:
    """Return how many moves a bot has made for the viewer since it took over."""
    made = sum(seat == table.me for seat, _ in table.meanwhile)
    if not made:
        return tongue.gettext("The bot has made no move for you.")
    return tongue.ngettext(
        "The bot has made %(n)s move for you.", "The bot has made %(n)s moves for you.", made, n=made
    )


def _clocks(table: TableView, people: People, tongue: Language) -> Scene | None:
    time = table.time
    if time is None:
        return None
    faces = [
        {
            "seat": seat,
            "name": people.name(seat),
            "me": seat == table.me,
            "left": left,
            "text": clock_words(tongue, left),
            "runs": seat == time.running,
            "asks": seat in time.asked and not time.paused,
        }
        for seat in people.clockwise()
        if (left := time.left[seat]) is not None
    ]
    return {
        "faces": faces,
        "patience": tongue.gettext(
            "A bot sits in for whoever keeps the table waiting for %(time)s, unless everybody wants a pause.",
            time=format_timedelta(timedelta(seconds=table.timing.get("away", 0)), locale=tongue.locale),
        ),
        "paused": time.paused,
        "asked": tongue.gettext(
            "%(names)s would like to pause.", names=", ".join(people.name(seat) for seat in time.asked)
        )
        if time.asked and not time.paused
        else "",
        "i_asked": table.me in time.asked,
    }


def _helped(table: TableView, people: People, tongue: Language) -> list[str]:
    """Return, for the result, for whom bots have played and whose time was up."""
    sentences = []
    for seat in table.seats:
        name = people.name(seat.seat)
        if seat.helped:
            sentences.append(
                tongue.ngettext(
                    "A bot made %(n)s move for %(name)s.",
                    "A bot made %(n)s moves for %(name)s.",
                    seat.helped,
                    n=seat.helped,
                    name=name,
                )
            )
        if people.has_forfeited(seat.seat) and table.game == "luz":
            sentences.append(tongue.gettext("%(name)s ran out of time, and so could not win.", name=name))
        elif seat.flagged and not people.has_forfeited(seat.seat):  # of which the heading tells
            sentences.append(tongue.gettext("%(name)s ran out of time.", name=name))
    return sentences


def clock_words(tongue: Language, milliseconds: int) -> str:
    """Return a span of time as a clock shows it; the page's script does the same for less than a day."""
    seconds = -(-milliseconds // 1000)
    if seconds >= _DAY:
        return tongue.gettext("%(days)s d %(hours)s h", days=seconds // _DAY, hours=seconds % _DAY // _HOUR)
    if seconds >= _HOUR:
        return f"{seconds // _HOUR}:{seconds % _HOUR // _MINUTE:02}:{seconds % _MINUTE:02}"
    return f"{seconds // _MINUTE}:{seconds % _MINUTE:02}"
