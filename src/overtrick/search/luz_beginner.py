"""What a good beginner makes of a Luz seat's view: count the likely tricks, bet them, then steer towards the bet.

A card's strength is the chance that it takes a trick. It starts from a question that a person can answer by looking
round the table: were I to lead this card, how likely would it hold, if everybody answered with any card that they may
play? The answer is scaled by how often cards like it took a trick in games of such players. An action is worth the
points of this deal that are to be expected after it. The safety bead is never used.

Reads of a world only what its seat to act knows, so any world that agrees with the seat's view does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import luz
from overtrick.rules.bits import lowest
from overtrick.search.luz_sets import ODDS, over, size

SCALES = np.array(
    [
        [(-0.013, 0.626), (0.703, 0.426)],
        [(-0.011, 0.559), (0.581, 0.525)],
        [(-0.020, 0.520), (0.544, 0.531)],
    ]
)
"""By players - 3, for a plain card and for a trump: base and slope from "holds when led" to "takes a trick".

Least squares over the hands of 300 games of such players against each other (residual 1.17, 0.99, 0.89 tricks a hand).
"""
SLIP = 0.6
"""How far off a beginner judges an action in deal 1: the scale of a Gumbel error, in points. It grows as points do."""
NEVER = -1000.0
"""The worth of a bet with the safety bead."""


@kernel
def weigh_carelessly(state: Any, mind: Any) -> int:
    """Write the chance of each legal action of the seat to act into `mind.weight`; return them as bits.

    The error being Gumbel's, the chances are a softmax of the worths.
    """
    legal = luz.legal(state)
    judge(state, mind, legal)
    scale = SLIP * float(state.deal)
    highest = -np.inf
    left = legal
    while left:
        highest = max(highest, float(mind.weight[lowest(left)]))
        left &= left - 1
    norm = 0.0
    left = legal
    while left:
        action = lowest(left)
        left &= left - 1
        chance = np.exp((float(mind.weight[action]) - highest) / scale)
        mind.weight[action] = chance
        norm += chance
    left = legal
    while left:
        mind.weight[lowest(left)] /= norm
        left &= left - 1
    return legal


@kernel
def judge(state: Any, mind: Any, legal: int) -> None:
    """Write the expected points of each legal action into `mind.weight`, `NEVER` for bets with the safety bead.

    Unless it is the only one: then 0. What it follows from is left behind in `mind.keep` and `mind.now`.
    """
    if legal & (legal - 1) == 0:
        mind.weight[lowest(legal)] = 0.0
        return
    strengths(state, mind)
    if state.phase == luz.BETTING:
        _foresee(state, mind, luz.NONE)
        for bet in range(luz.MAX_BEADS + 1):
            _look_at_points(state, mind, bet, 0)
            mind.weight[luz.BET + 2 * bet] = _expected(state, mind)
            mind.weight[luz.BET + 2 * bet + 1] = NEVER
        return
    seat = int(state.turn)
    _look_at_points(state, mind, int(state.bets[seat]) - int(state.tricks[seat]), int(state.safety[seat]))
    led = int(state.trick[0]) // luz.RANKS if state.laid else -1
    after = int(state.players) - int(state.laid)
    while legal:
        place = lowest(legal)
        legal &= legal - 1
        if led >= 0:
            mind.now[place] = _holds(state, mind, place, led, after)
        _foresee(state, mind, place)
        mind.weight[place] = _expected(state, mind)


@kernel
def strengths(state: Any, mind: Any) -> None:
    """Write the chance that each held card takes a trick at some time into `mind.keep`, if led now into `mind.now`."""
    seat, players = int(state.turn), int(state.players)
    left = int(state.held[seat])
    while left:
        place = lowest(left)
        left &= left - 1
        holds = _holds(state, mind, place, -1, players)
        trump = 1 if int(state.hand[seat, place]) // luz.RANKS == luz.TRUMP else 0
        scale = SCALES[players - 3, trump]
        mind.now[place] = holds
        mind.keep[place] = min(1.0, max(0.0, scale[0] + scale[1] * holds))


@kernel
def _holds(state: Any, mind: Any, place: int, led: int, seats: int) -> float:
    """Return the chance that a card takes a trick in which it is led or answers `led`.

    `seats`: how many are still to play, itself included; each plays any card that it may (L-16).
    """
    seat, players = int(state.turn), int(state.players)
    suit = int(state.hand[seat, place]) // luz.RANKS
    values, spot = int(mind.unseen[seat, place]), int(mind.spot[seat, place])
    floor = -1
    if led >= 0:
        best = int(state.best)
        if best // luz.RANKS == suit:
            floor = best % luz.RANKS
        elif suit != luz.TRUMP:
            return 0.0
    else:
        led = suit
    m, j, chance = size(values), 0, 0.0
    while values:
        value = lowest(values)
        values &= values - 1
        odds = ODDS[spot, m, j]
        j += 1
        if odds == 0.0 or value <= floor:
            continue
        higher = over(value)
        for i in range(1, seats):
            other = seat + i if seat + i < players else seat + i - players
            follow = int(mind.cards[other, led])
            if follow:
                if suit == led:
                    odds *= 1.0 - size(follow & higher) / size(follow)
            else:
                trumps = int(mind.cards[other, luz.TRUMP])
                if suit == luz.TRUMP:
                    trumps &= higher
                if trumps:
                    odds *= 1.0 - size(trumps) / size(int(state.held[other]))
        chance += odds
    return chance


@kernel
def _foresee(state: Any, mind: Any, place: int) -> None:
    """Write into `mind.tricks` the chances of taking 0, 1, 2... tricks if the card at `place` is played now."""
    chances = mind.tricks
    chances[0] = 1.0
    n = 0
    left = int(state.held[int(state.turn)])
    while left:
        card = lowest(left)
        left &= left - 1
        takes = float(mind.now[card]) if card == place else float(mind.keep[card])
        n += 1
        chances[n] = 0.0
        for k in range(n, 0, -1):
            chances[k] += takes * (chances[k - 1] - chances[k])
        chances[0] *= 1.0 - takes


@kernel
def _look_at_points(state: Any, mind: Any, wanted: int, safety: int) -> None:
    """Write into `mind.gains` the points for 0, 1, 2... more tricks when `wanted` make the bet (negative: too many)."""
    for taken in range(luz.HAND + 1 - int(state.taken)):
        mind.gains[taken] = luz.bet_points(int(state.deal), wanted, safety, taken)


@kernel
def _expected(state: Any, mind: Any) -> float:
    """Return the points to be expected from the chances in `mind.tricks`."""
    total = 0.0
    for taken in range(luz.HAND + 1 - int(state.taken)):
        total += mind.tricks[taken] * mind.gains[taken]
    return total
