"""Refused, and every sentence with which a table says no, each written once.

A sentence never depends on anything that the person asking may not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from overtrick.errors import N_, OvertrickError

Kind = Literal[
    "unknown",
    "forbidden",
    "not_your_turn",
    "illegal",
    "closed",
    "too_often",
    "message",
    "stale",
    "full",
    "not_started",
    "started",
    "over",
    "declined",
    "name",
    "invalid",
    "unavailable",
]


class Refused(OvertrickError):  # noqa: N818 - it names what happened, like IllegalMove
    """A command that a table refuses, without effect; `kind` says what sort of no it is.

    `wait`: milliseconds after which it is refused no more, as far as that can be told; else 0. `record`: the table of
    which whoever asked may have the record all the same; else empty. `heading`: what a page says above the sentence,
    where the kind does not tell it.
    """

    wait = 0
    record = ""
    heading = ""

    def __init__(self, msgid: str, *, kind: Kind, clause: str = "", **params: object) -> None:
        super().__init__(msgid, clause=clause, **params)
        self.kind: Kind = kind

    @classmethod
    def because(cls, error: OvertrickError, kind: Kind) -> Self:
        """The same sentence and clause as `error`, as a refusal."""
        refused = cls(error.msgid, kind=kind, clause=error.clause)
        refused.params = error.params
        return refused


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence with its kind and the rule behind it, if any.

    Called with the sentence's parameters it gives the refusal to raise.
    """

    msgid: str
    kind: Kind
    clause: str = ""
    heading: str = ""

    def __call__(self, **params: object) -> Refused:
        """Make the refusal; `params` fill the sentence's places."""
        refused = Refused(self.msgid, kind=self.kind, clause=self.clause)
        refused.params = params
        refused.heading = self.heading
        return refused

    def for_now(self, wait: int, **params: object) -> Refused:
        """Make the refusal of something that may be asked again in `wait` milliseconds."""
        refused = self(**params)
        refused.wait = wait
        return refused


UNKNOWN_TABLE = Reason(N_("There is no such table."), "unknown")
NOT_SHOWN = Reason(
    N_(
        "Only those who belong to this table may see it. If you do, open it in the browser that you used before."
    ),
    "forbidden",
)
SHUT_OUT = Reason(
    N_("This device does not hold the seat any more: the seat's private link was renewed."), "forbidden"
)
CLOSED = Reason(N_("The house has closed this table."), "forbidden", heading=N_("This table is closed"))
CLOSED_TO_PLAYERS = Reason(
    N_("The house has closed this table. The game is over, and its record is kept."),
    "forbidden",
    heading=CLOSED.heading,
)
NOT_SEATED = Reason(N_("You do not sit at this table."), "forbidden")
NOT_HOST = Reason(N_("Only the host of this table may do that."), "forbidden")
ALREADY_SEATED = Reason(
    N_("You already sit at this table; leave that seat before you take another."), "forbidden"
)
TWO_SEATS = Reason(
    N_(
        "Your account and this guest sit at the same table, and nobody may hold two seats of one. Log in without "
        "taking the guest's games along, or play that game to its end first."
    ),
    "forbidden",
)
SEAT_TAKEN = Reason(N_("That seat is taken."), "full")
NO_SUCH_SEAT = Reason(N_("This table has seats 1 to %(seats)s only."), "invalid")
NO_SUCH_BOT = Reason(N_("There is no bot of that name."), "invalid")
NO_SUCH_WATCHING = Reason(
    N_("A table may be watched by nobody, by those who have the link, or by everybody."), "invalid"
)
NO_SUCH_TALK = Reason(N_("The chat of a table is open, open between deals, or off."), "invalid")
NO_SUCH_PACE = Reason(N_("The bots' pace is unhurried, normal or fast."), "invalid")
SEATS_EMPTY = Reason(N_("The game can start once a person or a bot sits in every seat."), "not_started")
NOT_STARTED = Reason(N_("The game has not started yet."), "not_started")
STARTED = Reason(N_("The game has started; the seats stay as they are until it is over."), "started")
OVER = Reason(N_("The game is over."), "over")
NOT_OVER = Reason(N_("The game is still going on; this is possible once it is over."), "started")
PAUSED = Reason(N_("The game is paused; let it go on first."), "stale")
NO_CLOCK = Reason(N_("No time runs at this table, so there is nothing to pause."), "invalid")
TIME_IS_UP = Reason(N_("Your time is up; the bot plays this game to its end for you."), "over")
COME_BACK_FIRST = Reason(N_("A bot plays for you now; take your seat back first."), "not_your_turn")
BAD_TIMING = Reason(
    N_(
        "A clock is none, a bank or a time for each move, of 5 seconds to 14 days; when time is up, a bot plays on "
        "or the seat loses."
    ),
    "invalid",
)
UNREADABLE = Reason(N_("The tables cannot be read just now; please try again in a moment."), "unavailable")
UNSAVED = Reason(
    N_("This could not be saved, so nothing has happened; please try again in a moment."), "unavailable"
)
UNSURE = Reason(
    N_("The line to the database broke while this was being saved. Please do it again: it counts once only."),
    "unavailable",
)
STALE = Reason(N_("The table has moved on since you last saw it; look again and choose."), "stale")
NOT_YOUR_TURN = Reason(N_("It is not your turn."), "not_your_turn")
NOT_ALONE = Reason(
    N_("Nobody ends a game alone: propose to end it, and it ends once the others agree."), "illegal"
)
END_PROPOSED = Reason(N_("Somebody has already proposed to end the game; answer that first."), "stale")
END_DECLINED = Reason(
    N_("The others want to play on; propose it again in the next deal or round."), "declined"
)
NOBODY_THERE = Reason(N_("No person sits there."), "invalid")
SOMEBODY_ELSE = Reason(N_("Somebody else sits there now; look again and choose."), "stale")
OWN_SEAT = Reason(N_("That is your own seat; stand up instead."), "invalid")
NO_END = Reason(N_("There is no end of a path to agree on."), "closed")
NO_SUCH_END = Reason(N_("The forest cannot take that end now."), "illegal", "D-21")
TOO_MANY_PROPOSALS = Reason(N_("There have been enough proposals; it is time to choose."), "too_often")
NO_TALK = Reason(N_("Partners say nothing to each other while a round is being played."), "closed", "D-24")
CHAT_OFF = Reason(N_("This table has no chat."), "forbidden")
CHAT_LATER = Reason(
    N_("The chat of this table is open between deals, until the first bet is made."), "closed"
)
CHAT_FULL = Reason(N_("This table has heard enough; its chat takes no more."), "closed")
TOO_MANY_MESSAGES = Reason(
    N_("At most %(most)s messages a minute, please; send it again a little later."), "too_often"
)
AFTER_A_MOVE = Reason(
    N_("You have done that kind of thing often enough for now; it is possible again after the next move."),
    "too_often",
)
AFTER_A_WHILE = Reason(
    N_("There has been so much coming and going here that this has to wait; try again in a few minutes."),
    "too_often",
)
MESSAGE_EMPTY = Reason(N_("A message needs at least one visible character."), "message")
MESSAGE_TOO_LONG = Reason(N_("A message has at most %(most)s characters."), "message")
NAME_EMPTY = Reason(N_("A name needs at least one visible character."), "name")
NAME_TOO_LONG = Reason(N_("A name has at most %(most)s characters."), "name")
NAME_INVISIBLE = Reason(
    N_("A name must not hold control characters, invisible characters or direction marks."), "name"
)
NAME_STACKED = Reason(N_("A name must not pile up that many marks on one letter."), "name")
NAME_TAKEN = Reason(N_("Somebody at this table has that name already; please choose another."), "name")
BAD_TOKEN = Reason(N_("The request lacks its one-time token; please try again."), "invalid")
BAD_SEATS = Reason(N_("Say who sits in each of the seats 1 to %(seats)s."), "invalid")
BAD_SEAT_CHOICE = Reason(N_("A seat is for you (one at most), for a friend, or for a bot."), "invalid")
BAD_DEALER = Reason(N_("The first dealer is drawn at random or is one of seats 1 to %(seats)s."), "invalid")
BAD_OPTIONS = Reason(N_("These options do not fit the game."), "invalid")
NO_SUCH_LINK = Reason(
    N_("This private link leads to no seat any more: it was renewed, or the seat was given up."), "unknown"
)
TOO_MANY_DEVICES = Reason(
    N_("%(most)s devices hold this seat already; renew its private link, which shuts the others out."), "full"
)
BAD_PASSWORD = Reason(N_("A password has %(least)s to %(most)s characters, whichever you like."), "invalid")
HAS_ACCOUNT = Reason(N_("You have an account already."), "forbidden")
NAME_CLAIMED = Reason(N_("Somebody has an account under that name already; choose another."), "name")
NO_SUCH_ACCOUNT = Reason(N_("There is no account with that name and that password."), "forbidden")
NOT_LOGGED_IN = Reason(N_("You are not logged in."), "forbidden")
WRONG_PASSWORD = Reason(N_("That is not your password."), "forbidden")
NO_SUCH_PAGE = Reason(N_("That page of your games does not exist; go back to the first."), "invalid")
