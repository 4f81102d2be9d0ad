"""Luz as kernels: 3 to 5 players see everybody's card values but their own, and bet on their tricks.

Rules: L-1 to L-25 of the rules document. Where this engine takes a liberty:

* A hand is kept sorted by colour, then ascending by value, so the high end is always the last place (L-7 lets the
  sorter choose the end; it is the same knowledge). A seat names a card by its place, 0..9 (L-17).
* Passing hands to the left (L-7) is not modelled: a deal is given as held after passing.

Actions, an int each; a seat's legal ones depend only on what that seat may know:
    0..9      play the card at this place of the hand as dealt
    10..31    bet: 10 + 2 * beads + safety, beads 0..10, safety 0..1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules.bits import lowest
from overtrick.rules.rng import shuffle_first
from overtrick.rules.tricks import beats, may_follow

RULES_VERSION = 1
"""Rises when the behaviour changes, not for speed or style; logs keep it."""

MAX_PLAYERS = 5
SUITS = 5
RANKS = 12
CARDS = SUITS * RANKS  # L-1
TRUMP = 1  # L-1: yellow, the sun
HAND = 10  # L-5, L-6: ten cards each, ten tricks a deal
DEALS = 4  # L-5
MAX_BEADS = 10  # L-11
BET = 10  # the first betting action
ACTIONS = BET + 2 * (MAX_BEADS + 1)
LOG = MAX_PLAYERS * (1 + HAND)  # the most actions of a deal

DEAL, BETTING, PLAY, OVER = 0, 1, 2, 3  # phases; DEAL waits for a deal
NONE = -1

_SHARED = [
    ("players", np.int8),  # 3..5
    ("bead_supply", np.int8),  # bet beads in the box, NONE: they do not run out (L-3)
    ("dealer", np.int8),  # the seat that deals the first deal
    ("phase", np.int8),
    ("deal", np.int8),  # deals begun, 0..4
    ("first", np.int8),  # holder of the sign (L-4, L-8)
    ("leader", np.int8),  # leads the trick on the table, or the next one
    ("turn", np.int8),  # seat to act; NONE in DEAL and OVER
    ("laid", np.int8),  # cards on the table, 0..players-1
    ("taken", np.int8),  # tricks taken by all in this deal, 0..10
    (
        "last_leader",
        np.int8,
    ),  # of the last trick, until this deal's first one is taken it is the deal before's; NONE
    ("last_winner", np.int8),
    ("bets", np.int8, MAX_PLAYERS),  # bet beads 0..10; NONE: has not bet
    ("safety", np.int8, MAX_PLAYERS),  # safety beads, 0..1
    ("tricks", np.int8, MAX_PLAYERS),  # taken in this deal
    ("trick", np.int8, MAX_PLAYERS),  # cards on the table, in the order played
    ("last", np.int8, MAX_PLAYERS),  # cards of the last trick, in the order played
    ("scores", np.int16, MAX_PLAYERS),  # over all deals scored (L-25)
    ("by_deal", np.int16, (DEALS, MAX_PLAYERS)),
    ("hand", np.int8, (MAX_PLAYERS, HAND)),  # card by place, as dealt; NONE before the first deal
    ("logged", np.int8),  # actions of this deal so far
    ("log", np.int8, LOG),  # those actions, in order; 0 beyond `logged`
    ("held", np.int64, MAX_PLAYERS),  # places still held, as bits
    (
        "places",
        np.int16,
        (MAX_PLAYERS, SUITS),
    ),  # places of each colour as dealt, as bits (L-1: it shows on the back)
]

STATE = np.dtype([
    *_SHARED,
    ("best", np.int8),  # the card that wins the trick so far
    ("best_seat", np.int8),
])  # fmt: skip
"""One moment of a game. Arrays over seats have MAX_PLAYERS elements; those past `players` stay as made."""

OBSERVATION = np.dtype([
    *_SHARED,  # `hand`: NONE at each place whose card the seat does not know
    ("seat", np.int8),  # who sees this; NONE: the public
    ("base", np.int16),  # the action that bit 0 of `choices` stands for
    ("choices", np.int64),  # legal actions of `seat`, as bits above `base`; 0 unless it is to act
    ("winner", np.int8),  # of a game that is over; else NONE
    ("beads_left", np.int8),  # bet beads in a limited supply (L-3)
])  # fmt: skip
"""What one seat knows (L-9, L-10): the same fields, written one by one by `observe`."""


@kernel
def values_in_use(players: int) -> int:
    """Return the highest value in the deck: 8, 10 or 12 for 3, 4 or 5 players."""
    return 2 * players + 2  # L-2


@kernel
def begin(state: Any, players: int, dealer: int, bead_supply: int) -> None:
    """Write a game that waits for its first deal into a zeroed STATE; bead_supply NONE means no limit."""
    state.players = players
    state.bead_supply = bead_supply
    state.dealer = dealer
    state.first = (dealer + 1) % players  # L-8
    state.leader = state.first
    state.turn = NONE
    state.last_leader = NONE
    state.last_winner = NONE
    state.hand[:] = NONE
    state.bets[:] = NONE
    state.last[:] = NONE
    state.trick[:] = NONE
    state.phase = DEAL


@kernel
def deal(state: Any, owner: Any) -> None:
    """Begin the next deal. `owner`, int8[CARDS]: the seat that holds each card after passing, or NONE.

    Cards with no owner are set aside or not in use (L-2, L-6); they are not kept in the state.
    """
    players = int(state.players)
    state.deal += 1
    state.first = (int(state.dealer) + int(state.deal)) % players  # L-8
    await_bets(state)
    state.places[:] = 0
    state.held[:] = 0
    for card in range(CARDS):  # in ascending order, so every hand comes out sorted (L-7)
        seat = int(owner[card])
        if seat != NONE:
            held = int(state.held[seat])
            place = lowest(held + 1)
            state.hand[seat, place] = card
            state.held[seat] = 2 * held + 1
            state.places[seat, card // RANKS] |= held + 1


@kernel
def await_bets(state: Any) -> None:
    """Clear away what a deal before has left, and let the seat bet that then leads (L-11, L-14)."""
    players = int(state.players)
    state.phase = BETTING
    state.leader = state.first
    if players == 3 and state.deal == DEALS:  # L-23
        for i in range(players):
            seat = (int(state.first) + i) % players
            if state.scores[seat] > state.scores[state.leader]:
                state.leader = seat
    state.turn = state.leader
    state.laid = 0
    state.taken = 0
    state.logged = 0
    state.log[:] = 0
    state.trick[:] = NONE
    state.bets[:] = NONE
    state.safety[:] = 0
    state.tricks[:] = 0


@kernel
def random_owner(owner: Any, players: int, rng: Any) -> None:
    """Deal at random: fill `owner`, int8[CARDS], as `deal` takes it (L-2, L-6)."""
    values = values_in_use(players)
    deck = np.empty(SUITS * values, np.int8)
    for i in range(len(deck)):
        deck[i] = i // values * RANKS + i % values
    shuffle_first(rng, deck, players * HAND)
    owner[:] = NONE
    for i in range(players * HAND):
        owner[int(deck[i])] = i // HAND


@kernel
def base(state: Any) -> int:
    """Return the action that bit 0 of `legal` stands for: always 0 in Luz."""
    return 0


@kernel
def legal(state: Any) -> int:
    """Return the legal actions as bits; 0 when nobody is to act.

    L-13: bets may add up to anything. Colours of one's own cards are known, so nothing here depends on a value
    that the seat cannot see (L-16).
    """
    if state.phase == PLAY:
        seat = int(state.turn)
        held = int(state.held[seat])
        if state.laid == 0:
            return held  # L-15
        return may_follow(held, int(state.places[seat, int(state.trick[0]) // RANKS]))  # L-16
    if state.phase == BETTING:
        most = MAX_BEADS
        if state.bead_supply != NONE:  # L-3
            most = min(most, beads_left(state))
        return ((1 << (2 * (most + 1))) - 1) << BET  # L-11
    return 0


@kernel
def beads_left(state: Any) -> int:
    """Return how many bet beads are left in the supply, where it is limited (L-3)."""
    left = int(state.bead_supply)
    for seat in range(int(state.players)):
        if state.bets[seat] != NONE:
            left -= int(state.bets[seat])
    return left


@kernel
def apply(state: Any, action: int) -> None:
    """Play a legal action."""
    state.log[int(state.logged)] = action
    state.logged += 1
    if action >= BET:
        _bet(state, action - BET)
    else:
        _play(state, action)


@kernel
def _bet(state: Any, bet: int) -> None:
    seat = int(state.turn)
    state.bets[seat] = bet >> 1
    state.safety[seat] = bet & 1
    seat += 1  # L-11: clockwise, each once
    if seat == state.players:
        seat = 0
    state.turn = seat
    if seat == state.leader:
        state.phase = PLAY  # L-14: the player who bet first leads first (L-23 too)


@kernel
def _play(state: Any, place: int) -> None:
    seat = int(state.turn)
    laid = int(state.laid)
    card = int(state.hand[seat, place])
    state.held[seat] ^= 1 << place
    state.trick[laid] = card  # L-17: revealed to all as it is played
    if laid == 0 or beats(card, int(state.best), RANKS, TRUMP):  # L-18
        state.best = card
        state.best_seat = seat
    laid += 1
    if laid < state.players:
        state.laid = laid
        seat += 1
        state.turn = 0 if seat == state.players else seat
    else:
        _take_trick(state)


@kernel
def _take_trick(state: Any) -> None:
    winner = int(state.best_seat)
    for i in range(int(state.players)):
        state.last[i] = state.trick[i]
        state.trick[i] = NONE
    state.last_leader = state.leader
    state.last_winner = winner
    state.laid = 0
    state.tricks[winner] += 1
    state.taken += 1
    state.leader = winner  # L-14
    state.turn = winner
    if state.taken == HAND:  # L-20
        _score_deal(state)
        state.turn = NONE
        state.phase = OVER if state.deal == DEALS else DEAL


@kernel
def _score_deal(state: Any) -> None:
    number = int(state.deal)
    for seat in range(int(state.players)):
        points = bet_points(number, int(state.bets[seat]), int(state.safety[seat]), int(state.tricks[seat]))
        state.by_deal[number - 1, seat] = points
        state.scores[seat] += points


@kernel
def bet_points(number: int, beads: int, safety: int, tricks: int) -> int:
    """Return the points of one bet: deal `number` 1..4, bet beads, safety bead 0 or 1, tricks taken."""
    over = tricks - beads
    if over == 0 or (over == 1 and safety == 1):  # L-12
        return number * (5 if safety == 1 else 10)  # L-21
    return -5 * abs(over)  # L-22: from the bet beads, safety bead or not


@kernel
def over(state: Any) -> bool:
    """Return whether the game has ended, after deal 4 (L-5)."""
    return bool(state.phase == OVER)


@kernel
def score(state: Any, seat: int) -> int:
    """Return the seat's points over all deals scored so far; may be negative (L-25)."""
    return int(state.scores[seat])


@kernel
def winner(state: Any) -> int:
    """Return the seat that won a game that is over; there is always exactly one (L-24)."""
    players = int(state.players)
    best = int(state.first)
    for i in range(1, players):
        seat = (int(state.first) + i) % players
        ahead = int(state.scores[seat]) - int(state.scores[best])
        if ahead == 0:
            ahead = int(state.by_deal[DEALS - 1, seat]) - int(state.by_deal[DEALS - 1, best])
        if ahead > 0:
            best = seat
    return best


@kernel
def observe(state: Any, seat: int, seen: Any) -> None:
    """Write what `seat` may know (NONE: the public) into a zeroed OBSERVATION, field by field.

    A seat sees the cards of the others and, of its own, the colours and order (L-9); what was played is known to all
    (L-10, L-17). The public sees colours only: those are all that every seat sees of every hand. The cards set aside
    are not in the state at all.
    """
    seen.seat = seat
    copy_public(state, seen)
    seen.base = base(state)
    seen.choices = legal(state) if seat == state.turn else 0
    seen.winner = winner(state) if state.phase == OVER else NONE
    seen.beads_left = beads_left(state)
    for other in range(MAX_PLAYERS):
        for place in range(HAND):
            seen.hand[other, place] = NONE
            card = int(state.hand[other, place])
            played = int(state.held[other]) >> place & 1 == 0
            if played or (seat != NONE and other != seat):
                seen.hand[other, place] = card


@kernel
def copy_public(source: Any, target: Any) -> None:
    """Copy, field by field, what everybody knows: all that STATE and OBSERVATION share but the hands."""
    target.players = source.players
    target.bead_supply = source.bead_supply
    target.dealer = source.dealer
    target.phase = source.phase
    target.deal = source.deal
    target.first = source.first
    target.leader = source.leader
    target.turn = source.turn
    target.laid = source.laid
    target.taken = source.taken
    target.last_leader = source.last_leader
    target.last_winner = source.last_winner
    target.logged = source.logged
    for i in range(LOG):
        target.log[i] = source.log[i]  # bets and places (L-11, L-17)
    for seat in range(MAX_PLAYERS):
        target.bets[seat] = source.bets[seat]
        target.safety[seat] = source.safety[seat]
        target.tricks[seat] = source.tricks[seat]  # L-19
        target.trick[seat] = source.trick[seat]
        target.last[seat] = source.last[seat]
        target.scores[seat] = source.scores[seat]
        for number in range(DEALS):
            target.by_deal[number, seat] = source.by_deal[number, seat]
        target.held[seat] = source.held[seat]
        for suit in range(SUITS):
            target.places[seat, suit] = source.places[seat, suit]
