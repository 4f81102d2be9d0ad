"""Duet, the cards and the board: D-1 to D-5, D-25."""

from __future__ import annotations

import random

import pytest

from overtrick.errors import InvalidRecord
from overtrick.games import load
from rules.setting import duet, duet_deal, duet_round, say, trick, two_cards


def test_thirty_cards_in_three_suits_of_ten() -> None:
    """D-1"""
    dealt: set[str] = set()
    for seed in range(30):
        deal = load("duet").random_deal(random.Random(seed))
        dealt |= {*deal["hands"][0], *deal["hands"][1], deal["decree"]}
    assert dealt == {f"{suit}{rank}" for suit in "DRS" for rank in range(1, 11)}


@pytest.mark.parametrize("card", ["D11", "S0", "H3", "d3", "D03", "3", "", None, 3])
def test_card_that_is_not_in_the_deck_is_refused(card: object) -> None:
    """D-1"""
    deal = duet_deal("D1", "R1")
    deal["hands"][0][4] = card
    with pytest.raises(InvalidRecord):
        duet().deal(deal)


@pytest.mark.parametrize("suit", ["D", "R", "S"])
@pytest.mark.parametrize(("rank", "footprints"), list(enumerate([0, 3, 2, 1, 1, 2, 0, 2, 0, 3], start=1)))
def test_footprints_by_rank_are_the_same_in_each_suit(suit: str, rank: int, footprints: int) -> None:
    """D-2: measured beside a card of no footprints, the Royal Heir, or the Musician beside the Heir itself."""
    lead, answer = f"{suit}{rank}", f"{suit}9" if rank != 9 else f"{suit}1"
    position = two_cards(lead, answer, "S8" if suit == "D" else "D8").play(f"play:{lead}")
    if rank == 3:
        position = say(position, "foxes:self", "decree:keep")
    if rank == 7:
        hands = position.state()["hands"]
        position = say(
            position, f"gift:{hands[0][0]}", f"gift:{hands[1][0] if hands[1][0] != answer else hands[1][1]}"
        )
    position = position.play(f"play:{answer}")
    if rank == 5:
        assert position.legal_moves() == ["move:+1", "move:0"]
        position = position.play("move:+1")
    assert abs(position.state()["tracker"] - 5) == footprints


def test_side_a_is_as_settled() -> None:
    """D-3"""
    board = load("duet", level=1).board  # type: ignore[attr-defined]
    assert (board.name, board.spaces, board.start) == ("side-a", 11, 5)
    assert list(board.gems) == [1, 1, 2, 1, 1, 0, 1, 1, 2, 1, 1]
    assert list(board.plus) == [1, 3, 4, 6, 8]
    assert not board.reconstructed
    assert duet(1).state()["tracker"] == 5


def test_seat_nought_sits_beyond_the_low_end_and_seat_one_beyond_the_high_end() -> None:
    """D-3"""
    assert duet_round("D6", "D2", *trick("D6", "D2")).state()["tracker"] == 0
    assert duet_round("D2", "D6", *trick("D2", "D6")).state()["tracker"] == 10


@pytest.mark.parametrize(
    ("level", "gems"), [(2, [2, 2, 1, 2, 0, 1, 2, 1, 2]), (3, [2, 3, 1, 3, 0, 2, 2, 1, 2])]
)
def test_side_b_is_as_settled_and_says_that_it_is_reconstructed(level: int, gems: list[int]) -> None:
    """D-4"""
    board = load("duet", level=level).board  # type: ignore[attr-defined]
    assert (board.spaces, board.start, list(board.gems), list(board.plus)) == (9, 4, gems, [2, 3, 6])
    assert sum(gems) == {2: 13, 3: 16}[level]
    assert board.reconstructed


@pytest.mark.parametrize(("level", "tokens", "supply"), [(1, 4, 10), (2, 3, 9), (3, 3, 6)])
def test_box_holds_twenty_two_gems_and_four_or_three_forest_tokens(
    level: int, tokens: int, supply: int
) -> None:
    """D-5, D-25"""
    view = duet(level).view(None).to_json()
    assert (view["tokens"], view["supply"]) == (tokens, supply)
    assert sum(view["gems"]) + view["supply"] == 22


def test_gem_taken_goes_back_to_the_supply() -> None:
    """D-5"""
    view = duet_round("D6", "D4", *trick("D6", "D4")).view(None).to_json()
    assert (sum(view["gems"]), view["supply"]) == (11, 11)


@pytest.mark.parametrize(("level", "board"), [(1, "side-a"), (2, "side-b"), (3, "side-b-diamonds")])
def test_each_level_has_its_board(level: int, board: str) -> None:
    """D-25"""
    game = load("duet", level=level)
    assert game.options == {"level": level, "dealer": 0, "board": board}
    for wrong in (0, 4):
        with pytest.raises(InvalidRecord, match="level"):
            load("duet", level=wrong)
