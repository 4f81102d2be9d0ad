"""Hands that a Duet partner may hold: drawn from what the seat knows, and never against it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from overtrick.bots.duet_sight import Sight
from overtrick.games import Position, load
from overtrick.rules.cards import DUET_DECK
from strategies import random_deal


def positions(seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    position = load("duet", level=1 + seed % 3).start()
    while not position.over:
        if position.needs_deal:
            position = position.deal(random_deal("duet", 2, rng))
        yield position
        position = position.play(rng.choice(position.legal_moves()))


@pytest.mark.parametrize("seed", range(12))
def test_a_drawn_hand_agrees_with_everything_that_the_seat_knows(seed: int) -> None:
    for position in positions(seed):
        for seat in range(2):
            view = position.view(seat).to_json()
            known, void = view["known"][1 - seat], view["void"][1 - seat]
            seen = {*view["hands"][seat], *view["played"], view["decree"]}
            for hand in Sight(position.view(seat)).partner_hands(random.Random(1), 5):
                names = [DUET_DECK.names[card] for card in hand]
                assert len(set(names)) == view["hand_sizes"][1 - seat]
                assert not seen & set(names)
                assert set(known) <= set(names)
                assert not [name for name in names if name[0] in void and name not in known]


@pytest.mark.parametrize("seed", range(12))
def test_the_true_hand_is_one_that_may_be_drawn(seed: int) -> None:
    for position in positions(seed):
        hands = position.state()["hands"]
        for seat in range(2):
            sight = Sight(position.view(seat))
            true = {DUET_DECK.numbers[card] for card in hands[1 - seat]}
            assert set(sight.known) <= true <= {*sight.known, *sight.unseen}


def test_every_card_that_may_be_there_is_drawn_as_often_as_the_next() -> None:
    sight = Sight(load("duet").start().deal(random_deal("duet", 2, random.Random(5))).view(0))
    hands = sight.partner_hands(random.Random(6), 6000)
    shares = [sum(card in hand for hand in hands) / len(hands) for card in sight.unseen]
    assert shares == pytest.approx([11 / 18] * 18, abs=0.03)  # over 4 standard errors
