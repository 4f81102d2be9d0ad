"""What a move that the rules refuse gets: its index, one sentence, the clause."""

from __future__ import annotations

import re

import pytest

from cli.replaying import WRONG, changed, example, put, refused, verdict


@pytest.mark.parametrize("game", ["luz", "duet"])
@pytest.mark.parametrize("at", [0, 8, 30])
@pytest.mark.parametrize(
    "value", [*WRONG, "play", "play:", ":", "bet:3 ", "PLAY:R4", "play:R4:R5", "play:#1", "p" * 9000]
)
def test_text_that_is_no_move_is_refused_at_its_index(game: str, at: int, value: object) -> None:
    found = verdict(changed(game, put(f"moves.{at}", value)))
    assert (found["ok"], found["move"]) == (False, at)
    assert re.search(r"\([LD]-\d+(, [LD]-\d+)*\)$", found["error"])


def illegal_luz_moves() -> dict[str, tuple[list[str], str, str]]:
    """Name the kinds of illegal moves: the moves, the sentence, the clause."""
    bets = ["bet:0"] * 4
    return {
        "bet too high": (["bet:11"], "0 to 10", "L-11"),
        "bet of a negative number": (["bet:-1"], "bet", "L-11, L-17"),
        "card before the bets": (["play:R1"], "bet is asked for", "L-11"),
        "bet after the bets": ([*bets, "bet:3"], "card is asked for", "L-11, L-14"),
        "card of another": ([*bets, "play:Y1"], "does not hold Y1", "L-17"),
        "card set aside": ([*bets, "play:P1"], "does not hold P1", "L-17"),
        "card of a bigger deck": ([*bets, "play:R11"], "R11 is not in the deck", "L-2"),
        "card of no deck": ([*bets, "play:R13"], "R13", "L-1"),
        "card not following": ([*bets, "play:R1", "play:R9"], "Red must be followed", "L-16"),
        "card played already": (
            [*bets, *[f"play:{c}" for c in ("R1", "R10", "G2", "B1", "R10")]],
            "R10",
            "L-17",
        ),
        "decision of the other game": (["foxes:self"], "not a move of Luz", "L-11, L-17"),
        "giving up": (["resign"], "not a move of Luz", "L-11, L-17"),
    }


LUZ_DEAL = {
    "hands": [
        ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "B9", "B10"],
        ["R10", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8", "R9"],
        ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10"],
        ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "Y9", "Y10"],
    ]
}
"""Seat 0 is the first player."""


@pytest.mark.parametrize("kind", illegal_luz_moves())
def test_illegal_move_of_luz_is_refused(kind: str) -> None:
    moves, sentence, clause = illegal_luz_moves()[kind]
    if kind == "card not following":
        moves[-1] = "play:Y1"
    record = {"overtrick": 1, "game": "luz", "options": {"dealer": 3}, "deals": [LUZ_DEAL], "moves": moves}
    refused(record, len(moves) - 1, sentence, clause)
    assert verdict(record, at=len(moves) - 1)["ok"]


def test_bet_above_the_bead_supply_is_refused() -> None:
    options = {"dealer": 3, "bead_supply": 15}
    record = {
        "overtrick": 1,
        "game": "luz",
        "options": options,
        "deals": [LUZ_DEAL],
        "moves": ["bet:10", "bet:6"],
    }
    refused(record, 1, "beads than are left: 5", "L-3")


DUET_DEAL = {
    "hands": [
        ["D1", "D3", "D5", "D6", "D7", "D8", "R1", "R2", "R3", "R4", "R5"],
        ["D2", "D4", "D9", "S1", "S2", "S3", "S4", "S6", "S7", "S8", "S9"],
    ],
    "decree": "S5",
}
"""Seat 0 leads."""

ILLEGAL_DUET_MOVES: dict[str, tuple[list[str], str, str]] = {
    "card of the partner": (["play:D2"], "does not hold D2", "D-8"),
    "card of the draw pile": (["play:S10"], "does not hold S10", "D-8"),
    "the decree": (["play:S5"], "does not hold S5", "D-8"),
    "card not following": (["play:D6", "play:S9"], "Doves must be followed", "D-8"),
    "gift not asked for": (["gift:D1"], "card is asked for", "D-8"),
    "foxes not asked for": (["play:D6", "foxes:self"], "card is asked for", "D-8"),
    "decree not asked for": (["play:D6", "decree:keep"], "card is asked for", "D-8"),
    "forest not asked for": (["forest:low"], "card is asked for", "D-8"),
    "move not asked for": (["play:D6", "play:D4", "move:-3"], "card is asked for", "D-8"),
    "card where foxes are asked": (["play:D3", "play:D2"], "foxes:self or foxes:partner", "D-16"),
    "decree before the foxes": (["play:D3", "decree:keep"], "foxes:self or foxes:partner", "D-16"),
    "decree with a card of the other": (["play:D3", "foxes:self", "decree:D2"], "does not hold D2", "D-16"),
    "card where the decree is asked": (["play:D3", "foxes:self", "play:D2"], "decree", "D-16"),
    "gift of a card not held": (["play:D7", "gift:D2"], "does not hold D2", "D-18"),
    "card where a gift is asked": (["play:D7", "play:D2"], "gift is asked for", "D-18"),
    "gift of the card just played": (["play:D7", "gift:D7"], "does not hold D7", "D-18"),
    "move not allowed": (["play:D1", "play:D2", "move:0"], r"do not allow move:0.*-3, move:\+3", "D-10, D-15, D-17"),
    "card where the move is asked": (["play:D1", "play:D2", "play:D9"], "move is asked for", "D-15, D-17"),
    "move too far": (["play:D1", "play:D2", "move:+7"], "not a move of Duet", "D-8, D-20"),
    "bet": (["bet:3"], "not a move of Duet", "D-8, D-20"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ILLEGAL_DUET_MOVES)
def test_illegal_move_of_duet_is_refused(kind: str) -> None:
    moves, sentence, clause = ILLEGAL_DUET_MOVES[kind]
    record = {"overtrick": 1, "game": "duet", "options": {"dealer": 1}, "deals": [DUET_DEAL], "moves": moves}
    refused(record, len(moves) - 1, sentence, clause)
    assert verdict(record, at=len(moves) - 1)["ok"]


@pytest.mark.parametrize(("game", "clause"), [("luz", "L-5"), ("duet", "D-22, D-23")])
@pytest.mark.parametrize("more", [["play:R4"], ["bet:0"], ["nonsense"], [None], ["resign", "resign"]])
def test_move_after_the_end_is_refused(game: str, clause: str, more: list[object]) -> None:
    record = example(game)
    played = len(record["moves"])
    record["moves"] += more
    found = verdict(record)
    assert (found["ok"], found["move"]) == (False, played)
    assert verdict(record, at=played)["over"]
    if more == ["play:R4"]:
        refused(record, played, "game is over", clause)


def test_second_resignation_is_after_the_end() -> None:
    record = example("duet", over=False)
    refused(
        {**record, "moves": [*record["moves"], "resign", "resign"]}, len(record["moves"]) + 1, "game is over"
    )


def test_wrong_sentence_never_cites_a_clause_of_the_other_game() -> None:
    for kind, (moves, _, _) in ILLEGAL_DUET_MOVES.items():
        record = {
            "overtrick": 1,
            "game": "duet",
            "options": {"dealer": 1},
            "deals": [DUET_DEAL],
            "moves": moves,
        }
        assert "L-" not in verdict(record)["error"], kind


def test_seat_to_view_that_the_game_does_not_have_is_refused() -> None:
    found = verdict(example("duet"), view="2")
    assert (found["ok"], found["move"]) == (False, None)
    assert "seat 2" in found["error"]
