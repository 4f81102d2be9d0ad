"""Luz, the bets: L-11 to L-13."""

from __future__ import annotations

import pytest

from rules.setting import PLAIN, assert_refused, bet_in_turn, finish_deal, luz, refusal, say


def test_each_player_bets_once_clockwise_from_the_first() -> None:
    """L-11"""
    position = luz(dealer=1).deal(PLAIN)
    turns = []
    while position.phase == "bet":
        turns.append(position.to_act)
        position = position.play("bet:1")
    assert turns == [2, 3, 0, 1]


def test_bet_is_nought_to_ten_beads_and_nought_or_one_safety_bead() -> None:
    """L-11"""
    position = luz().deal(PLAIN)
    assert position.legal_moves() == sorted(
        f"bet:{beads}{safety}" for beads in range(11) for safety in ("", "+")
    )
    for bet in ("bet:11", "bet:-1", "bet:3++", "bet:", "bet:+", "bet:1.5", "bet:03", "bet:٣"):
        refusal(position, bet)
    assert_refused(position, "bet:11", "L-11")


def test_earlier_bets_are_visible_to_all() -> None:
    """L-11"""
    position = say(luz().deal(PLAIN), "bet:3+", "bet:0")
    for viewer in (None, 0, 1, 2, 3):
        assert position.view(viewer).to_json()["bets"] == ["3+", "0", None, None]


def test_no_card_is_played_before_all_have_bet_and_no_bet_made_after() -> None:
    """L-11"""
    position = luz().deal(PLAIN)
    assert_refused(position, "play:R1", "L-11")
    assert_refused(say(position, *["bet:0"] * 4), "bet:3", "L-11, L-14")


@pytest.mark.parametrize(
    ("taken", "bet", "won"),
    [
        *[(10, "10", True), (10, "9", False), (10, "10+", True), (10, "9+", True), (10, "8+", False)],
        *[(0, "0", True), (0, "1", False), (0, "0+", True), (0, "1+", False)],
    ],
)
def test_bet_is_won_with_its_number_of_tricks_or_with_safety_one_more(
    taken: int, bet: str, won: bool
) -> None:
    """L-12"""
    seat = 1 if taken == 10 else 0
    end = finish_deal(bet_in_turn(luz().deal(PLAIN), {**dict.fromkeys(range(4), "5"), seat: bet}))
    assert end.state()["tricks"][seat] == taken
    assert (end.state()["scores"][seat] > 0) == won


def test_bets_may_add_up_to_ten() -> None:
    """L-13"""
    position = say(luz().deal(PLAIN), "bet:3", "bet:3", "bet:2")
    assert "bet:2" in position.legal_moves()
    assert position.play("bet:2").phase == "play"
