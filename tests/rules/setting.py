"""Set up positions for the clause tests: deals from a few named cards, moves in a row, a deal played out."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from naive import duet as duet_twin
from naive import luz as luz_twin
from overtrick.errors import IllegalMove
from overtrick.games import Board, Position, load
from overtrick.games.boards import parse_board
from overtrick.games.duet import Duet


def cards(text: str) -> list[str]:
    """Read cards from words: `"R1-3 Y7"` is R1 R2 R3 Y7."""
    named = []
    for word in text.split():
        first, _, last = word[1:].partition("-")
        named += [f"{word[0]}{value}" for value in range(int(first), int(last or first) + 1)]
    return named


def filled(hands: Sequence[str], deck: list[str], size: int, keep: Sequence[str] = ()) -> list[list[str]]:
    """Complete hands of a few named cards from the rest of the deck, in its order; `keep` is dealt to nobody."""
    named = [cards(hand) for hand in hands]
    taken = {card for hand in named for card in hand} | set(keep)
    spare = (card for card in deck if card not in taken)
    return [hand + [next(spare) for _ in range(size - len(hand))] for hand in named]


# Luz


def luz(players: int = 4, *, dealer: int | None = None, bead_supply: int | None = None) -> Position:
    """Return a game whose first player is seat 0, unless a dealer is named."""
    dealer = players - 1 if dealer is None else dealer
    return load("luz", players=players, dealer=dealer, bead_supply=bead_supply).start()


def luz_deal(*hands: str) -> dict[str, Any]:
    return {"hands": filled(hands, luz_twin.deck(len(hands)), 10)}


PLAIN = luz_deal("R1-10", "Y1-10", "G1-10", "B1-10")
"""Four hands of one colour each: seat 1, with all the trumps, takes every trick."""


MIXED = luz_deal(
    "R1-3 Y1-2 G4-5 B1 P1-2", "R4-6 G1-3 B4-5 P9-10", "R7-8 Y8-9 G9 B6-7 P3-5", "Y3-7 B8-10 P6-7"
)
"""Four hands of several colours each."""


def say(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def after_bets(deal: dict[str, Any], bet: str = "bet:0", **options: Any) -> Position:
    players = len(deal["hands"])
    return say(luz(players, **options).deal(deal), *[bet] * players)


def finish_deal(position: Position) -> Position:
    """Play the first legal move until the hands are empty."""
    while position.to_act is not None:
        position = position.play(position.legal_moves()[0])
    return position


def bet_in_turn(position: Position, bets: dict[int, str]) -> Position:
    """Let every seat make its bet, whoever's turn comes first."""
    for _ in bets:
        assert position.to_act is not None
        position = position.play("bet:" + bets[position.to_act])
    return position


def play_deal(position: Position, deal: dict[str, Any], misses: Sequence[int]) -> Position:
    """Play a whole deal in which each seat's bet is so many tricks off what it takes (0: the bet is won)."""
    dealt = position.deal(deal)
    seats = range(len(misses))
    taken = finish_deal(bet_in_turn(dealt, dict.fromkeys(seats, "0"))).state()["tricks"]
    bets = {}
    for seat in seats:
        far = taken[seat] + misses[seat]
        bets[seat] = str(far if far <= 10 else taken[seat] - misses[seat])
    return finish_deal(bet_in_turn(dealt, bets))


def cards_shown(thing: object) -> set[str]:
    """Return every card that is named anywhere in a JSON value."""
    return set(re.findall(r'"([RYGBP]\d+)"', json.dumps(thing)))


# Duet


def board_of(*, gems: list[int], plus: list[int], start: int, tokens: int) -> Board:
    """Return a board of a test's own, checked as an owner's would be."""
    text = f"""
        name = "test"
        title = "For a test"
        reconstructed = true
        gems = {gems}
        plus = {plus}
        start = {start}
        tokens = {tokens}
    """
    return parse_board(text, "test.toml")


def duet(level: int = 1, *, dealer: int = 1, board: Board | None = None) -> Position:
    """Return a game that seat 0 leads, unless another dealer is named."""
    if board is None:
        return load("duet", level=level, dealer=dealer).start()
    return Duet(level, dealer, board).start()


def duet_deal(hand_0: str, hand_1: str, decree: str = "S5") -> dict[str, Any]:
    return {"hands": filled([hand_0, hand_1], duet_twin.deck(), 11, keep=[decree]), "decree": decree}


def duet_round(hand_0: str, hand_1: str, *moves: str, decree: str = "S5", **options: Any) -> Position:
    return say(duet(**options).deal(duet_deal(hand_0, hand_1, decree)), *moves)


def two_cards(lead: str, answer: str, decree: str = "S5") -> Position:
    """Deal hands in which seat 0 may lead the one card and seat 1 answer with the other, whatever their suits.

    Seat 1 holds no card of the suit led but perhaps the answer.
    """
    used = (lead, answer, decree)
    free = [card for card in duet_twin.deck() if card not in used]
    off_suit = [card for card in free if card[0] != lead[0]]
    rest = off_suit[:-10] + [card for card in free if card[0] == lead[0]]
    return duet().deal({"hands": [[lead, *rest[:10]], [answer, *off_suit[-10:]]], "decree": decree})


def trick(*played: str) -> list[str]:
    return [f"play:{card}" for card in played]


Wish = Callable[[Position, Position], bool]


def reach(start: Position, wish: Wish, *, tries: int = 4000) -> tuple[Position, Position]:
    """Play on at random, careful of the path's ends, until a step (before, after) is as wished."""
    rng = random.Random(0)
    for _ in range(tries):
        position = start
        while position.to_act is not None:
            moves = list(position.legal_moves())
            rng.shuffle(moves)
            tokens = position.state()["tokens"]
            steps = [position.play(move) for move in moves[:4]]
            safe = [step for step in steps if step.phase == "forest" or step.state()["tokens"] == tokens]
            after = (safe or steps)[0]
            if wish(position, after):
                return position, after
            position = after
    raise AssertionError("no such position was reached")


# refusals


def refusal(position: Position, move: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    return caught.value


def assert_refused(position: Position, move: str, clause: str) -> None:
    """The move is refused, by that clause, with a sentence."""
    error = refusal(position, move)
    assert error.clause == clause
    assert str(error).endswith(f" ({clause})")
    assert "%(" not in str(error)
    assert len(str(error)) > 20
