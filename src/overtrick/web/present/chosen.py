"""What whoever made a table chose for it, in words, for those who think of sitting down."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from babel.dates import format_timedelta

from overtrick.errors import N_
from overtrick.web.i18n import Language
from overtrick.web.present.cards import Scene
from overtrick.web.present.chat import TALK
from overtrick.web.present.time import AWAYS, CLOCKS, FLAGS

if TYPE_CHECKING:
    from overtrick.tables import TableView
    from overtrick.tables.clock import Timing

CLOCK, FLAG = N_("Clock"), N_("When a clock runs out")
AWAY, CHAT = N_("When somebody keeps the table waiting"), N_("Chat")


def chosen(table: TableView, tongue: Language) -> list[Scene]:
    """Return each choice with its name: the clock, what follows when it runs out, people away, and the chat."""
    from overtrick.tables.clock import Timing

    timing, _ = Timing(**table.timing), tongue.gettext
    lines = [(CLOCK, _clock(timing, tongue))]
    if timing.kind != "none":
        lines.append((FLAG, _(FLAGS[timing.flag])))
    lines += [(AWAY, _away(timing, tongue)), (CHAT, _(TALK[table.game][table.talk]))]
    return [{"name": _(name), "what": what} for name, what in lines]


def _clock(timing: Timing, tongue: Language) -> str:
    keys = {"none": "none", "move": f"move-{timing.seconds}"}
    key = keys.get(timing.kind, f"bank-{timing.seconds}-{timing.increment}")
    if key in CLOCKS:
        return tongue.gettext(CLOCKS[key])
    time = _span(tongue, timing.seconds)
    if timing.kind == "move":
        return tongue.gettext("%(time)s for every move", time=time)
    more = _span(tongue, timing.increment)
    return tongue.gettext("%(time)s each, and %(more)s for every move", time=time, more=more)


def _away(timing: Timing, tongue: Language) -> str:
    if str(timing.away) in AWAYS:
        return tongue.gettext(AWAYS[str(timing.away)])
    return tongue.gettext("After %(time)s a bot sits in", time=_span(tongue, timing.away))


def _span(tongue: Language, seconds: int) -> str:
    return str(format_timedelta(timedelta(seconds=seconds), threshold=2, locale=tongue.locale))
