"""What each action of a Duet seat is worth to the team, looking one trick ahead.

Reads only what the seat to act knows: its own hand, the table, and of the partner's hand which cards are known to be
there, which may be, and how many they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import duet, path
from overtrick.rules.bits import count, lowest
from overtrick.search.duet_deduce import share_of, unseen_by
from overtrick.search.duet_tables import KIND, KINDS, MOVES

MIND = np.dtype([
    ("trick", np.int8),  # number of the trick that `kind` is about, from 1; 0: none yet
    ("kind", np.float32, KINDS),  # worth of a trick of this kind from where the tracker stands
    ("step", np.float32, 2 * duet.FAR + 1),  # worth of each displacement
    ("reach", np.float32, path.MAX_SPACES),  # worth of standing on each space, but for the gem taken there
    ("worth", np.float32, 32),  # of each action of the last decision, by its bit above `base`
])  # fmt: skip
"""What is worked out once a trick and the same for both seats, and scratch space of a decision."""

NEAR = np.array([0.13 * 0.5**distance for distance in range(path.MAX_SPACES)], np.float32)
"""Worth of a gem left on the board by its distance from the tracker; one taken counts 1.

With RAN_OFF, found by a random search over some 90 settings, 60 to 100 games each at every level; heavier weights,
slower fading and a fear of the path's ends all won less often.
"""
RAN_OFF = -1.8
LOST = -10.0
KEEP = np.array([0.10, 0.0, 0.0, 0.0, 0.08, 0.0, 0.0, 0.0, 0.03, 0.0], np.float32)
"""Worth of still holding a card, by rank - 1: the Musician and the Gazelle bend later tricks."""
NOISE = 0.04
"""Two actions that differ by less are chosen between by chance."""


@kernel
def weigh(state: Any, mind: Any, choices: int) -> None:
    """Write into `mind.worth` what each of the legal choices is worth to the team, as the seat to act sees it."""
    _look_along_the_path(state, mind)
    phase = int(state.phase)
    if phase == duet.PLAYING:
        if state.laid == 1:
            _weigh_answers(state, mind, choices)
        else:
            _weigh_leads(state, mind, choices)
    elif phase == duet.MOVING:
        for bit in range(2 * duet.FAR + 1):
            mind.worth[bit] = mind.step[bit]
    elif phase == duet.DECREEING:
        _weigh_decrees(state, mind, choices)
    elif phase == duet.GIFTING:
        _weigh_gifts(state, mind, choices)
    else:
        _weigh_foxes(state, mind)


@kernel
def _look_along_the_path(state: Any, mind: Any) -> None:
    """Work out once a trick what every displacement, and so every kind of trick, is worth."""
    trick = int(state.tricks[0]) + int(state.tricks[1]) + 1
    if mind.trick == trick:
        return
    mind.trick = trick
    low, high = int(state.low), path.last_space(state)
    tracker, start = int(state.tracker), int(state.start)
    for space in range(low, high + 1):
        reach = 0.0
        for other in range(low, high + 1):
            reach += state.gems[other] * NEAR[abs(other - space)]
        mind.reach[space] = reach
    off = RAN_OFF + mind.reach[start] if state.tokens > 0 else LOST
    for d in range(-duet.FAR, duet.FAR + 1):
        space = tracker + d
        if space < low or space > high:
            mind.step[d + duet.FAR] = off
        elif state.gems[space] > 0:
            mind.step[d + duet.FAR] = mind.reach[space] - NEAR[0] + 1.0
        else:
            mind.step[d + duet.FAR] = mind.reach[space]
    for kind in range(KINDS):
        moves = MOVES[kind]
        best = mind.step[lowest(moves)]
        moves &= moves - 1
        while moves:
            best = max(best, mind.step[lowest(moves)])
            moves &= moves - 1
        mind.kind[kind] = best


@kernel
def _answer(state: Any, mind: Any, card: int, trump: int) -> float:
    """Return the worth of the trick on the table with this second card."""
    return float(mind.kind[KIND[trump, int(state.leader), int(state.trick[0]), card]])


@kernel
def _trumps(cards: int) -> int:
    """Return the suits of a set of cards, as bits."""
    suits = 0
    for suit in range(duet.SUITS):
        if cards & duet.suit_cards(suit):
            suits |= 1 << suit
    return suits


@kernel
def _weigh_answers(state: Any, mind: Any, choices: int) -> None:
    trump = int(state.decree) // duet.RANKS
    seat = int(state.turn)
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        rank = card % duet.RANKS
        worth = _answer(state, mind, card, trump)
        if rank + 1 == duet.FOXES_RANK:  # D-16: the decree may change for this trick too
            suits = _trumps(int(state.hand[seat]) & ~(1 << card))
            for other in range(duet.SUITS):
                if suits >> other & 1:
                    worth = max(worth, _answer(state, mind, card, other))
        mind.worth[card] = worth - KEEP[rank]


@kernel
def _partner_of(state: Any, seat: int) -> tuple[int, int, float]:
    """Return the cards that the partner of `seat` surely holds, those it may, and the chance of each of these."""
    known, unseen = int(state.known[1 - seat]), unseen_by(state, seat)
    return known, unseen, share_of(count(int(state.hand[1 - seat])), known, unseen)


@kernel
def _weigh_leads(state: Any, mind: Any, choices: int) -> None:
    seat = int(state.turn)
    known, unseen, share = _partner_of(state, seat)
    trump = int(state.decree) // duet.RANKS
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        mind.worth[card] = led(mind, seat, card, trump, known, unseen, share) - KEEP[card % duet.RANKS]


@kernel
def led(mind: Any, seat: int, lead: int, trump: int, known: int, unseen: int, share: float) -> float:
    """Return about what a lead is worth: the mean of the partner's best answer.

    known: cards that the partner surely holds; unseen: those that it may, each with chance `share`.
    """
    suit = duet.suit_cards(lead // duet.RANKS)
    if lead % duet.RANKS + 1 == duet.HEIR:
        return _best_of(mind, seat, lead, trump, known, unseen, share)
    following, maybe = known & suit, unseen & suit
    if following:
        return _best_of(mind, seat, lead, trump, following, maybe, share)
    if maybe == 0:
        return _best_of(mind, seat, lead, trump, known, unseen, share)
    none = 1.0
    for _ in range(count(maybe)):
        none *= 1.0 - share
    worth = _best_of(mind, seat, lead, trump, 0, maybe, share)
    if none < 0.1:
        return worth
    return worth + none * (_best_of(mind, seat, lead, trump, known, unseen & ~suit, share) - worth)


@kernel
def _best_of(mind: Any, seat: int, lead: int, trump: int, sure: int, maybe: int, share: float) -> float:
    """Return about the mean of the best answer among cards held for sure and others held perhaps."""
    floor = -100.0
    while sure:
        floor = max(floor, mind.kind[KIND[trump, seat, lead, lowest(sure)]])
        sure &= sure - 1
    first, second, third, total = floor, floor, floor, 0.0
    n = 0
    while maybe:
        worth = mind.kind[KIND[trump, seat, lead, lowest(maybe)]]
        maybe &= maybe - 1
        n += 1
        total += worth
        if worth > first:
            first, second, third = worth, first, second
        elif worth > second:
            second, third = worth, second
        elif worth > third:
            third = worth
    if n == 0:
        return max(floor, -10.0)
    rest = floor if floor > -100.0 else total / n
    second, third = max(second, rest), max(third, rest)
    gone = 1.0 - share
    return share * (first + gone * (second + gone * third)) + gone * gone * gone * rest


@kernel
def _under(state: Any, mind: Any, trump: int) -> float:
    """Return what the trick on the table is worth to the seat to act if the decree were of this suit."""
    seat = int(state.turn)
    if state.laid == 2:
        return _answer(state, mind, int(state.trick[1]), trump)
    if state.leader == seat:
        known, unseen, share = _partner_of(state, seat)
        return led(mind, seat, int(state.trick[0]), trump, known, unseen, share)
    return _best_answer(state, mind, int(state.hand[seat]), trump)


@kernel
def _best_answer(state: Any, mind: Any, hand: int, trump: int) -> float:
    may = duet.may_answer(hand, int(state.trick[0]))
    best = -10.0
    while may:
        best = max(best, _answer(state, mind, lowest(may), trump))
        may &= may - 1
    return best


@kernel
def _weigh_decrees(state: Any, mind: Any, choices: int) -> None:
    now = int(state.decree) // duet.RANKS
    mind.worth[duet.CARDS] = _under(state, mind, now) + 0.02
    for suit in range(duet.SUITS):
        cards = choices & duet.suit_cards(suit)
        if cards:
            worth = _under(state, mind, suit)
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                mind.worth[card] = worth - KEEP[card % duet.RANKS] + KEEP[int(state.decree) % duet.RANKS]


@kernel
def _weigh_foxes(state: Any, mind: Any) -> None:
    """The own hand's best change of decree against keeping it, which the partner may do better than."""
    seat = int(state.turn)
    keep = _under(state, mind, int(state.decree) // duet.RANKS)
    best = keep
    suits = _trumps(int(state.hand[seat]))
    for suit in range(duet.SUITS):
        if suits >> suit & 1:
            best = max(best, _under(state, mind, suit))
    mind.worth[0] = best
    mind.worth[1] = keep + 0.05


@kernel
def _weigh_gifts(state: Any, mind: Any, choices: int) -> None:
    """What the trick is worth when the card has changed hands; what comes back is not guessed at (D-18)."""
    seat = int(state.turn)
    trump = int(state.decree) // duet.RANKS
    hand = choices
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        worth = 0.0
        if state.laid == 1 and state.leader == seat:
            lead = int(state.trick[0])
            worth = (
                0.3 * mind.kind[KIND[trump, seat, lead, card]]
                if card // duet.RANKS == lead // duet.RANKS
                else 0.0
            )
        elif state.laid == 1:
            worth = _best_answer(state, mind, hand & ~(1 << card), trump)
        mind.worth[card] = worth - KEEP[card % duet.RANKS] + NOISE
