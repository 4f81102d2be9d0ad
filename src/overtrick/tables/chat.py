"""What people at a table write to each other: how a message is cleaned, and how much of it is kept.

A name that hides something is refused (`names`); of a message only what hides is taken out, for people paste text
and meant the rest of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from overtrick.tables import refusals
from overtrick.tables.events import Proposed, Spoke
from overtrick.tables.happened import UnknownEvent
from overtrick.tables.seats import PersonSeat
from overtrick.tables.texts import MOST_MARKS, has_ink, is_hidden, is_mark, spaced

if TYPE_CHECKING:
    from overtrick.tables.table import Table

TALK = ("open", "between", "off")
"""When people may write: at any time, between deals only, never. Duet is always as D-24 has it, or off."""
LONGEST = 300
"""Code points that a message may have."""
LONGEST_RAW = 2000
"""Code points looked at; a longer text is refused before any work is spent on it."""
KEPT = 100
"""Messages of a table that are shown; by their tokens the repeat of a request is known."""
MOST = 3000
"""Messages at one table, so that nobody fills a log."""
PER_MINUTE = 20
"""Messages of one person in a minute; five people stay within what is kept."""
MINUTE = 60_000
"""Milliseconds."""

# Scripts and composed emoji need these between two signs; anywhere else they are hidden text.
_JOINERS = "\u200c\u200d"


class Message(Struct, frozen=True):
    """One message as the table keeps it; `number` from 1, `name` as it was then, `at` in Unix milliseconds.

    `since`: the number of the event by which its writer took the seat, as in `PersonSeat`.

    `token`: what the sender's request was marked with. Of one whose writer's data was deleted, `name`, `text` and
    `token` are "", and it is not shown.
    """

    number: int
    seat: int
    since: int
    name: str
    text: str
    token: str
    at: int


def clean_message(text: str) -> str:
    """Return `text` as one line: NFC, spaces collapsed, no hidden signs, no more than three marks on a letter.

    Raises Refused (kind "message") for one that is empty then, or longer than 300 characters.
    """
    if len(text) > LONGEST_RAW:
        raise refusals.MESSAGE_TOO_LONG(most=LONGEST)
    signs = [char for char in spaced(text) if char in _JOINERS or not is_hidden(char)]
    message = spaced("".join(_without_loose_joiners(_without_piles(signs))))
    if not has_ink(message):
        raise refusals.MESSAGE_EMPTY()
    if len(message) > LONGEST:
        raise refusals.MESSAGE_TOO_LONG(most=LONGEST)
    return message


def _without_loose_joiners(signs: list[str]) -> list[str]:
    """Return the signs without the joiners that join nothing: at an end, beside a space or another one."""
    loose = {" ", "", *_JOINERS}
    around = zip(["", *signs], signs, [*signs[1:], ""], strict=False)
    return [char for before, char, after in around if char not in _JOINERS or not {before, after} & loose]


def _without_piles(signs: list[str]) -> list[str]:
    """Return the signs without the marks that are one too many, or that stand on nothing."""
    kept: list[str] = []
    pile = MOST_MARKS
    for char in signs:
        if is_mark(char):
            pile += 1
        elif char not in _JOINERS:
            pile = MOST_MARKS if char == " " else 0
        if not is_mark(char) or pile <= MOST_MARKS:
            kept.append(char)
    return kept


def spoken(table: Table, event: Spoke, at: int) -> Table:
    """The table after somebody wrote something."""
    sitter, number = table.seats[event.seat], table.spoken + 1
    if not isinstance(sitter, PersonSeat):
        raise UnknownEvent("words of somebody who does not sit there")
    message = Message(number, event.seat, sitter.since, sitter.name, event.text, event.token, at)
    return replace(table, chat=(*table.chat, message)[-KEPT:], spoken=number)


def proposed(table: Table, event: Proposed) -> Table:
    """The table after somebody proposed an end."""
    ends = dict(table.proposals) | {event.seat: event.end}
    return replace(table, proposals=tuple(sorted(ends.items())), proposed=table.proposed + 1)
