"""Worlds of a Duet round: the partner's hands that agree with what a seat knows, each with the round behind it.

A world is made by dealing the hidden cards and going through the log again, so that it agrees in everything: what each
seat has seen of the other's hand, and who knows what.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import duet, path
from overtrick.rules.bits import count, nth
from overtrick.rules.rng import below
from overtrick.search import duet_deduce, duet_policy, duet_weigh
from overtrick.search.duet_deduce import gift_hidden, may_hold, to_find
from overtrick.search.subsets import WAYS, nth_subset

KNOWLEDGE = np.dtype([
    ("belief", np.float64),  # how far the partner's choices so far count: 0: not, 1: in full; the caller sets it
    ("known", np.int64),  # cards that the partner surely holds, as bits
    ("unseen", np.int64),  # those that it may hold
    ("held", np.int8),  # how many of them it holds
    ("turned", np.int8, duet.LOG),  # the decree before each action of the log
    ("actor", np.int8, duet.LOG),  # the seat that acted
])  # fmt: skip
"""What one decision's sampling needs."""


MIND = duet_weigh.MIND


@kernel
def recall(state: Any, mind: Any) -> None:
    """Write the mind of a state that has not been followed from its beginning: nothing is worked out yet."""
    mind.trick = 0


@kernel
def ponder(seen: Any, know: Any) -> None:
    """Work out what is known of the partner's hand, and who did what in this round."""
    know.known = seen.known[1 - int(seen.seat)]
    know.unseen = may_hold(seen)
    know.held = to_find(seen)
    _go_through(seen, know)


@kernel
def _go_through(seen: Any, know: Any) -> None:
    """Write the decree before every action of the log, and its actor: they follow from the cards alone."""
    leader, decree = 1 - int(seen.dealer), int(seen.first_decree)
    lead, second, plays = duet.NONE, duet.NONE, 0
    seat = leader
    asked = leader
    for i in range(int(seen.logged)):
        action = int(seen.log[i])
        know.turned[i] = decree
        if duet.GIFT <= action < duet.DECREE or action == duet.NONE:
            seat = asked
            asked = 1 - asked
        elif action < duet.GIFT:
            if plays % 2 == 0:
                if plays > 0:
                    leader = duet.winner_of(leader, lead, second, decree // duet.RANKS)
                lead, seat = action, leader
            else:
                second, seat = action, 1 - leader
            plays += 1
            asked = (
                1 - seat if plays == 2 * duet.HAND - 1 else seat
            )  # D-16: the last card but one asks the other
        elif action <= duet.KEEP:
            seat = asked
            decree = decree if action == duet.KEEP else action - duet.DECREE
        elif action < duet.MOVE:
            seat = asked
            asked = seat if action == duet.FOXES else 1 - seat
        else:
            seat = duet.winner_of(leader, lead, second, decree // duet.RANKS)
        know.actor[i] = seat


@kernel
def sample(seen: Any, know: Any, state: Any, mind: Any, rng: Any) -> float:
    """Write a world into `state`, each that agrees with what is seen equally likely; return its log weight.

    With no belief that is 0. Otherwise: how much likelier than by chance a player like us would have acted, with the
    partner's cards, as it did. The gift that the partner has chosen unseen may be any of its cards, and weighs nothing.
    """
    hand = int(know.known) | _draw(int(know.unseen), int(know.held), rng)
    gift = nth(hand, below(rng, count(hand))) if gift_hidden(seen) else duet.NONE
    return _write(seen, know, state, mind, hand, gift)


@kernel
def world(seen: Any, know: Any, index: int, state: Any, mind: Any) -> float:
    """Write world number `index`, 0..`count_worlds` - 1, and return its log weight."""
    ways = int(WAYS[count(int(know.unseen)), int(know.held)])
    hand = int(know.known) | nth_subset(int(know.unseen), int(know.held), index % ways)
    gift = nth(hand, index // ways) if gift_hidden(seen) else duet.NONE
    return _write(seen, know, state, mind, hand, gift)


@kernel
def count_worlds(seen: Any, know: Any) -> int:
    """Return in how many ways the hidden cards may lie."""
    return duet_deduce.count_worlds(seen)


@kernel
def cards_left(seen: Any) -> int:
    """Return how many cards the observer holds."""
    return int(seen.hand_size[int(seen.seat)])


@kernel
def _write(seen: Any, know: Any, state: Any, mind: Any, hand: int, gift: int) -> float:
    """Write the world in which the partner holds this hand and has chosen this gift; return its log weight."""
    seat = int(seen.seat)
    _begin(seen, state)
    state.hand[seat] = seen.hand[seat]
    state.hand[1 - seat] = hand
    _rewind(seen, know, state)
    mind.trick = 0
    return _replay(seen, know, state, mind, gift)


@kernel
def _draw(cards: int, number: int, rng: Any) -> int:
    """Return so many of the cards, drawn at random."""
    left = count(cards)
    drawn = 0
    while number > 0:
        bit = cards & -cards
        cards ^= bit
        if below(rng, left) < number:
            drawn |= bit
            number -= 1
        left -= 1
    return drawn


@kernel
def _begin(seen: Any, state: Any) -> None:
    """Write this round as it began, but for the hands."""
    state.level = seen.level
    state.phase = duet.PLAYING
    state.number = seen.number
    state.dealer = seen.dealer
    state.leader = 1 - int(seen.dealer)
    state.turn = state.leader
    state.ended = path.GOING_ON
    state.spaces = seen.spaces
    state.start = seen.start
    state.plus = seen.plus
    state.tracker = seen.first_tracker
    state.low = seen.first_low
    state.high = seen.first_high
    state.tokens = seen.first_tokens
    state.decree = seen.first_decree
    state.moves = 0
    state.gems_left = 0
    for space in range(path.MAX_SPACES):
        state.gems[space] = seen.first_gems[space]
        state.gems_left += seen.first_gems[space]
    duet.clear_round(state)
    duet.remember_beginning(state)
    # Those of the round before are shown until this round's first trick is taken; later ones overwrite them.
    state.last_leader = seen.last_leader
    state.last_winner = seen.last_winner
    state.last_move = seen.last_move
    state.last_ran_off = seen.last_ran_off
    state.last_gem = seen.last_gem
    for i in range(2):
        state.last[i] = seen.last[i]


@kernel
def _rewind(seen: Any, know: Any, state: Any) -> None:
    """Take the log back out of the hands, from its end to the deal."""
    for i in range(int(seen.logged) - 1, -1, -1):
        action, seat = int(seen.log[i]), int(know.actor[i])
        if 0 <= action < duet.GIFT:
            state.hand[seat] |= 1 << action
        elif duet.GIFT <= action < duet.DECREE:
            before = int(seen.log[i - 1])
            if duet.GIFT <= before < duet.DECREE:  # the second gift: both changed hands (D-18)
                own, got = 1 << (action - duet.GIFT), 1 << (before - duet.GIFT)
                state.hand[seat] = int(state.hand[seat]) & ~got | own
                state.hand[1 - seat] = int(state.hand[1 - seat]) & ~own | got
        elif duet.DECREE <= action < duet.KEEP:
            own, got = 1 << (action - duet.DECREE), 1 << int(know.turned[i])
            state.hand[seat] = int(state.hand[seat]) & ~got | own


@kernel
def _replay(seen: Any, know: Any, state: Any, mind: Any, gift: int) -> float:
    """Go through the log again from the deal; return the log weight of the partner's choices."""
    weight = 0.0
    for i in range(int(seen.logged)):
        action = int(seen.log[i])
        if action == duet.NONE:
            action = duet.GIFT + gift
        elif know.belief > 0 and know.actor[i] != seen.seat:
            weight += duet_policy.log_likelihood(state, mind, action)
        duet.apply(state, action)
    return weight * know.belief if know.belief > 0 else 0.0
