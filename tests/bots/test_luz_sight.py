"""What a Luz seat can tell of its own cards, held against counting every hand that it may have."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from overtrick.bots.luz_sight import Sight
from overtrick.games import Position, load
from overtrick.rules.cards import LUZ_DECK
from search.luz_hands import midway


def counted_odds(position: Position, seat: int) -> dict[int, dict[int, float]]:
    """The odds of each card at each held own place, by going through all hands that agree with the view."""
    view = position.view(seat).to_json()
    slots = sorted([*view["hands"][seat], *view["played"][seat]], key=lambda slot: slot["place"])
    seen = {c["card"] for s, hand in enumerate(view["hands"]) if s != seat for c in hand}
    seen |= {c["card"] for hand in view["played"] for c in hand}
    highest = {3: 8, 4: 10, 5: 12}[len(view["scores"])]
    odds: dict[int, dict[int, float]] = {}
    for suit in "RYGBP":
        mine = [slot for slot in slots if slot.get("card", slot.get("suit"))[0] == suit]
        free = [v for v in range(1, highest + 1) if f"{suit}{v}" not in seen]
        fixed = [int(slot["card"][1:]) for slot in mine if "card" in slot]
        counts: dict[int, Counter[int]] = {slot["place"]: Counter() for slot in mine}
        hands = 0
        for drawn in combinations(free, len(mine) - len(fixed)):
            values = sorted([*drawn, *fixed])
            if all(
                f"{suit}{v}" == slot["card"] for v, slot in zip(values, mine, strict=True) if "card" in slot
            ):
                hands += 1
                for value, slot in zip(values, mine, strict=True):
                    counts[slot["place"]][LUZ_DECK.numbers[f"{suit}{value}"]] += 1
        for slot in mine:
            if "suit" in slot:
                odds[slot["place"] - 1] = {card: n / hands for card, n in counts[slot["place"]].items()}
    return odds


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("tricks", [0, 1, 3, 6, 9])
def test_the_odds_of_own_cards_are_those_of_counting_every_hand(players: int, tricks: int) -> None:
    for seed in range(4):
        position = midway(players, seed, plies=players + players * tricks + 1)
        for seat in range(players):
            expected = counted_odds(position, seat)
            own = Sight(position.view(seat)).own
            assert {card.place for card in own} == set(expected)
            for card in own:
                assert dict(card.odds) == pytest.approx(expected[card.place])


def test_a_colour_held_whole_is_known_for_certain() -> None:
    reds = [f"R{value}" for value in range(1, 11)]
    rest = [card for card in LUZ_DECK.names if card[0] != "R" and int(card[1:]) <= 10]
    deal = {"hands": [rest[:10], reds, rest[10:20], rest[20:30]]}
    position = load("luz", players=4, dealer=0).start().deal(deal)
    assert [card.odds for card in Sight(position.view(1)).own] == [((card, 1.0),) for card in range(10)]


def test_the_others_cards_are_those_that_they_hold() -> None:
    position = midway(4, 3, plies=4 + 6)
    hands = Sight(position.view(2)).hands
    state = position.state()["hands"]
    assert hands == {s: [LUZ_DECK.numbers[c] for c in state[s]] for s in (0, 1, 3)}
