"""Duet games moment by moment, and every world that agrees with a view, counted the long way."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from naive.duet import deck
from overtrick._jit import records
from overtrick.games import Position, kernels
from overtrick.games.boards import Board, default_board
from overtrick.games.duet import Duet
from overtrick.rules import duet
from overtrick.rules.cards import DUET_DECK
from overtrick.rules.rng import seeded
from overtrick.search import duet_policy, duet_worlds
from strategies import random_board, random_deal


@dataclass(frozen=True)
class Moment:
    """A moment at which somebody is to act: what there was before the round, its deal, the moves since, and now."""

    before: Position
    deal: dict[str, Any]
    moves: tuple[str, ...]
    position: Position

    @property
    def seat(self) -> int:
        assert self.position.to_act is not None
        return self.position.to_act

    @property
    def observation(self) -> Any:
        """What the seat to act sees, in an array of one."""
        return self.position.view(self.seat).observation

    def after(self, *moves: str) -> Moment:
        position = self.position
        for move in moves:
            position = position.play(move)
        return Moment(self.before, self.deal, (*self.moves, *moves), position)


def dealt(deal: dict[str, Any], *, dealer: int = 0) -> Moment:
    """The first moment of a game of level 1; the seat that does not deal is to lead (D-7)."""
    before = Duet(1, dealer, default_board(1)).start()
    return Moment(before, deal, (), before.deal(deal))


def moments(level: int, seed: int) -> Iterator[Moment]:
    """Yield every moment of a game played half sensibly and half at random, on a made-up board half of the time."""
    rng = random.Random(f"{level} {seed}")
    board = default_board(level)
    if rng.random() < 0.5:
        board = Board.of({**random_board(rng), "title": "Made up", "reconstructed": True}, "a made-up board")
    before = Duet(level, rng.randrange(2), board).start()
    chances, mind = seeded(seed), records(duet_worlds.MIND)
    while not before.over:
        deal = random_deal("duet", 2, rng)
        moment = Moment(before, deal, (), before.deal(deal))
        while not moment.position.over and not moment.position.needs_deal:
            yield moment
            state = moment.position.states
            duet_worlds.recall(state[0], mind[0])
            moves = moment.position.legal_moves()
            if not duet_policy.settled(state[0]) and rng.random() < 0.7:
                action = int(duet_policy.choose(state[0], mind[0], chances))
                moves = before.game.record_moves(state, [action])
            moment = moment.after(rng.choice(moves))
        before = moment.position


def unseen_cards(moment: Moment) -> list[str]:
    """The cards that are in neither the hand that the seat was dealt nor turned up (D-6)."""
    return [
        card
        for card in deck()
        if card not in moment.deal["hands"][moment.seat] and card != moment.deal["decree"]
    ]


def gift_is_secret(moment: Moment) -> bool:
    """Whether the partner has chosen a gift and the seat to act is to choose its own without sight of it (D-18)."""
    return moment.position.phase == "gift" and moment.moves[-1].startswith("gift:")


class World(NamedTuple):
    """One way in which a round may have gone: what the partner was dealt, every move, and where it all led."""

    partner: list[str]
    moves: tuple[str, ...]
    state: Any


def possible_worlds(moment: Moment) -> list[World]:
    """Every world that looks to the seat to act as this one does: all other deals are played through.

    The partner was dealt whatever has come out of its hand in the open; a gift chosen in secret may be any card (D-18).
    """
    seat, seen, unseen = moment.seat, moment.observation.tobytes(), unseen_cards(moment)
    secret = gift_is_secret(moment)
    told = {move.split(":")[1] for move in (moment.moves[:-1] if secret else moment.moves)}
    sure = [card for card in unseen if card in told]
    others = [card for card in unseen if card not in told]
    ends = [(f"gift:{card}",) for card in deck()] if secret else [moment.moves[-1:]]
    found = []
    for rest in combinations(others, 11 - len(sure)):
        for end in ends:
            partner, moves = [*sure, *rest], (*moment.moves[:-1], *end)
            state = played_through(moment, partner, moves)
            if state is not None and moment.position.game.observe(state, seat).tobytes() == seen:
                found.append(World(partner, moves, state))
    return found


def played_through(moment: Moment, partner: Sequence[str], moves: Sequence[str]) -> Any:
    """Return the state after these moves if the partner was dealt those cards; None if it could not have come so."""
    owner = np.full((1, duet.CARDS), duet.NONE, np.int8)
    owner[0, [DUET_DECK.numbers[card] for card in moment.deal["hands"][moment.seat]]] = moment.seat
    owner[0, [DUET_DECK.numbers[card] for card in partner]] = 1 - moment.seat
    decree = np.array([DUET_DECK.numbers[moment.deal["decree"]]], np.int8)
    codes = np.array([moment.position.game.code(move) for move in moves], np.int64)
    states = moment.before.states.copy()
    played, _ = kernels.replay(states, owner, decree, codes)
    return states if played == len(codes) else None


class Sampler:
    """What it takes to draw worlds for the seat to act, and to go through them by number."""

    def __init__(self, moment: Moment, *, belief: float = 0.0, seed: int = 5) -> None:
        self.seat = moment.seat
        self.seen: Any = moment.observation
        self.know, self.state = records(duet_worlds.KNOWLEDGE), records(duet.STATE)
        self.mind = records(duet_worlds.MIND)
        self.know["belief"] = belief
        duet_worlds.ponder(self.seen[0], self.know[0])
        self.rng = seeded(seed)

    @property
    def worlds(self) -> int:
        return int(duet_worlds.count_worlds(self.seen[0], self.know[0]))

    def draw(self) -> float:
        """Write a world into `state`; return its log weight."""
        return float(duet_worlds.sample(self.seen[0], self.know[0], self.state[0], self.mind[0], self.rng))

    def take(self, index: int) -> float:
        """Write the world of that number into `state`; return its log weight."""
        return float(duet_worlds.world(self.seen[0], self.know[0], index, self.state[0], self.mind[0]))

    def seen_again(self) -> bytes:
        """What the seat sees of the world in `state`."""
        again = records(duet.OBSERVATION)
        duet.observe(self.state[0], self.seat, again[0])
        return bytes(again.tobytes())
