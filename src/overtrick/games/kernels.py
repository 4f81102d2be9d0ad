"""The compiled entry points that Python calls: arrays of records in, whole games at a time where it pays.

A call from Python costs under a microsecond with an array, several with a record; so every entry takes the array.
Compiling an entry takes all that it calls once more, so there are few: `replay` deals and plays, be it one move or a
whole game, and `observe` tells what a seat sees and may do.
"""

from __future__ import annotations

from typing import Any

from overtrick._jit import by_state, kernel
from overtrick.rules import bits, duet, either, luz, rng

PLAYED_ALL, ILLEGAL, AFTER_END, DEAL_MISSING = range(4)
"""Why `replay` stopped."""

LUZ_CARD = luz.ACTIONS
"""Luz, a card played in record notation: LUZ_CARD + card. All other codes are the game's actions."""

OPEN, COMMA, CLOSE = 91, 44, 93
"""The bytes of JSON's lists."""

UNKNOWN_CODE = -1
"""The code of a text that is no move of the game."""


@kernel
def observe(states: Any, seat: int, seen: Any) -> None:
    """Write what the seat knows of the state in an array of one into a zeroed observation in another."""
    either.observe(states[0], seat, seen[0])


@kernel
def observe_everybody(states: Any, seen: Any) -> None:
    """Write what the public knows of the state in an array of one, and then each seat, into zeroed observations."""
    for i in range(len(seen)):
        either.observe(states[0], i - 1, seen[i])


@kernel
def luz_hands_texts(seen: Any, texts: Any, sizes: Any, out: Any, ends: Any) -> None:
    """Write the hands of observations, one after the other, as JSON into out, uint8[bytes].

    For each, first a list of each hand's list of cards that are held, then one of those that have been played; where
    each of the two ends goes into ends, int64[observations, 2]. texts: uint8[place, what is known, bytes] · sizes:
    int64[place, what is known] · what is known: the card, or CARDS + its suit.
    """
    at = 0
    for i in range(len(seen)):
        for played in range(2):
            at = _cards_text(seen[i], played, texts, sizes, out, at)
            ends[i, played] = at


@kernel
def _cards_text(o: Any, played: int, texts: Any, sizes: Any, out: Any, at: int) -> int:
    """Write from `at` on what `luz_hands_texts` does of the cards held (`played` 0) or played; return where it ends."""
    for seat in range(o.players):
        out[at] = COMMA if seat else OPEN
        out[at + 1] = OPEN
        at += 2
        begun = at
        for place in range(luz.HAND):
            known = _known_at(o, seat, place)
            if known == luz.NONE or int(o.held[seat]) >> place & 1 == played:
                continue
            if at > begun:
                out[at] = COMMA
                at += 1
            for i in range(sizes[place, known]):
                out[at + i] = texts[place, known, i]
            at += sizes[place, known]
        out[at] = CLOSE
        at += 1
    out[at] = CLOSE
    return at + 1


@kernel
def _known_at(o: Any, seat: int, place: int) -> int:
    """Return a card of Luz that is known, CARDS + its suit if only that is, NONE before the first deal."""
    known = int(o.hand[seat, place])
    if known == luz.NONE:
        for suit in range(luz.SUITS):
            if int(o.places[seat, suit]) >> place & 1:
                return luz.CARDS + suit
    return known


@kernel
def _luz_action(state: Any, code: int) -> int:
    """Return the action that a record's code stands for, or UNKNOWN_CODE for a card that is not held (L-17)."""
    if code < LUZ_CARD:
        return code
    seat = int(state.turn)
    for place in range(luz.HAND):
        if state.hand[seat, place] == code - LUZ_CARD and int(state.held[seat]) >> place & 1:
            return place
    return UNKNOWN_CODE


@kernel
def _duet_action(state: Any, code: int) -> int:
    return code


@kernel
def _luz_resigns(state: Any, code: int) -> bool:
    return False


@kernel
def _duet_resigns(state: Any, code: int) -> bool:
    return bool(code == duet.RESIGN)


record_action = by_state(
    "record_action",
    "(state, code) -> int: the action that a record's code stands for, or UNKNOWN_CODE.",
    {luz.STATE: _luz_action, duet.STATE: _duet_action},
)
resigns = by_state(
    "resigns",
    "(state, code) -> bool: whether the code gives the game up (D-23).",
    {luz.STATE: _luz_resigns, duet.STATE: _duet_resigns},
)


@kernel
def is_legal(state: Any, action: int) -> bool:
    """Return whether the action is one of the seat to act; False for anything out of range."""
    bit = action - either.base(state)
    return action >= 0 and 0 <= bit < 32 and either.legal(state) >> bit & 1 == 1


@kernel
def _play_code(state: Any, code: int) -> int:
    if either.over(state):
        return AFTER_END
    action = code
    if not resigns(state, code):
        if state.phase == either.WAITING:
            return DEAL_MISSING
        action = record_action(state, code)
        if not is_legal(state, action):
            return ILLEGAL
    either.apply(state, action)
    return PLAYED_ALL


@kernel
def replay(states: Any, owners: Any, decrees: Any, codes: Any) -> tuple[int, int]:
    """Play moves, dealing whenever a deal is awaited; return (how many were played, why it stopped).

    states: an array of one · owners: int8[deals, cards] · decrees: int8[deals] · codes: int64[moves], of
    record notation. The state is left as it was before the move that could not be played.
    """
    state = states[0]
    dealt = 0
    i = 0
    while True:
        if state.phase == either.WAITING and dealt < len(owners):
            either.deal(state, owners[dealt], decrees[dealt])
            dealt += 1
        if i == len(codes):
            return i, DEAL_MISSING if state.phase == either.WAITING else PLAYED_ALL
        stop = _play_code(state, int(codes[i]))
        if stop != PLAYED_ALL:
            return i, stop
        i += 1


@kernel
def first_illegal(states: Any, actions: Any) -> int:
    """Return the index of the first action that is not legal in its state, or -1; games that are over take any."""
    for i in range(len(states)):
        if not either.over(states[i]) and not is_legal(states[i], int(actions[i])):
            return i
    return -1


@kernel
def deal_all(states: Any, generator: Any, owner: Any) -> None:
    """Deal at random in every game that awaits a deal."""
    for i in range(len(states)):
        if states[i].phase == either.WAITING:
            either.random_deal(states[i], generator, owner)


@kernel
def step(states: Any, actions: Any, generator: Any, owner: Any) -> None:
    """Play one legal action in every game that is not over, and deal at random where a deal is awaited."""
    for i in range(len(states)):
        if not either.over(states[i]):
            either.apply(states[i], int(actions[i]))
    deal_all(states, generator, owner)


@kernel
def legal_masks(states: Any, mask: Any) -> None:
    """Set mask[i, action], bool[n, actions], for the legal actions of every game; it comes all False."""
    for i in range(len(states)):
        base = either.base(states[i])
        choices = either.legal(states[i])
        while choices:
            mask[i, base + bits.lowest(choices)] = True
            choices &= choices - 1


@kernel
def observe_all(states: Any, seat: int, seen: Any) -> None:
    """Write what a seat (-1: in each game the seat to act, or the public) knows into zeroed observations."""
    for i in range(len(states)):
        either.observe(states[i], seat if seat >= 0 else int(states[i].turn), seen[i])


@kernel
def scores(states: Any, points: Any) -> None:
    """Write every seat's points into points, int64[n, seats]."""
    for i in range(len(states)):
        for seat in range(points.shape[1]):
            points[i, seat] = either.score(states[i], seat)


@kernel
def random_actions(states: Any, actions: Any, generator: Any) -> None:
    """Choose a legal action for every game at random, all alike; -1 where nobody is to act."""
    for i in range(len(states)):
        choices = either.legal(states[i])
        if choices == 0:
            actions[i] = -1
        else:
            n = rng.below(generator, bits.count(choices))
            actions[i] = either.base(states[i]) + bits.nth(choices, n)


@kernel
def random_games(states: Any, begun: Any, generator: Any, owner: Any) -> int:
    """Play every game of `states` at random, from the first deal to its end; return the decisions made.

    begun: an array of one with the state that each game starts from, waiting for its first deal.
    """
    decisions = 0
    for i in range(len(states)):
        states[i] = begun[0]
        state = states[i]
        while not either.over(state):
            if state.phase == either.WAITING:
                either.random_deal(state, generator, owner)
            # Written out as in `random_actions`: choosing in a function of its own makes Luz a tenth slower.
            choices = either.legal(state)
            n = rng.below(generator, bits.count(choices))
            either.apply(state, either.base(state) + bits.nth(choices, n))
            decisions += 1
    return decisions
