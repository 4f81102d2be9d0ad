"""The Fox in the Forest Duet as a good beginner plays it: one trick at a time, gems first, and never off the path.

Each way in which the trick on the table may end is given a worth: the gem that it takes, how near the tracker then
stands to the others, and a heavy price for running off. The partner is trusted to answer as well as this bot would; a
few of the hands that it may hold are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from overtrick._cached import cached_property
from overtrick.bots.bot import ONLY_CARD, Reason
from overtrick.bots.duet_sight import Sight, followers
from overtrick.bots.path_worth import GEM, forest_worth, move_worth, trick_worth
from overtrick.errors import N_
from overtrick.games import View
from overtrick.rules import duet

HANDS = 12
"""Hands of the partner drawn for a decision; 5 win a little less often, 20 no more."""


class DuetThoughts:
    """What a good beginner thinks of each legal action; of equals the first is meant: the decree stays as it is.

    The seed draws the partner's possible hands.
    """

    def __init__(self, view: View, seed: int) -> None:
        self._sight = Sight(view)
        self._legal = view.legal_actions
        self._seed = seed

    @cached_property
    def worth(self) -> dict[int, float]:
        """By action, in units of a gem."""
        sight = self._sight
        hands = sight.partner_hands(Random(self._seed), HANDS) if sight.phase in _ASKED_OF_PARTNER else []
        return _WEIGH[sight.phase](sight, hands, self._legal)

    def why(self, action: int) -> Reason:
        """Say what an action is for; all of it follows from what the seat sees."""
        phase = self._sight.phase
        if phase == duet.PLAYING:
            return self._why_play(action)
        if phase in _SAY_BY_ACTION:
            usual, first, other = _SAY_BY_ACTION[phase]
            return Reason(first if action == usual else other)
        return Reason(_SAY[phase])

    def _why_play(self, card: int) -> Reason:
        if len(self._legal) == 1:
            return Reason(ONLY_CARD)
        if not self._sight.trick:
            return Reason(N_("With this lead the trick ends best for us, as far as I can tell."))
        if self.worth[card] >= GEM:
            return Reason(N_("With this card the trick can bring us to a gem."))
        if self.worth[card] > 0:
            return Reason(N_("No gem is within reach; with this card we can stop nearest to the others."))
        return Reason(N_("Every card may lead us off the path; this one costs least."))


Hands = list[list[int]]
Weigher = Callable[[Sight, Hands, tuple[int, ...]], dict[int, float]]


def _play(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> dict[int, float]:
    if sight.trick:
        return {card: _answer_worth(sight, card) for card in legal}
    return {card: _led_worth(sight, card, hands, sight.decree) for card in legal}


def _led_worth(sight: Sight, lead: int, hands: Hands, decree: int) -> float:
    """Return the mean worth of a lead over the partner's possible hands, each answering as well as it can."""
    worth = {card: trick_worth(sight, (lead, card), decree) for card in {c for hand in hands for c in hand}}
    return sum(max(worth[card] for card in followers(hand, lead)) for hand in hands) / len(hands)


def _answer_worth(sight: Sight, card: int) -> float:
    """Return the worth of answering with this card; Foxes may change the decree for this trick too (D-16)."""
    decrees = [sight.decree]
    if duet.rank(card) == duet.FOXES_RANK:
        decrees += [other for other in sight.hand if other != card]
    return max(trick_worth(sight, (sight.trick[0], card), decree) for decree in decrees)


def _decrees(sight: Sight, hands: Hands) -> dict[int, float]:
    """Return the worth of the trick under each decree that the own hand could make (D-16); keeping comes first."""
    decrees = {duet.KEEP: sight.decree, **{duet.DECREE + card: card for card in sight.hand}}
    return {action: _decree_worth(sight, hands, decree) for action, decree in decrees.items()}


def _decree_worth(sight: Sight, hands: Hands, decree: int) -> float:
    if len(sight.trick) == 2:
        return trick_worth(sight, (sight.trick[0], sight.trick[1]), decree)
    if sight.leader == sight.seat:
        return _led_worth(sight, sight.trick[0], hands, decree)
    hand = [sight.decree if card == decree else card for card in sight.hand]
    return _best_answer(sight, hand, decree)


def _best_answer(sight: Sight, hand: list[int], decree: int) -> float:
    lead = sight.trick[0]
    return max(trick_worth(sight, (lead, card), decree) for card in followers(hand, lead))


def _decree(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> dict[int, float]:
    return _decrees(sight, hands)


def _foxes(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> dict[int, float]:
    """To let the partner choose is worth as much as to keep the decree: what it holds is not guessed at."""
    worth = _decrees(sight, hands)
    keeping = worth.pop(duet.KEEP)
    return {duet.FOXES + 1: keeping, duet.FOXES: max(worth.values(), default=keeping)}


def _gift(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> dict[int, float]:
    return {action: _gift_worth(sight, hands, action - duet.GIFT) for action in legal}


def _gift_worth(sight: Sight, hands: Hands, card: int) -> float:
    """Return what is left of this trick when the card changes hands; what comes back is not guessed at (D-18)."""
    if len(sight.trick) == 2:
        return 0.0
    if sight.leader == sight.seat:
        return _led_worth(sight, sight.trick[0], [[*hand, card] for hand in hands], sight.decree)
    return _best_answer(sight, [other for other in sight.hand if other != card], sight.decree)


def _move(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> dict[int, float]:
    return {action: move_worth(sight, action - duet.MOVE - duet.FAR) for action in legal}


def _forest(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> dict[int, float]:
    return {action: forest_worth(sight, low=action == duet.FOREST) for action in legal}


_WEIGH: Mapping[int, Weigher] = {
    duet.PLAYING: _play,
    duet.FOXING: _foxes,
    duet.DECREEING: _decree,
    duet.GIFTING: _gift,
    duet.MOVING: _move,
    duet.FORESTING: _forest,
}

_SAY: Mapping[int, str] = {
    duet.GIFTING: N_("Of my cards this trick needs this one least in my hand."),
    duet.MOVING: N_("Of the spaces that we can reach, this one serves us best."),
    duet.FORESTING: N_("We need the room least at this end."),
}

_SAY_BY_ACTION: Mapping[int, tuple[int, str, str]] = {
    duet.DECREEING: (
        duet.KEEP,
        N_("No other decree makes this trick better for us."),
        N_("With this decree the trick ends better for us."),
    ),
    duet.FOXING: (
        duet.FOXES,
        N_("I hold a better decree for this trick."),
        N_("I hold no better decree for this trick; perhaps my partner does."),
    ),
}
"""An action, what to say of it, and what to say of any other."""

_ASKED_OF_PARTNER = (duet.PLAYING, duet.FOXING, duet.DECREEING, duet.GIFTING)
"""Decisions that may turn on what the partner holds."""
