"""What a person may ask of a table, as plain values.

`Make` opens a table; the others are asked of one. A repeat of any of them acts once: `Make` and `Say` by their token,
`Move` by the ply, what concerns an early end by the number of the proposal, `Again` because a table has one next table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Dealer = int | Literal["random"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Make:
    """Open a table.

    `options`: the game's, without `dealer`. `seats`: for each seat "me" (one at most), "friend" or
    "bot:NAME". `name`: what the maker is called; not used without a "me". `public`: listed in the lobby.
    `show_played`: the page lists the cards played (L-10, D-14). `dealer`: a seat, or drawn at the start.
    `timing`: clocks and leavers, as `clock.Timing` in JSON. `pace`: of the bots, "unhurried", "normal" or "fast".
    `explain`: bots say why they moved, where that gives nothing away.
    `watching`: who may watch, "nobody", "link" or "everybody". `talk`: when people may write,
    "open", "between" deals or "off".
    """

    token: str
    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    seats: tuple[str, ...]
    name: str = ""
    public: bool = False
    show_played: bool = False
    dealer: Dealer = "random"
    pace: str = "normal"
    explain: bool = False
    timing: Mapping[str, object] = field(default_factory=dict)
    watching: str = "link"
    talk: str = "open"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an empty seat under a name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Give one's seat up, before the start."""


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Put a bot in an empty seat or in another bot's; `bot` "" takes the bot away. For the host."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the game, with a person or a bot in every seat. For the host."""


@dataclass(frozen=True, slots=True)
class Move:
    """Make a move in seat notation; `ply` is the number of moves made so far, as the mover saw it."""

    ply: int
    move: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Free the seat of the person of that name, before the start. For the host."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """Make the person of that name the host. For the host."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class ProposeEnd:
    """Propose to end the game early: in Duet to give it up (D-23); `after`: the proposals made before, as seen."""

    after: int


@dataclass(frozen=True, slots=True)
class AgreeEnd:
    """Agree to the open proposal of that number; alone with bots, confirm the own one."""

    number: int


@dataclass(frozen=True, slots=True)
class DeclineEnd:
    """Play on, whoever made the open proposal of that number."""

    number: int


@dataclass(frozen=True, slots=True)
class StepOut:
    """Let a bot play for oneself."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Play again oneself, after a bot has stood in."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Ask that the clocks stand; they do once all persons who play have asked."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clocks run again, or take back that one asked for them to stand."""


@dataclass(frozen=True, slots=True)
class Say:
    """Write to the others at the table; `token` marks the request: the same one again says nothing more."""

    token: str
    text: str


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose the end, "low" or "high", for the forest token (Duet, D-21); `ply` as in `Move`."""

    ply: int
    end: str


@dataclass(frozen=True, slots=True)
class Again:
    """Play once more with the same people: makes the next table, or leads to the one that was made."""


@dataclass(frozen=True, slots=True)
class Relink:
    """Give one's seat a new private link; every other device is shut out."""


Command = (
    Sit
    | Leave
    | SeatBot
    | Start
    | Move
    | Remove
    | HandOver
    | ProposeEnd
    | AgreeEnd
    | DeclineEnd
    | StepOut
    | ComeBack
    | Pause
    | Resume
    | Say
    | Propose
    | Again
    | Relink
)


@dataclass(frozen=True, slots=True)
class Join:
    """Hold a seat on this device too, by the secret of its private link; only a house can tell whether it fits."""

    secret: str
