"""Luz, the tricks: L-14 to L-20."""

from __future__ import annotations

import pytest

from overtrick.errors import IllegalMove
from rules.setting import MIXED, PLAIN, after_bets, assert_refused, cards, cards_shown, refusal, say, trick


def test_first_player_leads_and_then_the_winner_of_each_trick() -> None:
    """L-14"""
    position = after_bets(PLAIN, dealer=1)
    assert (position.to_act, position.state()["leader"]) == (2, 2)
    position = say(position, *trick("G1", "B1", "R1", "Y1"))
    assert (position.to_act, position.state()["leader"]) == (1, 1)


def test_leader_may_play_any_card() -> None:
    """L-15"""
    position = after_bets(MIXED)
    assert position.legal_moves() == sorted(f"play:{card}" for card in MIXED["hands"][0])


def test_colour_led_is_the_required_one() -> None:
    """L-15"""
    position = say(after_bets(MIXED), "play:G4")
    assert position.legal_moves() == ["play:G1", "play:G2", "play:G3"]


def test_must_follow_colour_even_with_trumps_in_hand() -> None:
    """L-16"""
    position = say(after_bets(MIXED), "play:R3", "play:R4")
    assert position.legal_moves() == ["play:R7", "play:R8"]
    assert_refused(position, "play:Y9", "L-16")
    assert_refused(position, "play:G9", "L-16")


def test_may_play_any_card_when_void_in_the_colour_led() -> None:
    """L-16"""
    position = say(after_bets(MIXED), "play:R3", "play:R4", "play:R7")
    assert position.legal_moves() == sorted(f"play:{card}" for card in MIXED["hands"][3])


def test_card_not_held_is_refused_whoever_holds_it() -> None:
    """L-16"""
    position = say(after_bets(MIXED), "play:R3")
    for card in ("R7", "R3", "P8", "R10"):  # another's, played, set aside, set aside
        refusal(position, f"play:{card}")


def test_refusal_to_follow_can_be_told_without_seeing_values() -> None:
    """L-16"""
    view = say(after_bets(MIXED), "play:R3").view(1)
    assert view.legal == ("play:#1", "play:#2", "play:#3")
    reason = view.why_not("play:#4")
    assert isinstance(reason, IllegalMove)
    assert reason.clause == "L-16"
    assert view.why_not("play:#1") is None


def test_seat_names_its_cards_by_place() -> None:
    """L-17"""
    position = after_bets(MIXED)
    assert position.view(0).legal == tuple(sorted(f"play:#{place}" for place in range(1, 11)))
    hand = cards("R1-3 Y1-2 G4-5 B1 P1-2")
    assert [position.record_move(0, f"play:#{place}") for place in range(1, 11)] == [
        f"play:{c}" for c in hand
    ]


def test_places_stay_as_dealt_while_cards_go() -> None:
    """L-17"""
    position = say(after_bets(PLAIN), *trick("R1", "Y1", "G1", "B1", "Y3", "G2", "B2"))
    assert position.record_move(0, "play:#10") == "play:R10"
    assert [card["place"] for card in position.view(0).to_json()["hands"][0]] == list(range(2, 11))
    with pytest.raises(IllegalMove):
        position.record_move(0, "play:#1")


def test_seat_can_not_ask_for_a_card_by_its_value() -> None:
    """L-17"""
    position = after_bets(MIXED)
    sentences = set()
    for card in ("R1", "R9", "P10", "Y10"):  # held, set aside, another's, set aside
        with pytest.raises(IllegalMove) as caught:
            position.record_move(0, f"play:{card}")
        sentences.add(str(caught.value).replace(card, "?"))
        reason = position.view(0).why_not(f"play:{card}")
        sentences.add(str(reason).replace(card, "?"))
    assert len(sentences) == 1


@pytest.mark.parametrize(
    "said", ["play:#0", "play:#11", "play:#-1", "play:#", "play:#1.0", "play:#01", "play:#١", "#1"]
)
def test_place_that_is_not_one_of_ten_is_refused(said: str) -> None:
    """L-17"""
    with pytest.raises(IllegalMove):
        after_bets(MIXED).record_move(0, said)


def test_value_is_revealed_as_the_card_is_played_and_not_before() -> None:
    """L-17"""
    position = after_bets(MIXED)
    assert not {"R1", "R2", "R3"} & cards_shown(position.view(0).to_json())
    after = position.play("play:R2").view(0).to_json()
    assert cards_shown(after["hands"][0]) == set()
    assert after["trick"] == ["R2"]
    assert after["played"][0] == [{"place": 2, "card": "R2"}]
    assert not {"R1", "R3"} & cards_shown(after)


@pytest.mark.parametrize(
    ("played", "winner"),
    [
        (["R3", "R4", "R7", "B8"], 2),  # the highest of the colour led; another colour never wins
        (["R3", "R4", "R7", "Y3"], 3),  # the lowest trump beats them all
        (["B1", "B4", "B7", "B10"], 3),
        (["Y2", "G3", "Y8", "Y7"], 2),  # trump led: the highest trump
        (["P2", "P10", "P3", "P6"], 1),
    ],
)
def test_highest_trump_wins_or_else_the_highest_card_of_the_colour_led(
    played: list[str], winner: int
) -> None:
    """L-18"""
    end = say(after_bets(MIXED), *trick(*played))
    assert end.view(None).to_json()["last_trick"] == {
        "deal": 1,
        "leader": 0,
        "cards": played,
        "winner": winner,
    }


def test_later_higher_trump_beats_an_earlier_one() -> None:
    """L-18"""
    deal = {"hands": [cards("R1-10"), cards("Y1-3 G1-7"), cards("Y8-10 B1-7"), cards("Y4-7 P1-6")]}
    assert say(after_bets(deal), *trick("R10", "Y3", "Y8", "Y7")).state()["tricks"] == [0, 0, 1, 0]


def test_trick_counts_are_visible_to_all() -> None:
    """L-19"""
    position = say(after_bets(PLAIN), *trick("R1", "Y1", "G1", "B1", "Y2", "G2", "B2", "R2"))
    for viewer in (None, 0, 1, 2, 3):
        assert position.view(viewer).to_json()["tricks"] == [0, 2, 0, 0]


def test_deal_ends_when_the_hands_are_empty() -> None:
    """L-20"""
    position = after_bets(PLAIN)
    for played in range(40):
        assert not position.needs_deal
        assert sum(len(hand) for hand in position.state()["hands"]) == 40 - played
        position = position.play(position.legal_moves()[0])
    assert position.needs_deal
    assert position.to_act is None
    assert position.legal_moves() == []
    with pytest.raises(IllegalMove):
        position.play("play:R1")
