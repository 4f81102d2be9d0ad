"""A good beginner's judgement in Luz, held against working it out the long way, and told from a sensible player's."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest

from overtrick._jit import kernel, records
from overtrick.games import Position
from overtrick.rules import luz
from overtrick.rules.rng import below, seeded
from overtrick.rules.tricks import beats
from overtrick.search import luz_beginner, luz_history, luz_mind, luz_model
from overtrick.search.luz_advice import advice
from search.luz_hands import midway, possible_hands


def chance_to_hold(card: int, led: int, hands: list[list[int]]) -> float:
    """The chance that none of those hands beats the card, each answering with any card that it may (L-16)."""
    chance = 1.0
    for hand in hands:
        choices = [reply for reply in hand if reply // luz.RANKS == led] or hand
        chance *= sum(not beats(reply, card, luz.RANKS, luz.TRUMP) for reply in choices) / len(choices)
    return chance


def worked_out(position: Position) -> tuple[dict[int, float], float]:
    """The worth of each action and the tricks promised, by going through every own hand and every answer."""
    seat, players, state = position.to_act, position.game.seats, position.states[0]
    assert seat is not None
    held = [[place for place in range(10) if state["held"][s] >> place & 1] for s in range(players)]
    hands = {s: [int(state["hand"][s, place]) for place in held[s]] for s in range(players) if s != seat}
    trick = state["trick"][: state["laid"]].tolist()
    later = [hands[(seat + i) % players] for i in range(1, players - len(trick))]
    drawn = list(possible_hands(position, seat))
    strength, now = {}, {}
    for place in held[seat]:
        suit = int(state["hand"][seat, place]) // luz.RANKS
        holds = np.mean([chance_to_hold(hand[place], suit, list(hands.values())) for hand in drawn])
        base, slope = luz_beginner.SCALES[players - 3, int(suit == luz.TRUMP)]
        strength[place] = min(1.0, max(0.0, base + slope * holds))
        led = trick[0] // luz.RANKS if trick else suit
        now[place] = np.mean([
            chance_to_hold(hand[place], led, later)
            if all(beats(hand[place], card, luz.RANKS, luz.TRUMP) for card in best_of(trick))
            else 0.0
            for hand in drawn
        ])  # fmt: skip
    worth = {}
    for action in position.view(seat).legal_actions:
        bet, safety = divmod(action - luz.BET, 2) if action >= luz.BET else (0, 0)
        if safety:
            continue
        cards = strength if action >= luz.BET else {**strength, action: now[action]}
        wanted = bet if action >= luz.BET else int(state["bets"][seat]) - int(state["tricks"][seat])
        kept = 0 if action >= luz.BET else int(state["safety"][seat])
        chances = np.array([1.0])
        for takes in cards.values():
            chances = np.convolve(chances, [1 - takes, takes])
        deal = int(state["deal"])
        points = [luz.bet_points(deal, wanted, kept, taken) for taken in range(len(chances))]
        worth[action] = float(chances @ np.array(points))
    return worth, sum(strength.values())


def best_of(trick: list[int]) -> list[int]:
    """The card that wins the trick so far, if there is one."""
    best = trick[:1]
    for card in trick[1:]:
        if beats(card, best[0], luz.RANKS, luz.TRUMP):
            best = [card]
    return best


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("plies", [0, 1, 2, 9, 18, 26])
def test_expected_points_are_those_of_every_hand_and_every_answer(players: int, plies: int) -> None:
    for seed in range(3):
        position = midway(players, seed, plies + players * (plies > 2))
        found = advice(position.view(position.to_act))
        worth, tricks = worked_out(position)
        if len(position.legal_moves()) > 1:
            assert found.tricks == pytest.approx(tricks, abs=1e-4)
            assert found.worth == pytest.approx(worth, abs=1e-3)


def weighed(position: Position) -> tuple[int, Any]:
    state, mind = position.states.copy(), records(luz_mind.MIND)
    luz_mind.recall(state[0], mind[0])
    return luz_beginner.weigh_carelessly(state[0], mind[0]), mind["weight"][0]


@pytest.mark.parametrize("plies", [0, 4, 15, 30])
def test_a_beginner_slips_as_a_gumbel_error_has_it(plies: int) -> None:
    position = midway(4, 7, plies)
    legal, chances = weighed(position)
    worth = advice(position.view(position.to_act)).worth
    odds = {action: exp(points / luz_beginner.SLIP) for action, points in worth.items()}
    for action in range(luz.ACTIONS):
        if legal >> action & 1:
            expected = odds.get(action, 0.0) / sum(odds.values())
            assert float(chances[action]) == pytest.approx(expected, abs=1e-4)


@kernel
def play_out(state: Any, mind: Any, careless: int, rng: Any) -> None:
    """Play a deal, seat 0 as a beginner if `careless`, the others sensibly, all by weight."""
    while state.phase != luz.DEAL:
        if careless and state.turn == 0:
            legal = luz_beginner.weigh_carelessly(state, mind)
        else:
            legal = luz_model.weigh(state, mind)
        draw = (below(rng, 1 << 24) + 0.5) / (1 << 24)
        action = 0
        for chosen in range(luz.ACTIONS):
            if draw >= 0 and legal >> chosen & 1:
                action = chosen
                draw -= mind.weight[chosen]
        luz_mind.act(state, mind, action)


def test_what_a_seat_did_in_a_deal_tells_a_beginner_from_a_sensible_player() -> None:
    taken_for = {}
    for careless in (0, 1):
        drawn = 0
        for seed in range(60):
            state, mind = midway(4, seed, 0).states.copy(), records(luz_mind.MIND)
            history, rng = records(luz_history.HISTORY), seeded(seed)
            luz_mind.recall(state[0], mind[0])
            play_out(state[0], mind[0], careless, rng)
            luz_history.likelihood(state[0], mind[0], history[0], 1, rng)
            drawn += int(mind["beginner"][0, 0])
        taken_for[careless] = drawn / 60
    assert taken_for[1] > 0.75
    assert taken_for[0] < 0.25
