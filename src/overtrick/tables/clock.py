"""Thinking time: what a table allows, how much is left, and what becomes of whoever keeps the others waiting.

All of it is pure: `now` is handed in, Unix time in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

Kind = Literal["none", "bank", "move"]
Flag = Literal["bot", "forfeit"]

KINDS = ("none", "bank", "move")
FLAGS = ("bot", "forfeit")
LONGEST = 14 * 24 * 3600
"""Seconds that a bank or a move may have at most."""
SHORTEST = 5
"""Seconds that a bank, a move or the wait for somebody away has at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How a table deals with time.

    `kind`: "none"; "bank": each seat has `seconds` for the whole game, and `increment` more for each move that it
    makes; "move": `seconds` for each move. `flag`: what follows when a seat's time is up: "bot", one plays on for it;
    "forfeit", the seat loses (Duet: the team gives up, D-23; Luz: a bot plays its cards to the end, and it cannot win).
    `away`: seconds after which a bot sits in for a person who keeps the table waiting; 0: everybody is waited for.
    """

    kind: Kind = "none"
    seconds: int = 0
    increment: int = 0
    flag: Flag = "bot"
    away: int = 0

    @property
    def runs(self) -> bool:
        """Whether anything here depends on time."""
        return self.kind != "none" or self.away > 0

    @property
    def flag_is_final(self) -> bool:
        """Whether a person whose time was up cannot play on in this game: the bank is used up, or the seat has lost."""
        return self.kind == "bank" or self.flag == "forfeit"

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "kind": self.kind,
            "seconds": self.seconds,
            "increment": self.increment,
            "flag": self.flag,
            "away": self.away,
        }


UNTIMED = Timing()
"""Nobody is hurried, and everybody is waited for."""


def timing_of(data: Mapping[str, Any]) -> Timing | None:
    """Read a timing from JSON, fields left out having their defaults; None if it makes no sense."""
    defaults = UNTIMED.to_json()
    if not set(data) <= set(defaults):
        return None
    timing = {**defaults, **data}
    if timing["kind"] not in KINDS or timing["flag"] not in FLAGS:
        return None
    numbers = [timing[name] for name in ("seconds", "increment", "away")]
    if any(isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= LONGEST for n in numbers):
        return None
    if timing["kind"] == "none":
        timing = {**timing, "seconds": 0, "increment": 0}
    elif timing["seconds"] < SHORTEST:
        return None
    if timing["kind"] == "move":
        timing["increment"] = 0
    return Timing(**timing) if timing["away"] == 0 or timing["away"] >= SHORTEST else None


class Clock(Struct, frozen=True):
    """The time of a game that is being played.

    `left`: of each seat's bank, in milliseconds, when time was last charged. `since`: when that was; None: it stands.
    `used`: milliseconds of the running turn that had been charged by then, as before a pause or a bot that stood in.
    """

    left: tuple[int, ...]
    since: int | None
    used: int = 0

    def stopped(self, seat: int | None, at: int) -> Clock:
        """The clock standing; what the seat to act has used is gone. `seat`: None if time was not its own."""
        return replace(self._charged(seat, at), since=None)

    def moved(self, seat: int | None, at: int, increment: int) -> Clock:
        """The clock of the next turn. `seat`: who moved and used its own time, None if a bot did; in seconds."""
        clock = self._charged(seat, at)
        if seat is not None and increment:
            clock = replace(clock, left=_changed(clock.left, seat, clock.left[seat] + 1000 * increment))
        return replace(clock, since=at, used=0)

    def running(self, at: int) -> Clock:
        """The clock set going; a turn that was interrupted goes on."""
        return replace(self, since=at)

    def given_back(self, milliseconds: int, at: int) -> Clock:
        """The clock without the time for which the server was gone."""
        return self if self.since is None else replace(self, since=min(at, self.since + milliseconds))

    def _charged(self, seat: int | None, at: int) -> Clock:
        if seat is None or self.since is None:
            return self
        spent = at - self.since
        left = _changed(self.left, seat, max(0, self.left[seat] - spent))
        return replace(self, left=left, used=self.used + spent)


def new_clock(timing: Timing, seats: int, at: int) -> Clock:
    """The clock of a game that begins."""
    return Clock((1000 * timing.seconds,) * seats, at)


def left_at(timing: Timing, clock: Clock, seat: int, now: int | None) -> int:
    """Milliseconds that a seat has left. `now`: None for a seat that is not to act, which has all of its share."""
    share = 1000 * timing.seconds if timing.kind == "move" else clock.left[seat]
    if now is None:
        return share
    used = clock.used if timing.kind == "move" else 0  # from a bank it is gone already
    spent = 0 if clock.since is None else max(0, now - clock.since)
    return max(0, share - used - spent)


def flag_falls(timing: Timing, clock: Clock, seat: int) -> int | None:
    """When the time of the seat to act is up, if it ever is."""
    if timing.kind == "none" or clock.since is None:
        return None
    return clock.since + left_at(timing, clock, seat, clock.since)


def patience_ends(timing: Timing, clock: Clock) -> int | None:
    """When a bot sits in for the person to act, if it ever does."""
    if not timing.away or clock.since is None:
        return None
    return clock.since + 1000 * timing.away


def _changed(left: tuple[int, ...], seat: int, milliseconds: int) -> tuple[int, ...]:
    return (*left[:seat], milliseconds, *left[seat + 1 :])
