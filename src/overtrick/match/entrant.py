"""A bot that enters a match, and what a decision may cost it: `strong`, `strong@nodes=2000`, `medium@ms=20`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from overtrick.bots import BOTS, Bot, Budget, Choice, make_bot
from overtrick.bots.omniscient import Omniscient
from overtrick.games import Position
from overtrick.games.game import short

OMNISCIENT = "omniscient"
"""The yardstick that is shown every card; it exists in matches only."""

MOST_NODES, MOST_MS = 10**9, 600_000

NO_BUDGET = Budget()
"""None named: a bot takes what it takes by default."""


class InvalidMatch(ValueError):  # noqa: N818 - named like IllegalMove and InvalidRecord
    """A match that cannot be played as it was asked for; the message, in English, says what was expected."""


class OpenBot(Protocol):
    """A player that is shown the whole position: a yardstick, never an opponent at a table."""

    def choose_open(self, position: Position, seat: int, *, seed: int, budget: Budget) -> Choice:
        """Choose a move of that seat, in seat notation."""
        ...


Player = Bot | OpenBot


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot by name and the budget that it gets; `str()` says both, as they are given on the command line."""

    name: str
    budget: Budget = NO_BUDGET

    def __str__(self) -> str:
        if self.budget.nodes is not None:
            return f"{self.name}@nodes={self.budget.nodes}"
        if self.budget.milliseconds is not None:
            return f"{self.name}@ms={self.budget.milliseconds:g}"
        return self.name

    def player(self) -> Player:
        """Return a new player of that name."""
        return Omniscient() if self.name == OMNISCIENT else make_bot(self.name)


def parse_entrant(text: str, budget: Budget = NO_BUDGET) -> Entrant:
    """Return the entrant that a text names, with its own budget or else the one given; raise InvalidMatch.

    >>> str(parse_entrant("uniform@nodes=500"))
    'uniform@nodes=500'
    """
    name, at, own = text.strip().partition("@")
    known = (*BOTS, OMNISCIENT)
    if name not in known:
        raise InvalidMatch(
            f"There is no bot {short(name) if name else 'without a name'}; the bots are {', '.join(known)}."
        )
    return Entrant(name, _budget(text, own) if at else budget)


def checked_budget(nodes: int | None, milliseconds: float | None) -> Budget:
    """Return a budget of nodes or of milliseconds; raise InvalidMatch for both at once or one out of range."""
    if nodes is not None and milliseconds is not None:
        raise InvalidMatch("A budget is in nodes or in milliseconds, not both.")
    if nodes is not None and not 1 <= nodes <= MOST_NODES:
        raise InvalidMatch(f"A budget is 1 to {MOST_NODES} nodes, not {nodes}.")
    if milliseconds is not None and not 0 < milliseconds <= MOST_MS:
        raise InvalidMatch(
            f"A budget is more than 0 and at most {MOST_MS} milliseconds, not {milliseconds:g}."
        )
    return Budget(nodes=nodes, milliseconds=milliseconds)


def _budget(text: str, own: str) -> Budget:
    found = re.fullmatch(r"(?:nodes=([0-9]{1,10})|ms=([0-9]{1,7}(?:\.[0-9]{1,6})?))", own, re.ASCII)
    if found is None:
        raise InvalidMatch(f"{short(text)} names no budget: name@nodes=2000 or name@ms=50 was expected.")
    nodes, milliseconds = found.groups()
    return checked_budget(None if nodes is None else int(nodes), None if nodes else float(milliseconds))
