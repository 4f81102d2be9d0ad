"""Luz deals halfway, and every own hand that agrees with a view, counted the long way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product

from overtrick.games import Position, load
from overtrick.rules import luz
from overtrick.rules.cards import LUZ_DECK
from strategies import random_deal

Hand = tuple[int, ...]
"""The card, 0..59, at each of the ten places."""


def midway(players: int, seed: int, plies: int) -> Position:
    """Play some bets and random cards of a first deal."""
    rng = random.Random(seed)
    position = load("luz", players=players).start().deal(random_deal("luz", players, rng))
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves()))
    return position


def possible_hands(position: Position, seat: int) -> Iterator[Hand]:
    """Yield every hand, as dealt, that the seat may have by what it sees."""
    view = position.view(seat).to_json()
    mine = sorted([*view["hands"][seat], *view["played"][seat]], key=lambda slot: slot["place"])
    seen = {c["card"] for s, hand in enumerate(view["hands"]) if s != seat for c in hand}
    seen |= {c["card"] for s, hand in enumerate(view["played"]) if s != seat for c in hand}
    highest = luz.values_in_use(len(view["scores"]))
    colours = []
    for suit in "RYGBP":
        slots = [slot for slot in mine if slot.get("card", slot.get("suit"))[0] == suit]
        free = [v for v in range(1, highest + 1) if f"{suit}{v}" not in seen]
        fits = []
        for values in combinations(free, len(slots)):
            cards = [f"{suit}{v}" for v in values]
            if all(slot.get("card", card) == card for slot, card in zip(slots, cards, strict=True)):
                fits.append([LUZ_DECK.numbers[card] for card in cards])
        colours.append(fits)
    for parts in product(*colours):
        yield tuple(card for part in parts for card in part)
