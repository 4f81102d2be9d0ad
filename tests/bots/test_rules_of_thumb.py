"""Positions in which a good beginner knows what to do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from overtrick.bots import Budget, Choice, make_bot
from overtrick.bots.bot import ONLY_CARD
from overtrick.games import Position, load
from overtrick.rules.cards import DUET_DECK, LUZ_DECK


def choice_at(position: Position) -> Choice:
    view = position.view(position.to_act)
    return make_bot("rules_of_thumb").choose(view, seed=1, budget=Budget())


def luz_deal(**hands: str) -> dict[str, Any]:
    """A deal for 4 in which seats `a`, `b`... hold these cards; the other seats get what is left, in order."""
    given = {"abcd".index(seat): cards.split() for seat, cards in hands.items()}
    taken = {card for cards in given.values() for card in cards}
    rest = [c for c in LUZ_DECK.names if int(c[1:]) <= 10 and c not in taken]
    dealt = [given.get(seat) or [rest.pop(0) for _ in range(10)] for seat in range(4)]
    return {"hands": dealt}


def luz_table(deal: dict[str, Any], *moves: str) -> Position:
    position = load("luz", players=4, dealer=3).start().deal(deal)
    for move in moves:
        position = position.play(move)
    return position


ALL_TRUMPS = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10"


def test_bets_every_trick_when_holding_every_trump() -> None:
    assert choice_at(luz_table(luz_deal(a=ALL_TRUMPS))).move == "bet:10"


def test_bets_few_tricks_when_another_holds_every_trump() -> None:
    position = luz_table(luz_deal(b=ALL_TRUMPS))
    assert int(choice_at(position).move[4:]) <= 1


BLUE_AND_TRUMP = {
    "a": "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10",
    "b": "R1 R2 R3 R4 R5 P1 P2 P3 P4 P5",
    "c": "R6 R7 R8 R9 R10 P6 P7 P8 P9 P10",
    "d": "G1 G2 G3 G4 G5 G6 Y6 Y7 Y8 Y9",
}


@pytest.mark.parametrize(("bet", "suit"), [("bet:10", "Y"), ("bet:0", "G")])
def test_trumps_in_last_seat_exactly_when_it_needs_the_trick(bet: str, suit: str) -> None:
    bets = ("bet:1", "bet:1", "bet:1", bet)
    position = luz_table(luz_deal(**BLUE_AND_TRUMP), *bets, "play:B3", "play:R1", "play:R6")
    assert position.record_move(3, choice_at(position).move).startswith(f"play:{suit}")


def duet_table(hands: tuple[str, str], decree: str, *moves: str, level: int = 1) -> Position:
    """Level 1 with the tracker on its start, space 5; seat 0 deals and seat 1 leads."""
    position = load("duet", level=level, dealer=0).start()
    dealt = [hand.split() for hand in hands]
    left = [c for c in DUET_DECK.names if c not in {*dealt[0], *dealt[1], decree}]
    for hand in dealt:
        hand += [left.pop(0) for _ in range(11 - len(hand))]
    position = position.deal({"hands": dealt, "decree": decree})
    for move in moves:
        position = position.play(move)
    return position


def trick_of_bots(position: Position) -> dict[str, Any]:
    """The trick on the table, as it ends when the bot makes every decision left in it."""
    while position.view(None).to_json()["last_trick"] is None:
        assert position.to_act is not None
        position = position.play(position.record_move(position.to_act, choice_at(position).move))
    last: dict[str, Any] = position.view(None).to_json()["last_trick"]
    return last


def test_answers_so_that_the_team_stops_at_a_gem() -> None:
    # D2 would take the team 3 + 3 toward seat 1, off the path; D8 takes it to space 10, a gem.
    assert trick_of_bots(duet_table(("D2 D8 S1 S2", "D10 D4"), "R1", "play:D10"))["gem"]


def test_moves_to_the_gem_when_it_may_choose_the_way() -> None:
    # With a Musician and 3 footprints the winner may go either way; at level 2 space 4 has no gem and 1 has two.
    position = duet_table(("D2 S1 S2 S4", "D1"), "R1", "play:D1", "play:D2", level=2)
    assert position.phase == "move"
    assert trick_of_bots(position)["gem"]


def test_does_not_run_off_the_path_while_another_card_keeps_the_team_on_it() -> None:
    # Level 2, space 4 of 0..8: D2 would take the team 6 spaces toward seat 1.
    assert not trick_of_bots(duet_table(("D2 D7 S1 S2", "D10 D4"), "R1", "play:D10", level=2))["ran_off"]


def test_lets_the_decree_stand_when_no_other_serves_better() -> None:
    # Whoever wins D4 and D3, the team moves 3 spaces to one gem or the other.
    position = duet_table(("D3 D6 D8 D9", "D4"), "D1", "play:D4", "play:D3", "foxes:self")
    assert choice_at(position).move == "decree:keep"


def test_changes_the_decree_to_stay_on_the_path() -> None:
    # Level 2, space 7 of 0..8 after a trick: S10 and D3 move 5 spaces, off the path unless seat 0 wins with D3.
    hands = ("D3 D6 D8 S4 R1 R2 R4 R5 R6 R8 R10", "S8 S10")
    position = duet_table(hands, "R9", "play:S8", "play:S4", "play:S10", "play:D3", "foxes:self", level=2)
    assert choice_at(position).move in {"decree:D6", "decree:D8"}


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_card_that_had_to_be_played_is_said_to_be_the_only_one(game: str) -> None:
    rng, forced = random.Random(game), 0
    position = load(game).start()
    while forced < 3:
        if position.needs_deal or position.over:
            position = load(game).start().deal(load(game).random_deal(rng))
        view = position.view(position.to_act)
        choice = choice_at(position)
        is_only = view.phase == "play" and len(view.legal) == 1
        assert (choice.why.msgid == ONLY_CARD) is is_only
        forced += is_only
        position = position.play(rng.choice(position.legal_moves()))
