"""The Fox in the Forest Duet as kernels: two partners walk a path by winning and losing tricks.

Rules: D-1 to D-25 of the rules document (D-24, about talking, belongs to the table); those of the path are in `path`.

Actions, an int each. Those that can be legal at one moment lie together, so a set of them is bits above `base`:
    0..29     play this card                  91, 92     foxes: self, partner
    30..59    gift: this card                 93..105    move by action - 99: -6..+6, plus toward seat 1's end
    60..89    decree: swap for this card      106, 107   forest token on the low, the high end
    90        decree: keep                    108        resign (D-23: at any time, by either seat; never in `legal`)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick._jit import kernel
from overtrick.rules import path
from overtrick.rules.bits import count
from overtrick.rules.rng import shuffle_first
from overtrick.rules.tricks import beats, may_follow

RULES_VERSION = 1
"""Rises when the behaviour changes, not for speed or style; logs keep it."""

SUITS = 3
RANKS = 10
CARDS = SUITS * RANKS  # D-1
HAND = 11  # D-6
ROUNDS = 3  # D-6
FOOTPRINTS = np.array([0, 3, 2, 1, 1, 2, 0, 2, 0, 3], np.int8)  # D-2, by rank - 1
MUSICIAN, FOXES_RANK, GAZELLE, GIFT_RANK, HEIR = 1, 3, 5, 7, 9  # D-15 to D-19
FAR = 6  # the furthest that two cards move: 3 + 3 footprints

GIFT = 30
DECREE = 60
KEEP = DECREE + CARDS
FOXES = 91
MOVE = 93
FOREST = 106
RESIGN = 108
ACTIONS = 109
LOG = 48  # more than the actions of a round: 22 plays, 11 moves, 6 for the Gifts, 6 for the Foxes

DEALING, PLAYING, FOXING, DECREEING, GIFTING, MOVING, FORESTING, OVER = range(
    8
)  # phases; DEALING waits for a deal
BASES = np.array([0, 0, FOXES, DECREE, GIFT, MOVE, FOREST, 0], np.int64)
OUT_OF_TIME, GIVEN_UP = 3, 4  # how it ended, beside path.GOING_ON, WON and LOST (D-22, D-23)
NONE = -1

_SHARED = [
    ("level", np.int8),  # 1..3 (D-25)
    ("phase", np.int8),
    ("number", np.int8),  # rounds begun, 0..3
    ("dealer", np.int8),  # of this round; before the first, of the first
    ("leader", np.int8),  # leads the trick on the table, or the next one
    ("turn", np.int8),  # seat to act; NONE in DEALING and OVER
    ("ended", np.int8),  # path.GOING_ON, or how it ended
    ("spaces", np.int8),  # of the path, 5..path.MAX_SPACES
    ("start", np.int8),  # the circled space
    ("tracker", np.int8),  # the space where the team stands
    ("low", np.int8),  # covered spaces at seat 0's end
    ("high", np.int8),  # covered spaces at seat 1's end
    ("tokens", np.int8),  # forest tokens in the supply
    ("gems_left", np.int8),  # on the whole board
    ("decree", np.int8),  # card; NONE before the first deal
    ("laid", np.int8),  # cards on the table, 0..2
    (
        "last_leader",
        np.int8,
    ),  # of the last trick; until this round's first one is taken, the round before's; NONE
    ("last_winner", np.int8),
    ("last_move", np.int8),  # displacement chosen, -FAR..FAR
    ("last_ran_off", np.int8),  # 1: the tracker went back to the start (D-11)
    ("last_gem", np.int8),  # 1: a gem was taken (D-13)
    ("gems", np.int8, path.MAX_SPACES),
    ("plus", np.int64),  # spaces with a "+" mark, as bits
    ("tricks", np.int8, 2),  # won in this round
    ("trick", np.int8, 2),  # cards on the table, in the order played; NONE
    ("last", np.int8, 2),  # cards of the last trick; NONE
    ("gift", np.int8, 2),  # card chosen and not yet exchanged, by seat; NONE
    ("hand", np.int64, 2),  # cards held, as bits
    ("played", np.int64),  # cards played in this round, as bits
    ("moves", np.int64),  # in MOVING: the displacements to choose from, bit d + FAR
    ("first_decree", np.int8),  # as this round began; NONE before the first deal. The board as it was then:
    ("first_tracker", np.int8),
    ("first_low", np.int8),
    ("first_high", np.int8),
    ("first_tokens", np.int8),
    ("first_gems", np.int8, path.MAX_SPACES),
    ("logged", np.int8),  # actions of this round so far
    ("log", np.int8, LOG),  # those actions, in order; 0 beyond `logged`
]

STATE = np.dtype([
    *_SHARED,
    ("known", np.int64, 2),  # cards of this seat's hand that its partner has seen go there, as bits
    ("void", np.int8, 2),  # suits of which it holds no card but those in `known`, as bits
    ("public_known", np.int64, 2),  # the same as everybody can tell
    ("public_void", np.int8, 2),
])  # fmt: skip
"""One moment of a game."""

OBSERVATION = np.dtype([
    *_SHARED,  # `hand`: 0 where hidden
    ("seat", np.int8),  # who sees this; NONE: the public
    ("base", np.int16),  # the action that bit 0 of `choices` stands for
    ("choices", np.int64),  # legal actions of `seat`, as bits above `base`; 0 unless it is to act
    ("score", np.int16),  # the team's, 0 unless won
    ("known", np.int64, 2),  # as this viewer knows it; 0 for the own hand
    ("void", np.int8, 2),
    ("hidden", np.int8, 2),  # 1: `hand` is hidden from this viewer
    ("hand_size", np.int8, 2),
    ("given", np.int8, 2),  # 1: a gift is chosen and not yet exchanged (`gift`: NONE where hidden)
])  # fmt: skip
"""What one seat knows: own hand, what was played, gifts given, decree swaps, suits not followed (D-6, D-14, D-18)."""


@kernel
def begin(state: Any, level: int, dealer: int, board: Any) -> None:
    """Write a game that waits for its first round into a zeroed STATE; `board` is one element of BOARD."""
    state.level = level
    state.dealer = dealer
    state.leader = 1 - dealer  # D-7
    state.turn = NONE
    state.decree = NONE
    state.first_decree = NONE
    path.lay_out(state, board)
    state.last_leader = NONE
    state.last_winner = NONE
    state.last[:] = NONE
    clear_round(state)


@kernel
def clear_round(state: Any) -> None:
    """Put away all that belongs to one round, but for the hands."""
    state.logged = 0
    state.log[:] = 0
    state.laid = 0
    state.tricks[:] = 0
    state.trick[:] = NONE
    state.gift[:] = NONE
    state.played = 0
    state.known[:] = 0
    state.void[:] = 0
    state.public_known[:] = 0
    state.public_void[:] = 0


@kernel
def deal(state: Any, owner: Any, decree: int) -> None:
    """Begin the next round. `owner`, int8[CARDS]: the seat that holds each card, or NONE; `decree`: the card turned up.

    The cards with no owner, the decree apart, are the draw pile, never drawn (D-6) and not kept in the state.
    """
    if state.number > 0:
        state.dealer = 1 - state.dealer  # D-7, D-21d
    state.number += 1
    state.leader = 1 - state.dealer  # D-7
    clear_round(state)
    state.hand[:] = 0
    for card in range(CARDS):
        seat = int(owner[card])
        if seat != NONE:
            state.hand[seat] |= 1 << card
    state.decree = decree
    remember_beginning(state)
    _next_play(state, int(state.leader))


@kernel
def remember_beginning(state: Any) -> None:
    """Keep what the log does not tell, so that the round can be gone through again from its first trick."""
    state.first_decree = state.decree
    state.first_tracker = state.tracker
    state.first_low = state.low
    state.first_high = state.high
    state.first_tokens = state.tokens
    for space in range(path.MAX_SPACES):
        state.first_gems[space] = state.gems[space]


@kernel
def random_owner(owner: Any, rng: Any) -> int:
    """Deal at random: fill `owner`, int8[CARDS], as `deal` takes it, and return the decree (D-6)."""
    deck = np.arange(CARDS).astype(np.int8)
    shuffle_first(rng, deck, 2 * HAND + 1)
    owner[:] = NONE
    for i in range(2 * HAND):
        owner[int(deck[i])] = i // HAND
    return int(deck[2 * HAND])


@kernel
def base(state: Any) -> int:
    """Return the action that bit 0 of `legal` stands for."""
    return int(BASES[int(state.phase)])


@kernel
def legal(state: Any) -> int:
    """Return the legal actions as bits above `base`, without RESIGN; 0 when nobody is to act."""
    phase = int(state.phase)
    if phase == PLAYING:
        hand = int(state.hand[int(state.turn)])
        if state.laid == 0:
            return hand  # D-8
        return may_answer(hand, int(state.trick[0]))
    if phase == GIFTING:
        return int(state.hand[int(state.turn)])  # D-18
    if phase == DECREEING:
        return int(state.hand[int(state.turn)]) | 1 << CARDS  # D-16: a card of the hand, or KEEP
    if phase == MOVING:
        return int(state.moves)
    if phase == FOXING or phase == FORESTING:
        return 3
    return 0


@kernel
def may_answer(hand: int, lead: int) -> int:
    """Return the cards of a hand that may answer a lead, both as bits (D-8, D-19)."""
    return hand if rank(lead) == HEIR else may_follow(hand, suit_cards(lead // RANKS))


@kernel
def rank(card: int) -> int:
    """Return the rank of a card, 1..10."""
    return card % RANKS + 1


@kernel
def suit_cards(suit: int) -> int:
    """Return all cards of the suit, as bits."""
    return ((1 << RANKS) - 1) << (suit * RANKS)


@kernel
def apply(state: Any, action: int) -> None:
    """Play a legal action, or RESIGN; then take every decision that has one option only.

    The log keeps actions that belong to a round's tricks, so neither RESIGN nor the forest token of D-21b.
    """
    if action < FOREST:
        state.log[int(state.logged)] = action
        state.logged += 1
    if action < GIFT:
        _play(state, action)
    elif action < DECREE:
        _give(state, action - GIFT)
    elif action <= KEEP:
        if action != KEEP:
            _swap_decree(state, action - DECREE)
        _after_power(state)
    elif action < MOVE:
        seat = int(state.turn)
        _ask_decree(state, seat if action == FOXES else 1 - seat)
    elif action < FOREST:
        _resolve(state, action - MOVE - FAR)
    elif action < RESIGN:
        path.cover(state, low=action == FOREST)
        _await_deal(state)
    else:
        state.ended = GIVEN_UP  # D-23
        _end(state)


@kernel
def _play(state: Any, card: int) -> None:
    seat = int(state.turn)
    bit = 1 << card
    if state.laid == 1:
        lead = int(state.trick[0])
        if lead // RANKS != card // RANKS and rank(lead) != HEIR:  # it could not follow, and all can tell
            state.void[seat] |= 1 << (lead // RANKS)
            state.public_void[seat] |= 1 << (lead // RANKS)
    state.hand[seat] &= ~bit
    state.known[seat] &= ~bit
    state.public_known[seat] &= ~bit
    state.played |= bit
    state.trick[int(state.laid)] = card
    state.laid += 1
    power = rank(card)  # D-20: 3, 7 and 9 as the card is played, 1 and 5 as the trick is resolved
    if power == FOXES_RANK and state.hand[0] | state.hand[1] != 0:
        _ask_foxes(state, seat)
    elif power == GIFT_RANK and state.hand[0] != 0 and state.hand[1] != 0:  # D-18
        state.phase = GIFTING
        state.turn = seat
    else:
        _after_power(state)


@kernel
def _ask_foxes(state: Any, seat: int) -> None:
    """D-16: a player without cards cannot be chosen; with one to choose, nobody is asked."""
    if state.hand[0] != 0 and state.hand[1] != 0:
        state.phase = FOXING
        state.turn = seat
    else:
        _ask_decree(state, 0 if state.hand[0] != 0 else 1)


@kernel
def _ask_decree(state: Any, seat: int) -> None:
    state.phase = DECREEING
    state.turn = seat


@kernel
def _swap_decree(state: Any, card: int) -> None:
    """D-16: the new decree is trump at once. Everybody sees which card went to the hand."""
    seat = int(state.turn)
    out, into = 1 << card, 1 << int(state.decree)
    state.hand[seat] = int(state.hand[seat]) & ~out | into
    state.known[seat] = int(state.known[seat]) & ~out | into
    state.public_known[seat] = int(state.public_known[seat]) & ~out | into
    state.decree = card


@kernel
def _give(state: Any, card: int) -> None:
    """D-18: the second choice is made without sight of the first, then both change hands."""
    seat = int(state.turn)
    state.gift[seat] = card
    if state.gift[1 - seat] == NONE:
        state.turn = 1 - seat
        return
    for giver in range(2):
        bit = 1 << int(state.gift[giver])
        state.hand[giver] &= ~bit
        state.known[giver] &= ~bit
        state.public_known[giver] = 0  # for all that the public can tell, those cards were the gifts
        state.public_void[giver] = 0
    for giver in range(2):
        bit = 1 << int(state.gift[giver])
        state.hand[1 - giver] |= bit
        state.known[1 - giver] |= bit
    state.gift[:] = NONE
    _after_power(state)


@kernel
def _after_power(state: Any) -> None:
    if state.laid == 1:
        _next_play(state, 1 - int(state.leader))
        return
    winner = trick_winner(state)
    state.moves = displacements(int(state.trick[0]), int(state.trick[1]), winner)
    if count(int(state.moves)) > 1:
        state.phase = MOVING
        state.turn = winner
    else:
        for d in range(-FAR, FAR + 1):
            if int(state.moves) >> (d + FAR) & 1:
                _resolve(state, d)
                break


@kernel
def _next_play(state: Any, seat: int) -> None:
    state.phase = PLAYING
    state.turn = seat


@kernel
def trick_winner(state: Any) -> int:
    """Return the seat that wins the two cards on the table (D-9)."""
    return winner_of(int(state.leader), int(state.trick[0]), int(state.trick[1]), int(state.decree) // RANKS)


@kernel
def winner_of(leader: int, lead: int, second: int, trump: int) -> int:
    """Return the seat that wins a trick of two cards, `trump` being a suit (D-9)."""
    return 1 - leader if beats(second, lead, RANKS, trump) else leader


@kernel
def displacements(lead: int, second: int, winner: int) -> int:
    """Return where the winner may move the tracker, as bits: bit d + FAR for a displacement of d spaces.

    Toward the winner (seat 0: minus) by the footprints of both cards (D-10); each Gazelle's footprints and, with one
    Gazelle, the other card's may be left out instead (D-17); a Musician opens the other direction (D-15).
    """
    a, b = int(FOOTPRINTS[lead % RANKS]), int(FOOTPRINTS[second % RANKS])
    lengths = 1 << (a + b)
    gazelles = int(rank(lead) == GAZELLE) + int(rank(second) == GAZELLE)
    if gazelles >= 1:
        lengths |= 1 << a | 1 << b
    if gazelles == 2:
        lengths |= 1
    both_ways = rank(lead) == MUSICIAN or rank(second) == MUSICIAN
    options = 0
    for length in range(FAR + 1):
        if lengths >> length & 1:
            if winner == 1 or both_ways:
                options |= 1 << (FAR + length)
            if winner == 0 or both_ways:
                options |= 1 << (FAR - length)
    return options


@kernel
def _resolve(state: Any, displacement: int) -> None:
    """Clear the trick away, move the tracker, take a gem; then go on with the next trick or end the round."""
    winner = trick_winner(state)
    state.last_leader = state.leader
    state.last_winner = winner
    state.last_move = displacement
    state.last_ran_off = 0
    state.last_gem = 0
    for i in range(2):
        state.last[i] = state.trick[i]
        state.trick[i] = NONE
    state.laid = 0
    state.moves = 0
    state.tricks[winner] += 1
    state.leader = winner  # D-7
    state.ended = path.walk(state, int(state.tracker) + displacement)
    if state.ended != path.GOING_ON:
        _end(state)
    elif int(state.tricks[0]) + int(state.tricks[1]) == HAND:
        _end_round(state)
    else:
        _next_play(state, winner)


@kernel
def _end_round(state: Any) -> None:
    """D-21: gems on the "+" spaces, then a forest token on an end; D-23: after round 3 the time is up."""
    if state.number == ROUNDS:
        state.ended = OUT_OF_TIME
        _end(state)
        return
    path.add_gems(state)
    state.leader = state.dealer  # the next round's other player leads it (D-7, D-21d)
    at_low = state.tracker == state.low
    at_high = state.tracker == path.last_space(state)
    if state.tokens == 0:
        _await_deal(state)
    elif at_low or at_high:  # D-21b: never on the tracker's own space
        path.cover(state, low=not at_low)
        _await_deal(state)
    else:
        state.phase = FORESTING
        state.turn = 1 - state.dealer  # D-21: the seat that deals the next round


@kernel
def _await_deal(state: Any) -> None:
    state.phase = DEALING
    state.turn = NONE


@kernel
def _end(state: Any) -> None:
    state.phase = OVER
    state.turn = NONE


@kernel
def over(state: Any) -> bool:
    """Return whether the game has ended (D-22, D-23)."""
    return bool(state.phase == OVER)


@kernel
def score(state: Any, seat: int) -> int:
    """Return the team's points, the same for both seats: 0 unless won (D-22)."""
    if state.ended != path.WON:
        return 0
    points = 10 * int(state.level) + count(int(state.hand[0])) + count(int(state.hand[1]))
    if state.number < ROUNDS:
        points += 10
    return points + 3 * int(state.tokens)


@kernel
def observe(state: Any, seat: int, seen: Any) -> None:
    """Write what `seat` may know (NONE: the public) into a zeroed OBSERVATION, field by field.

    Own hand, everything on the table, what was played (D-14, settled), and what can be told of the other hand; the
    draw pile is not in the state at all (D-6). Once the game is over both hands are open.
    """
    seen.seat = seat
    seen.level = state.level
    seen.phase = state.phase
    seen.number = state.number
    seen.dealer = state.dealer
    seen.leader = state.leader
    seen.turn = state.turn
    seen.ended = state.ended
    seen.spaces = state.spaces
    seen.start = state.start
    seen.tracker = state.tracker
    seen.low = state.low
    seen.high = state.high
    seen.tokens = state.tokens
    seen.gems_left = state.gems_left
    seen.decree = state.decree
    seen.laid = state.laid
    seen.last_leader = state.last_leader
    seen.last_winner = state.last_winner
    seen.last_move = state.last_move
    seen.last_ran_off = state.last_ran_off
    seen.last_gem = state.last_gem
    seen.first_decree = state.first_decree
    seen.first_tracker = state.first_tracker
    seen.first_low = state.first_low
    seen.first_high = state.first_high
    seen.first_tokens = state.first_tokens
    for space in range(path.MAX_SPACES):
        seen.gems[space] = state.gems[space]
        seen.first_gems[space] = state.first_gems[space]
    seen.plus = state.plus
    seen.played = state.played
    seen.base = base(state)
    seen.choices = legal(state) if seat == state.turn else 0
    seen.score = score(state, 0)
    seen.moves = state.moves
    seen.logged = state.logged
    for i in range(int(state.logged)):
        seen.log[i] = state.log[i]
        if GIFT <= seen.log[i] < DECREE and state.phase != OVER:
            pending = i == state.logged - 1 and state.phase == GIFTING
            if seat == NONE or (pending and seat == state.turn):
                seen.log[i] = (
                    NONE  # D-18: the public never sees a gift, the partner not before giving its own
                )
    for other in range(2):
        seen.tricks[other] = state.tricks[other]
        seen.trick[other] = state.trick[other]
        seen.last[other] = state.last[other]
        seen.hand_size[other] = count(int(state.hand[other]))
        seen.given[other] = 1 if state.gift[other] != NONE else 0
        seen.gift[other] = NONE
        if state.phase == OVER or other == seat:
            seen.hand[other] = state.hand[other]
            seen.gift[other] = state.gift[other]
        else:
            seen.hidden[other] = 1
            if seat == NONE:
                seen.known[other] = state.public_known[other]
                seen.void[other] = state.public_void[other]
            else:
                seen.known[other] = state.known[other]
                seen.void[other] = state.void[other]
