"""Duet, rounds and tricks: D-6 to D-10, D-14."""

from __future__ import annotations

import random

import pytest

from overtrick.errors import InvalidRecord
from overtrick.games import load
from rules.rounds import SOLID, careful, into_next_round, three_rounds
from rules.setting import assert_refused, cards, duet, duet_deal, duet_round, refusal, say, trick, two_cards

VIEWERS = (None, 0, 1)


@pytest.mark.parametrize("size", [0, 10, 12])
def test_hand_has_eleven_cards(size: int) -> None:
    """D-6"""
    deal = duet_deal("", "")
    deal["hands"][1] = cards("S6-10 R3-10")[:size]
    with pytest.raises(InvalidRecord, match=r"11.*\(D-6\)"):
        duet().deal(deal)


def test_decree_is_a_card_that_nobody_was_dealt() -> None:
    """D-6"""
    for decree in ("D1", None, "S11", 5, ["S5"]):
        with pytest.raises(InvalidRecord):
            duet().deal({**duet_deal("D1", "R1"), "decree": decree})
    deal = duet_deal("D1", "R1")
    del deal["decree"]
    with pytest.raises(InvalidRecord, match="decree"):
        duet().deal(deal)


def test_decree_is_visible_to_all_and_its_suit_is_trump() -> None:
    """D-6"""
    position = duet_round("D10 S1", "S2 R1-10", decree="S5")
    assert [position.view(viewer).to_json()["decree"] for viewer in VIEWERS] == ["S5"] * 3
    assert say(position, *trick("D10", "S2")).state()["tricks"] == [0, 1]


def test_game_is_at_most_three_rounds_of_eleven_tricks() -> None:
    """D-6"""
    ends = three_rounds(0)
    assert [sum(end.state()["tricks"]) for end in ends] == [11, 11, 11]
    assert [end.state()["round"] for end in ends] == [1, 2, 3]
    assert [end.over for end in ends] == [False, False, True]
    assert load("duet").max_deals == 3


def test_draw_pile_shows_to_nobody() -> None:
    """D-6"""
    position = duet_round("D1-10 R1", "R2-10 S1-2", decree="S10")
    pile = set(cards("S3-9"))
    while position.to_act is not None:
        for viewer in VIEWERS:
            assert not pile & set(repr(position.view(viewer).to_json()).replace("'", " ").split())
        position = careful(position)


def test_partner_sees_no_card_of_the_other_hand_and_the_public_none_at_all() -> None:
    """D-6"""
    position = duet_round("D1-10 R1", "R2-10 S1-2", decree="S10")
    assert [position.view(viewer).to_json()["hands"] for viewer in VIEWERS] == [
        [None, None],
        [cards("D1-10 R1"), None],
        [None, cards("R2-10 S1-2")],
    ]
    assert position.view(None).to_json()["hand_sizes"] == [11, 11]


@pytest.mark.parametrize("dealer", [0, 1])
def test_dealer_alternates_and_the_other_player_leads_first(dealer: int) -> None:
    """D-7"""
    position = duet(board=SOLID, dealer=dealer)
    for number in range(3):
        position = position.deal(load("duet").random_deal(random.Random(number)))
        assert position.state()["dealer"] == (dealer + number) % 2
        assert position.to_act == position.state()["leader"] == 1 - position.state()["dealer"]
        while position.phase not in ("forest", "deal", "over"):
            position = careful(position)
        position = into_next_round(position)


def test_dealer_is_one_of_two() -> None:
    """D-7"""
    for dealer in (-1, 2):
        with pytest.raises(InvalidRecord, match="dealer"):
            load("duet", dealer=dealer)


def test_winner_of_a_trick_leads_the_next() -> None:
    """D-7"""
    position = duet_round("D6 D8", "D4 D10", *trick("D6", "D4"))
    assert (position.to_act, position.state()["leader"]) == (0, 0)
    position = say(position, *trick("D8", "D10"))
    assert (position.to_act, position.state()["leader"]) == (1, 1)


def test_leader_plays_any_card() -> None:
    """D-8"""
    position = duet_round("D1-4 R1-4 S1-3", "D5-10 R5-9", decree="S5")
    assert position.legal_moves() == sorted(trick(*cards("D1-4 R1-4 S1-3")))


def test_must_follow_suit_even_with_trumps_in_hand() -> None:
    """D-8"""
    position = duet_round("D2", "D4 D6 R1-4 S1-4 S6", decree="S5").play("play:D2")
    assert position.legal_moves() == ["play:D4", "play:D6"]
    assert_refused(position, "play:S6", "D-8")
    assert_refused(position, "play:R2", "D-8")


def test_may_play_any_card_when_void_in_the_suit_led() -> None:
    """D-8"""
    position = duet_round("D2", "R1-4 S1-4 S6-8", decree="S5").play("play:D2")
    assert position.legal_moves() == sorted(trick(*cards("R1-4 S1-4 S6-8")))


def test_card_not_held_is_refused() -> None:
    """D-8"""
    position = duet_round("D2 D4", "D6 R1-10", decree="S5")
    for card in ("D6", "S5", "S10"):
        refusal(position, f"play:{card}")
    refusal(say(position, *trick("D2", "D6")), "play:D6")


@pytest.mark.parametrize(
    ("lead", "answer", "decree", "winner"),
    [
        ("D6", "D4", "S5", 0),  # the higher of the suit led
        ("D4", "D6", "S5", 1),
        ("D2", "R10", "S5", 0),  # another plain suit never wins
        ("D10", "S2", "S5", 1),  # the lowest trump beats a plain card
        ("S2", "S4", "S5", 1),  # the higher of two trumps
        ("S4", "S2", "S5", 0),
        ("S2", "D10", "S5", 0),
        ("D10", "S2", "D5", 0),  # trump led
    ],
)
def test_highest_trump_wins_or_else_the_highest_card_of_the_suit_led(
    lead: str, answer: str, decree: str, winner: int
) -> None:
    """D-9"""
    assert say(two_cards(lead, answer, decree), *trick(lead, answer)).state()["tricks"] == [
        1 - winner,
        winner,
    ]


@pytest.mark.parametrize(
    ("lead", "answer", "tracker"),
    [("D6", "D2", 0), ("D2", "D6", 10), ("D4", "D6", 8), ("D8", "D4", 2), ("D9", "D4", 4)],
)
def test_tracker_moves_toward_the_winner_by_the_footprints_of_both_cards(
    lead: str, answer: str, tracker: int
) -> None:
    """D-10"""
    assert duet_round(lead, answer, *trick(lead, answer)).state()["tracker"] == tracker


def test_three_and_a_card_with_three_footprints_move_five() -> None:
    """D-10, D-2"""
    end = duet_round("D10", "D3", *trick("D10", "D3"), "foxes:self", "decree:keep")
    assert end.state()["tracker"] == 0
