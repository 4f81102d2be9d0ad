"""What a sensible Luz seat makes of its own view: chances of its cards, and how likely it is to make each move.

A move's weight comes from a small net over what the seat can tell (its need, the chance to take this trick, the
tricks that the rest of the hand promises, what the others still need). The net was fitted to moves of searching bots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.search.luz_sets import ABOVE, over, size
from overtrick.search.luz_weights import BETS, FIRST, FIRST_BIAS, SECOND, STRENGTHS

HIDDEN = 16
CONTEXT = 13
INPUTS = CONTEXT + 11


def _strengths() -> np.ndarray:
    """Return the chance that a card takes a trick later, by players, trump, tricks left, higher, lower, voids."""
    n, trump, left, higher, lower, voids = np.meshgrid(
        range(3), range(2), range(luz.HAND + 1), range(8), range(8), range(5), indexing="ij"
    )
    x = strength_features(left, higher, lower, voids)
    logit = np.einsum("f...,...f->...", x, np.array(STRENGTHS)[n, trump])
    return np.ascontiguousarray(1 / (1 + np.exp(-logit)), dtype=np.float32)


def strength_features(left: Any, higher: Any, lower: Any, voids: Any) -> Any:
    """Return what a card's strength is a logistic function of, feature first."""
    one = np.ones_like(higher)
    late = (left - 5) / 5
    end = [late, late * higher, late * lower, late * voids, (higher == 0) * one, (lower == 0) * one]
    start = [one, higher, lower, higher**2 / 4, higher * lower / 4, voids, voids * higher / 4]
    return np.array(start + end)


STRENGTH = _strengths()
W1 = np.ascontiguousarray(FIRST, dtype=np.float32)
B1 = np.ascontiguousarray(FIRST_BIAS, dtype=np.float32)
W2 = np.ascontiguousarray(SECOND, dtype=np.float32)
BET_MODEL = np.ascontiguousarray(BETS, dtype=np.float32)


@kernel
def _clip(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


@kernel
def weigh(state: Any, mind: Any) -> int:
    """Write the chance of each legal action of the seat to act into `mind.weight`; return them as bits.

    Bets count from bit 10, as actions do.
    """
    legal = luz.legal(state)
    if state.phase == luz.BETTING:
        _weigh_bets(state, mind, legal)
    elif legal & (legal - 1) == 0:
        mind.weight[size(legal - 1)] = 1.0
    else:
        _weigh_cards(state, mind, legal)
    return legal


@kernel
def promise(state: Any, mind: Any) -> float:
    """Write the chances that each own card takes a trick later into `mind.keep`; return their sum."""
    seat, players = int(state.turn), int(state.players)
    held, left = int(state.held[seat]), luz.HAND - int(state.taken)
    total = 0.0
    for suit in range(luz.SUITS):
        places = held & int(state.places[seat, suit])
        if places == 0:
            continue
        others = int(mind.in_hands[suit]) & ~int(mind.cards[seat, suit])
        voids, trump = 0, 1
        if suit != luz.TRUMP:
            trump = 0
            for other in range(players):
                if mind.cards[other, suit] == 0 and mind.cards[other, luz.TRUMP] != 0 and other != seat:
                    voids += 1
        n = size(others)
        while places:
            bit = places & -places
            places ^= bit
            place = size(bit - 1)
            higher = size(others & over(int(mind.value[seat, place])))
            chance = STRENGTH[players - 3, trump, left, min(higher, 7), min(n - higher, 7), voids]
            mind.keep[place] = chance
            total += chance
    return total


@kernel
def play_context(state: Any, mind: Any) -> float:
    """Write what all plays of a decision share into `mind.context`; return tricks missing from what is promised."""
    seat, players, laid = int(state.turn), int(state.players), int(state.laid)
    left = luz.HAND - int(state.taken)
    total = promise(state, mind)
    need = int(state.bets[seat]) - int(state.tricks[seat])
    safety = int(state.safety[seat])
    missing = need + 0.5 * safety - total
    demand, eager, spoilt = need, 0, 0.0
    for i in range(1, players):
        other = seat + i if seat + i < players else seat + i - players
        wants = int(state.bets[other]) - int(state.tricks[other])
        demand += max(wants, 0)
        if i < players - laid:  # it plays after this seat
            eager += wants > 0
        elif other == int(state.best_seat):
            spoilt = 1.0 if wants > 0 else (-1.0 if wants == 0 else -0.5)
    follows = laid and int(state.places[seat, int(state.trick[0]) // luz.RANKS]) & int(state.held[seat])
    context = mind.context
    context[0] = _clip(need, -3, 6) / 4
    context[1] = left / 10
    context[2] = 1.0 if need > 0 else 0.0
    context[3] = 1.0 if need == 0 else 0.0
    context[4] = safety
    context[5] = _clip(missing, -3, 3) / 2
    context[6] = 1.0 if laid == 0 else 0.0
    context[7] = 1.0 if laid == players - 1 else 0.0
    context[8] = spoilt
    context[9] = _clip(demand - left, -4, 4) / 3
    context[10] = 1.0 if need >= left else 0.0
    context[11] = eager / 2
    context[12] = 1.0 if follows else 0.0
    return float(missing)


@kernel
def _weigh_cards(state: Any, mind: Any, legal: int) -> None:
    missing = play_context(state, mind)
    led = int(state.trick[0]) // luz.RANKS if state.laid else -1
    _start(mind.context, mind.hidden)
    best = np.float32(-1e9)
    left = legal
    while left:
        place = size((left & -left) - 1)
        left &= left - 1
        play_inputs(state, mind, place, led, missing)
        logit = _finish(mind)
        mind.weight[place] = logit
        best = max(best, logit)
    norm = np.float32(0.0)
    left = legal
    while left:
        place = size((left & -left) - 1)
        left &= left - 1
        chance = np.exp(mind.weight[place] - best)
        mind.weight[place] = chance
        norm += chance
    share = np.float32(1.0) / norm
    left = legal
    while left:
        mind.weight[size((left & -left) - 1)] *= share
        left &= left - 1


@kernel
def _start(c: Any, hidden: Any) -> None:
    # Inputs are taken out of the record: in it they might be what is written, for all the compiler knows, and the loop
    # would not do eight hidden units at a time. It would take 1.45 times as long.
    x = (c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12])
    for j in range(HIDDEN):
        total = B1[j]
        for i in range(CONTEXT):
            total += x[i] * W1[i, j]
        hidden[j] = total


@kernel
def takes_now(state: Any, mind: Any, place: int, led: int) -> float:
    """Return the chance that a card takes this trick if those after it play any card that they may."""
    seat, players, laid = int(state.turn), int(state.players), int(state.laid)
    suit, value = suit_of(state, seat, place), int(mind.value[seat, place])
    chance = 1.0
    if laid:
        best = int(state.best)
        if suit == best // luz.RANKS:
            values = int(mind.unseen[seat, place])
            m = size(values)
            beaten = values & over(best % luz.RANKS)
            chance = float(ABOVE[mind.spot[seat, place], m, m - size(beaten)])
            value = max(value, best % luz.RANKS + 1)
        elif suit != luz.TRUMP:
            return 0.0
    else:
        led = suit
    if chance == 0.0:
        return 0.0
    for i in range(1, players - laid):
        other = seat + i if seat + i < players else seat + i - players
        follow = int(mind.cards[other, led])
        if follow:
            if suit == led:
                chance *= 1 - size(follow & over(value)) / size(follow)
        else:
            trumps = int(mind.cards[other, luz.TRUMP])
            if suit == luz.TRUMP:
                trumps &= over(value)
            if trumps:
                chance *= 1 - size(trumps) / size(int(state.held[other]))
    return chance


@kernel
def suit_of(state: Any, seat: int, place: int) -> int:
    """Return the colour of a place, which everybody sees."""
    return int(state.hand[seat, place]) // luz.RANKS


@kernel
def play_inputs(state: Any, mind: Any, place: int, led: int, missing: float) -> None:
    """Write what is one card's own into `mind.inputs`."""
    seat = int(state.turn)
    suit, value = suit_of(state, seat, place), int(mind.value[seat, place])
    now, keep = takes_now(state, mind, place, led), float(mind.keep[place])
    mind.now[place] = now
    others = int(mind.in_hands[suit]) & ~int(mind.cards[seat, suit])
    higher = size(others & over(value))
    lower = size(others) - higher
    after = missing + keep - now
    inputs = mind.inputs
    inputs[0] = now
    inputs[1] = keep
    inputs[2] = _clip(after, -3, 3) / 2
    inputs[3] = abs(inputs[2])
    inputs[4] = 1.0 if suit == luz.TRUMP else 0.0
    inputs[5] = value / 6 - 1
    inputs[6] = size(int(state.places[seat, suit]) & int(state.held[seat])) / 4
    inputs[7] = min(higher, 6) / 4
    inputs[8] = min(lower, 6) / 4
    inputs[9] = 1.0 if now >= 0.999 else 0.0
    inputs[10] = 1.0 if now <= 0.001 else 0.0


@kernel
def _finish(mind: Any) -> Any:
    y, hidden, top = mind.inputs, mind.hidden, mind.top
    x = (y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7], y[8], y[9], y[10])
    zero = np.float32(0.0)
    for j in range(HIDDEN):
        total = hidden[j]
        for i in range(INPUTS - CONTEXT):
            total += x[i] * W1[CONTEXT + i, j]
        top[j] = max(total, zero) * W2[j]
    a, b, c, d = zero, zero, zero, zero  # four sums, so that none waits for the one before
    for j in range(0, HIDDEN, 4):
        a, b, c, d = a + top[j], b + top[j + 1], c + top[j + 2], d + top[j + 3]
    return (a + b) + (c + d)


@kernel
def bet_inputs(state: Any, mind: Any, row: Any) -> None:
    """Write what bets follow from: tricks promised, their variance, how far bets exceed their share, share that bet."""
    players = int(state.players)
    row[0] = promise(state, mind)
    row[1] = 0.0
    for place in range(luz.HAND):
        row[1] += mind.keep[place] * (1 - mind.keep[place])
    before, ahead = 0, 0.0
    for other in range(players):
        if state.bets[other] != luz.NONE:
            before += 1
            ahead += float(state.bets[other]) + 0.5 * float(state.safety[other])
    row[2] = ahead - 10.0 * before / players
    row[3] = before / players


@kernel
def _weigh_bets(state: Any, mind: Any, legal: int) -> None:
    """Bets lie round the tricks that the hand promises, and shrink or grow with what was bet before."""
    bet_inputs(state, mind, mind.inputs)
    total, spread, excess, share = mind.inputs[0], mind.inputs[1], mind.inputs[2], mind.inputs[3]
    p = BET_MODEL[int(state.players) - 3]
    centre = p[0] + p[1] * total + p[2] * excess + p[3] * total * total / 4 + p[4] * share
    narrow, wide = np.exp(p[5] + p[6] * total), np.exp(p[7] + p[8] * total)
    safe = p[9] + p[10] * spread + p[11] * total + p[12] * excess + p[13] * share
    norm = 0.0
    for bet in range(2 * (luz.MAX_BEADS + 1)):
        if legal >> (luz.BET + bet) & 1:
            away = (bet >> 1) - centre
            logit = -away * away * narrow
            if bet & 1:
                away += p[14]
                logit = safe - away * away * wide
            chance = np.exp(max(logit, -20.0))
            mind.weight[luz.BET + bet] = chance
            norm += chance
    for bet in range(2 * (luz.MAX_BEADS + 1)):
        if legal >> (luz.BET + bet) & 1:
            mind.weight[luz.BET + bet] /= norm
