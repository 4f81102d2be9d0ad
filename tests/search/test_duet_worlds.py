"""Worlds drawn for a Duet seat: all agree with its view, each as often as the others, as many as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt

import numpy as np
import pytest

from overtrick._jit import records
from overtrick.rules import duet
from overtrick.rules.cards import DUET_DECK
from overtrick.search import duet_deduce, duet_policy, duet_worlds
from search.duet_rounds import Moment, Sampler, World, dealt, gift_is_secret, moments, possible_worlds

LEVELS = pytest.mark.parametrize("level", [1, 2, 3])


def kinds_of(moment: Moment) -> set[str]:
    """What has happened in the round that a world must get right."""
    seen = moment.observation
    kinds = {move.split(":")[0] for move in moment.moves}
    if seen["void"][0].any():
        kinds.add("void")
    if any(move.startswith("decree:") and move != "decree:keep" for move in moment.moves):
        kinds.add("swap")
    if gift_is_secret(moment):
        kinds.add("secret gift")
    if seen["low"] != seen["first_low"] or seen["high"] != seen["first_high"]:
        kinds.add("ran off")
    if moment.position.phase == "forest":
        kinds.add("forest")
    kinds.add(f"round {seen['number'][0]}")
    return kinds


def few(level: int, *, most: int, per_game: int = 3) -> Iterator[Moment]:
    """Moments of some games at which 2 to `most` worlds are left; never two in a row."""
    for seed in range(12):
        fit = [moment for moment in moments(level, seed) if 2 <= Sampler(moment).worlds <= most]
        secret = [moment for moment in fit if "secret gift" in kinds_of(moment)]
        yield from [*secret, *fit[:: max(2, len(fit) // per_game)]]


@LEVELS
def test_every_world_gives_back_the_same_view(level: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(12):
        for moment in moments(level, seed):
            sampler = Sampler(moment)
            for _ in range(4):
                sampler.draw()
                assert sampler.seen_again() == sampler.seen.tobytes(), moment
            met.update(kinds_of(moment))
    wanted = {"play", "move", "foxes", "decree", "swap", "gift", "secret gift", "void", "ran off", "forest"}
    assert wanted | {"round 1", "round 2", "round 3"} <= set(met)


@LEVELS
def test_the_numbered_worlds_are_all_that_there_are(level: int) -> None:
    checked: Counter[str] = Counter()
    for moment in few(level, most=300):
        sampler = Sampler(moment)
        numbered = []
        for index in range(sampler.worlds):
            sampler.take(index)
            numbered.append(sampler.state.tobytes())
        assert len(set(numbered)) == len(numbered)
        assert set(numbered) == {world.state.tobytes() for world in possible_worlds(moment)}
        checked.update(kinds_of(moment))
    assert {"swap", "gift", "void", "secret gift"} <= set(checked)


@LEVELS
def test_each_world_is_drawn_as_often_as_the_others(level: int) -> None:
    checked: Counter[str] = Counter()
    for moment in few(level, most=60, per_game=1):
        sampler = Sampler(moment)
        worlds = [world.state.tobytes() for world in possible_worlds(moment)]
        counts: Counter[bytes] = Counter()
        for _ in range(40 * len(worlds)):
            sampler.draw()
            counts[sampler.state.tobytes()] += 1
        assert set(counts) <= set(worlds)
        chi_square = sum((counts[world] - 40) ** 2 / 40 for world in worlds)
        freedom = len(worlds) - 1
        assert chi_square < freedom + 4 * sqrt(2 * freedom) + 8, moment
        checked.update(kinds_of(moment))
    assert {"swap", "gift", "secret gift"} <= set(checked)


@LEVELS
def test_odds_are_the_shares_of_the_worlds(level: int) -> None:
    uncertain = 0
    for moment in few(level, most=300):
        worlds, chances = possible_worlds(moment), np.zeros(duet.CARDS)
        duet_deduce.odds(moment.observation[0], chances)
        for card in range(duet.CARDS):
            held = sum(int(world.state["hand"][0, 1 - moment.seat]) >> card & 1 for world in worlds)
            assert chances[card] == pytest.approx(held / len(worlds))
            uncertain += 0 < held < len(worlds)
    assert uncertain > 100


def weight_of(moment: Moment, world: World) -> float:
    """How likely the partner was to act as it did in this world, as a logarithm; a gift unseen tells nothing."""
    hands = [world.partner, world.partner]
    hands[moment.seat] = moment.deal["hands"][moment.seat]
    position, weight = moment.before.deal({**moment.deal, "hands": hands}), 0.0
    told = world.moves[:-1] if gift_is_secret(moment) else world.moves
    for move in told:
        if position.to_act != moment.seat:
            state, mind = position.states.copy(), records(duet_worlds.MIND)
            duet_worlds.recall(state[0], mind[0])
            weight += duet_policy.log_likelihood(state[0], mind[0], position.game.code(move))
        position = position.play(move)
    return weight


@pytest.mark.parametrize("belief", [1.0, 0.5])
def test_a_world_weighs_as_likely_as_the_partner_acted_so(belief: float) -> None:
    weights = set()
    for moment in few(1, most=30, per_game=1):
        sampler = Sampler(moment, belief=belief)
        expected = {world.state.tobytes(): weight_of(moment, world) for world in possible_worlds(moment)}
        for index in range(sampler.worlds):
            weight = sampler.take(index)
            assert weight == pytest.approx(belief * expected[sampler.state.tobytes()], abs=1e-4)
            weights.add(weight)
    assert len(weights) > 30


DEAL = {
    "hands": [
        ["S2", "S4", "S6", "S8", "R2", "R4", "R6", "R8", "R10", "R5", "S5"],
        ["D9", "D6", "D10", "D4", "D2", "D7", "S10", "S9", "R9", "S1", "S3"],
    ],
    "decree": "R1",
}
"""Seat 1 leads. Seat 0 holds no dove; those that are not in seat 1's hand are D1, D3, D5, D8."""


def doves(moment: Moment) -> list[float]:
    """How likely the partner holds each of the doves that the seat to act has not seen."""
    chances = np.zeros(duet.CARDS)
    duet_deduce.odds(moment.observation[0], chances)
    return [float(chances[DUET_DECK.numbers[card]]) for card in ("D1", "D3", "D5", "D8")]


def test_not_following_tells_that_the_suit_is_gone_but_not_behind_an_heir() -> None:
    before = dealt(DEAL)
    told = before.after("play:D6", "play:S2")  # D-8
    untold = before.after("play:D9", "play:S2")  # D-19
    assert (told.seat, untold.seat) == (1, 1)
    assert doves(told) == [0.0] * 4
    assert doves(untold) == pytest.approx([10 / 17] * 4)
    for moment, may in [(told, False), (untold, True)]:
        sampler, found = Sampler(moment), 0
        for _ in range(200):
            sampler.draw()
            found += bool(int(sampler.state["hand"][0, 0]) & duet.suit_cards(0))
        assert (found > 0) is may
    assert Sampler(untold).worlds > Sampler(told).worlds


def test_a_gift_chosen_unseen_may_be_any_card_of_the_partner() -> None:
    before = dealt(DEAL)
    asked = before.after("play:D7", "gift:D10")  # seat 0 is to give, and has not seen what it gets (D-18)
    sampler, gifts = Sampler(asked), set()
    for _ in range(2000):
        sampler.draw()
        gift = int(sampler.state["gift"][0, 1])
        assert int(sampler.state["hand"][0, 1]) >> gift & 1
        gifts.add(DUET_DECK.names[gift])
    mine = {*DEAL["hands"][0], "D7", DEAL["decree"]}
    assert gifts == set(DUET_DECK.names) - mine
    without = Sampler(before.after("play:D4"))
    assert sampler.worlds == 10 * without.worlds


def test_both_partners_know_what_was_given() -> None:
    given = dealt(DEAL).after("play:D7", "gift:D10", "gift:S2")
    for moment, card in [(given, "S2"), (given.after("play:D10"), "D10")]:
        chances = np.zeros(duet.CARDS)
        duet_deduce.odds(moment.observation[0], chances)
        assert chances[DUET_DECK.numbers["S2"]] == (1.0 if moment.seat == 0 else 0.0), card


@LEVELS
def test_it_is_worked_out_who_did_what_under_which_decree(level: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(12):
        for moment in moments(level, seed):
            if len(moment.moves) < 20:
                continue
            know, position = Sampler(moment).know, moment.before.deal(moment.deal)
            for i, move in enumerate(moment.moves):
                assert know["turned"][0, i] == position.states["decree"][0]
                assert know["actor"][0, i] == position.to_act, (i, move)
                position = position.play(move)
            met.update(kinds_of(moment))
    assert {"swap", "gift", "foxes", "move", "forest"} <= set(met)
