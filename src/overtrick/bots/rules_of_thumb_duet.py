"""The Fox in the Forest Duet as a good beginner plays it: one trick at a time, gems first, and never off the path.

Each way in which the trick on the table may end is given a worth: the gem that it takes, how near the tracker then
stands to the others, and a heavy price for running off. The partner is trusted to answer as well as this bot would; a
few of the hands that it may hold are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from overtrick.bots.bot import Budget, Choice, Reason
from overtrick.bots.duet_sight import Sight, followers
from overtrick.bots.path_worth import GEM, forest_worth, move_worth, trick_worth
from overtrick.errors import N_
from overtrick.games import View
from overtrick.rules import duet

HANDS = 12
"""Hands of the partner drawn for a decision; 5 win a little less often, 20 no more."""


class RulesOfThumbDuet:
    """Chooses the move whose trick is worth most on average; of equals the first, and the decree stays as it is."""

    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        """Choose by looking one trick ahead; the seed draws the partner's possible hands."""
        sight = Sight(view)
        hands = sight.partner_hands(Random(seed), HANDS) if sight.phase in _ASKED_OF_PARTNER else []
        action, why = _DECIDE[sight.phase](sight, hands, view.legal_actions)
        return Choice(view.game.seat_moves(view.observation, [action])[0], why)


Hands = list[list[int]]
Decider = Callable[[Sight, Hands, tuple[int, ...]], tuple[int, Reason]]


def _play(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> tuple[int, Reason]:
    if not sight.trick:
        worth = {card: _led_worth(sight, card, hands, sight.decree) for card in legal}
        return _best(worth), Reason(N_("With this lead the trick ends best for us, as far as I can tell."))
    worth = {card: _answer_worth(sight, card) for card in legal}
    card = _best(worth)
    if worth[card] >= GEM:
        return card, Reason(N_("With this card the trick can bring us to a gem."))
    if worth[card] > 0:
        return card, Reason(N_("No gem is within reach; with this card we can stop nearest to the others."))
    return card, Reason(N_("Every card may lead us off the path; this one costs least."))


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


def _decree(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> tuple[int, Reason]:
    action = _best(_decrees(sight, hands))
    if action == duet.KEEP:
        return action, Reason(N_("No other decree makes this trick better for us."))
    return action, Reason(N_("With this decree the trick ends better for us."))


def _foxes(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> tuple[int, Reason]:
    if _best(_decrees(sight, hands)) != duet.KEEP:
        return duet.FOXES, Reason(N_("I hold a better decree for this trick."))
    return duet.FOXES + 1, Reason(N_("I hold no better decree for this trick; perhaps my partner does."))


def _gift(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> tuple[int, Reason]:
    worth = {action: _gift_worth(sight, hands, action - duet.GIFT) for action in legal}
    return _best(worth), Reason(N_("Of my cards this trick needs this one least in my hand."))


def _gift_worth(sight: Sight, hands: Hands, card: int) -> float:
    """Return what is left of this trick when the card changes hands; what comes back is not guessed at (D-18)."""
    if len(sight.trick) == 2:
        return 0.0
    if sight.leader == sight.seat:
        return _led_worth(sight, sight.trick[0], [[*hand, card] for hand in hands], sight.decree)
    return _best_answer(sight, [other for other in sight.hand if other != card], sight.decree)


def _move(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> tuple[int, Reason]:
    action = _best({a: move_worth(sight, a - duet.MOVE - duet.FAR) for a in legal})
    return action, Reason(N_("Of the spaces that we can reach, this one serves us best."))


def _forest(sight: Sight, hands: Hands, legal: tuple[int, ...]) -> tuple[int, Reason]:
    action = _best({a: forest_worth(sight, low=a == duet.FOREST) for a in legal})
    return action, Reason(N_("We need the room least at this end."))


def _best(worth: Mapping[int, float]) -> int:
    """Return the action of the greatest worth; of equals, the first."""
    return max(worth, key=worth.__getitem__)


_DECIDE: Mapping[int, Decider] = {
    duet.PLAYING: _play,
    duet.FOXING: _foxes,
    duet.DECREEING: _decree,
    duet.GIFTING: _gift,
    duet.MOVING: _move,
    duet.FORESTING: _forest,
}

_ASKED_OF_PARTNER = (duet.PLAYING, duet.FOXING, duet.DECREEING, duet.GIFTING)
"""Decisions that may turn on what the partner holds."""
