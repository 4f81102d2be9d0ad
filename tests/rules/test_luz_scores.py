"""Luz, the scores: L-21 to L-25."""

from __future__ import annotations

import itertools
import random

import pytest

from overtrick.games import load
from rules.setting import PLAIN, bet_in_turn, finish_deal, luz, luz_deal, play_deal


def test_bets_won_are_worth_more_each_deal_and_half_with_safety() -> None:
    """L-21"""
    position = luz()
    for _ in range(4):
        bets = {0: "0", 1: "10+", 2: "0+", 3: "1"}
        position = finish_deal(bet_in_turn(position.deal(PLAIN), bets))
    assert position.view(None).to_json()["by_deal"] == [
        [10, 5, 5, -5],
        [20, 10, 10, -5],
        [30, 15, 15, -5],
        [40, 20, 20, -5],
    ]


@pytest.mark.parametrize(
    ("seat", "bet", "points"),
    [
        *[(1, "7+", -15), (1, "8+", -10), (1, "9+", 5), (1, "10+", 5), (1, "9", -5), (1, "0", -50)],
        *[(1, "0+", -50), (0, "1+", -5), (0, "3+", -15), (0, "10", -50)],
    ],
)
def test_lost_bet_costs_five_for_each_trick_off_the_bet_beads_safety_or_not(
    seat: int, bet: str, points: int
) -> None:
    """L-22"""
    bets = {**dict.fromkeys(range(4), "0"), seat: bet}
    assert finish_deal(bet_in_turn(luz().deal(PLAIN), bets)).state()["scores"][seat] == points


THREE = luz_deal("R1-8 G1-2", "Y1-8 G3-4", "B1-8 G5-6")


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize(
    ("behind", "opens"),  # tricks missed in each of three deals, and who opens, counted from the first player
    [
        ((1, 1, 1), 0),
        ((1, 1, 2), 0),
        ((2, 1, 1), 1),
        ((2, 1, 2), 1),
        ((2, 2, 1), 2),
        ((1, 2, 1), 0),
        ((1, 2, 3), 0),
    ],
)
def test_with_three_players_the_one_ahead_opens_deal_four(
    dealer: int, behind: tuple[int, ...], opens: int
) -> None:
    """L-23"""
    first = (dealer + 4) % 3
    misses = [behind[(seat - first) % 3] for seat in range(3)]
    position = luz(3, dealer=dealer)
    for _ in range(3):
        position = play_deal(position, THREE, misses)
    position = position.deal(THREE)
    opener = (first + opens) % 3
    assert position.state()["first"] == first
    assert position.state()["leader"] == opener
    turns = []
    while position.phase == "bet":
        turns.append(position.to_act)
        position = position.play("bet:0")
    assert turns == [(opener + step) % 3 for step in range(3)]
    assert position.to_act == opener


@pytest.mark.parametrize("number", [2, 3])
def test_with_three_players_the_sign_opens_the_deals_before(number: int) -> None:
    """L-23"""
    position = luz(3, dealer=0)
    for _ in range(number - 1):
        position = play_deal(position, THREE, [2, 2, 2])
    first = number % 3
    ahead = play_deal(luz(3, dealer=0), THREE, [0 if seat == (first + 1) % 3 else 3 for seat in range(3)])
    position = ahead if number == 2 else play_deal(ahead, THREE, [2, 2, 2])
    assert position.deal(THREE).to_act == first


@pytest.mark.parametrize("players", [4, 5])
def test_with_more_players_the_sign_opens_deal_four_whoever_is_ahead(players: int) -> None:
    """L-23"""
    deal = load("luz", players=players).random_deal(random.Random(5))
    position = luz(players, dealer=0)
    for _ in range(3):
        position = play_deal(position, deal, [0 if seat == 2 else 3 for seat in range(players)])
    position = position.deal(deal)
    assert position.to_act == position.state()["first"] == 4 % players


def four_deals(misses_by_deal: list[list[int]], dealer: int = 3) -> dict[str, object]:
    position = luz(dealer=dealer)
    for misses in misses_by_deal:
        position = play_deal(position, PLAIN, misses)
    outcome = position.outcome()
    assert outcome is not None
    return outcome.to_json()


def test_most_points_win() -> None:
    """L-24"""
    result = four_deals([[2, 2, 1, 2]] * 4)
    assert result["scores"] == [-40, -40, -20, -40]
    assert result["winner"] == 2


def test_tie_goes_to_the_tied_player_with_most_points_in_deal_four() -> None:
    """L-24"""
    result = four_deals([[0, 5, 0, 5], [0, 5, 1, 5], [0, 5, 1, 5], [4, 5, 0, 0]])
    assert result["scores"] == [40, -100, 40, -35]
    assert result["winner"] == 2


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    "tied", [tied for size in (2, 3, 4) for tied in itertools.combinations(range(4), size)]
)
def test_second_tie_goes_to_the_sign_or_the_tied_player_nearest_after_it(
    dealer: int, tied: tuple[int, ...]
) -> None:
    """L-24"""
    result = four_deals([[1 if seat in tied else 2 for seat in range(4)]] * 4, dealer)
    first = (dealer + 4) % 4
    assert result["winner"] == next(
        seat for seat in ((first + step) % 4 for step in range(4)) if seat in tied
    )


def test_sign_and_not_the_opener_of_deal_four_settles_a_tie_of_three_players() -> None:
    """L-24, L-23"""
    position = luz(3, dealer=2)  # seat 0 holds the sign in deal 4
    for misses in ([1, 2, 2], [1, 2, 1], [1, 1, 1]):
        position = play_deal(position, THREE, misses)
    position = position.deal(THREE)
    assert (position.state()["first"], position.to_act) == (0, 0)
    position = luz(3, dealer=1)  # seat 2 holds it; seat 0, ahead by one trick, opens
    for misses in ([2, 3, 3], [2, 2, 2], [2, 2, 2]):
        position = play_deal(position, THREE, misses)
    end = play_deal(position, THREE, [3, 2, 2])
    assert position.deal(THREE).to_act == 0
    assert end.state()["scores"] == [-45, -45, -45]
    assert end.view(None).to_json()["by_deal"][-1] == [-15, -10, -10]
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.to_json()["winner"] == 2


def test_totals_may_be_negative() -> None:
    """L-25"""
    assert four_deals([[5, 5, 5, 5]] * 4)["scores"] == [-100, -100, -100, -100]
    bets = {0: "10", 1: "0", 2: "10", 3: "10"}
    position = luz()
    for _ in range(4):
        position = finish_deal(bet_in_turn(position.deal(PLAIN), bets))
    assert position.state()["scores"] == [-200, -200, -200, -200]
