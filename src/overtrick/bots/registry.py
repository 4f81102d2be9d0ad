"""The bots that can be given a seat, by name, weakest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from overtrick.bots.bot import Bot
from overtrick.bots.rules_of_thumb import Easy, RulesOfThumb
from overtrick.bots.searcher import Searcher
from overtrick.bots.uniform import Uniform
from overtrick.errors import N_


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A bot as people choose it: its name in code and API, its title, what to expect of it, how to make one.

    `offered`: the forms offer it. The others are there for programs, old tables and measuring. `searches`: it
    has all of the search to compile before its first move ever, which takes about a minute.
    """

    name: str
    title: str
    about: str
    make: Callable[[], Bot]
    offered: bool = False
    searches: bool = False


BOTS: Mapping[str, BotInfo] = {
    info.name: info
    for info in (
        BotInfo(
            "uniform",
            N_("Random"),
            N_("Plays any move that the rules allow, without a thought."),
            Uniform,
        ),
        BotInfo(
            "rules_of_thumb",
            N_("Rules of thumb"),
            N_("Plays like a good beginner: counts likely tricks or gems and looks one trick ahead."),
            RulesOfThumb,
        ),
        BotInfo(
            "easy",
            N_("Easy"),
            N_("A fair beginner: plays by simple rules, and miscounts or misses a plan as people do."),
            Easy,
            offered=True,
        ),
        BotInfo(
            "medium",
            N_("Medium"),
            N_(
                "A practised player: counts what can be counted and tries out some ways that the cards may lie."
            ),
            partial(Searcher, "medium"),
            offered=True,
            searches=True,
        ),
        BotInfo(
            "strong",
            N_("Strong"),
            N_(
                "Thinks for up to a third of a second and tries out up to thousands of ways that the cards may lie."
            ),
            partial(Searcher, "strong"),
            offered=True,
            searches=True,
        ),
    )
}


def make_bot(name: str) -> Bot:
    """Return a new bot of that name; raise KeyError if there is none."""
    return BOTS[name].make()
