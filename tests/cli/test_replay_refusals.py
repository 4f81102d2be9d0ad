"""What bad input gets: the index of the move, one sentence that says what was expected and cites the rule."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.replaying import LINES, RECORDS, Record, check, example, replay, verdict, verdict_on, verdicts
from naive.replaying import replay as replay_twin

Change = Callable[[Record], object]


def refused(record: object, move: int | None, sentence: str, clause: str = "") -> None:
    found = verdict(record)
    assert not found["ok"]
    assert found["move"] == move
    assert re.search(sentence, found["error"], re.IGNORECASE), found["error"]
    if clause:
        assert found["error"].endswith(f" ({clause})")


def changed(game: str, change: Change) -> Record:
    record = example(game)
    change(record)
    return record


def put(path: str, value: object) -> Change:
    """Return a change that puts a value at a path such as `deals.0.hands.1.4`."""

    def change(record: Record) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        inside: Any = record
        for step in steps:
            inside = inside[step]
        inside[last] = value

    return change


def drop(path: str) -> Change:
    def change(record: Record) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        inside: Any = record
        for step in steps:
            inside = inside[step]
        del inside[last]

    return change


# the header

WRONG = [None, True, False, 0, 1, -1, 7, 1.5, "", "x", "1", [], [1], {}, {"a": 1}, 10**400]
"""A value of every kind of JSON, to stand where something else was expected."""


@pytest.mark.parametrize(
    "text",
    [
        *[b"{", b"}", b"[", b"{]", b"nonsense", b"-", b"1e", b"+1", b"'", b'"', b'"\\ud800'],
        *[
            b'{"overtrick": 1,',
            b"{'overtrick': 1}",
            b'{"overtrick": 1} {}',
            b'{"overtrick": 1, "game": "luz"',
        ],
        *[b"\xff\xfe\x00", b"\x00" * 50, b"\x80abc", b"\xef\xbb\xbf{"],
    ],
)
def test_broken_json_is_said_to_be_none(text: bytes) -> None:
    found = verdict_on(text)
    assert found["move"] is None
    assert "JSON" in found["error"]


@pytest.mark.parametrize("value", [*WRONG, "record"])
def test_record_is_an_object(value: object) -> None:
    if not isinstance(value, dict):
        refused(value, None, "record is one JSON object")


@pytest.mark.parametrize(
    "value", [value for value in WRONG if value is not True and value != 1] + [2, 1.0, True]
)
def test_unknown_version_is_refused(value: object) -> None:
    refused(changed("luz", put("overtrick", value)), None, "version")


def test_missing_version_is_refused() -> None:
    refused(changed("luz", drop("overtrick")), None, "version")


@pytest.mark.parametrize("value", [*WRONG, "LUZ", "luz ", "bridge", "duet\n", "\u202eluz", "x" * 5000])
def test_unknown_game_is_refused(value: object) -> None:
    refused(changed("luz", put("game", value)), None, "game.*luz, duet")


def test_missing_game_is_refused() -> None:
    refused(changed("luz", drop("game")), None, "game")


@pytest.mark.parametrize("game", ["luz", "duet"])
@pytest.mark.parametrize("field", ["move", "Deals", "seed", "", "\u0000", "y" * 5000])
def test_field_that_records_do_not_have_is_refused(game: str, field: str) -> None:
    refused(changed(game, put(field, 1)), None, "field")


@pytest.mark.parametrize(
    ("game", "option"),
    [
        *[("luz", option) for option in ("level", "board", "Players", "", "name", "self", "z" * 5000)],
        *[("duet", option) for option in ("players", "bead_supply", "options")],
    ],
)
def test_unknown_option_is_refused(game: str, option: str) -> None:
    refused(changed(game, put(f"options.{option}" if option else "options.", 1)), None, "no option")


@pytest.mark.parametrize("value", [value for value in WRONG if value not in ({}, {"a": 1})])
def test_options_are_an_object(value: object) -> None:
    refused(changed("luz", put("options", value)), None, "options")


@pytest.mark.parametrize(
    "value", [value for value in WRONG if type(value) is not int or not 3 <= value <= 5] + [2, 6]
)
def test_players_out_of_range_are_refused(value: object) -> None:
    refused(changed("luz", put("options.players", value)), None, "players.*3 to 5")


@pytest.mark.parametrize("value", [value for value in WRONG if type(value) is not int] + [-1, 4, 5, 10**30])
def test_dealer_of_luz_out_of_range_is_refused(value: object) -> None:
    record = next(copy.deepcopy(r) for r in RECORDS if r["options"].get("players") == 4)
    record["options"]["dealer"] = value
    refused(record, None, "dealer.*0 to 3")


@pytest.mark.parametrize(
    "value", [value for value in WRONG if value not in (0, 1) or type(value) is not int] + [2]
)
def test_dealer_of_duet_out_of_range_is_refused(value: object) -> None:
    refused(changed("duet", put("options.dealer", value)), None, "dealer.*0 to 1")


@pytest.mark.parametrize("value", [value for value in WRONG if value is not None] + [14, 15.0, "15"])
def test_bead_supply_is_null_or_fifteen(value: object) -> None:
    refused(changed("luz", put("options.bead_supply", value)), None, "bead_supply.*15", "L-3")


@pytest.mark.parametrize("value", [value for value in WRONG if type(value) is not int] + [0, 4, -1])
def test_level_out_of_range_is_refused(value: object) -> None:
    refused(changed("duet", put("options.level", value)), None, "level.*1 to 3")


@pytest.mark.parametrize("value", [value for value in WRONG if value is not None] + ["side-c", "../side-a"])
def test_unknown_board_is_refused(value: object) -> None:
    refused(changed("duet", put("options.board", value)), None, "board.*side-a")


# deals


@pytest.mark.parametrize("field", ["deals", "moves"])
def test_deals_and_moves_are_lists(field: str) -> None:
    for value in WRONG:
        if not isinstance(value, list):
            refused(changed("luz", put(field, value)), None, field)
    refused(changed("duet", drop(field)), None, field)


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_deal_is_an_object_with_a_hand_for_each_seat(game: str) -> None:
    for value in WRONG:
        refused(changed(game, put("deals.0", value)), None, "deal|hands")
        refused(changed(game, put("deals.0.hands", value)), None, "hand")
        refused(changed(game, put("deals.0.hands.1", value)), None, "hand of seat 1")
    refused(changed(game, drop("deals.0.hands")), None, "hands")
    refused(changed(game, put("deals.0.dealer", 0)), None, "field")
    refused(changed(game, lambda record: record["deals"][0]["hands"].append([])), None, "hands")
    refused(changed(game, lambda record: record["deals"][0]["hands"].pop()), None, "hands")


@pytest.mark.parametrize("deal", [0, 1])
@pytest.mark.parametrize(("game", "size", "clause"), [("luz", 10, "L-6"), ("duet", 11, "D-6")])
def test_hand_of_a_wrong_size_is_refused(game: str, size: int, clause: str, deal: int) -> None:
    shorter = changed(game, lambda record: record["deals"][deal]["hands"][1].pop())
    longer = changed(game, lambda record: record["deals"][deal]["hands"][0].append("R1"))
    refused(shorter, None, f"seat 1 has {size - 1} cards.*{size}", clause)
    refused(longer, None, f"seat 0 has {size + 1} cards.*{size}", clause)


@pytest.mark.parametrize(("game", "clause"), [("luz", "L-1"), ("duet", "D-1")])
def test_card_that_is_there_twice_is_refused(game: str, clause: str) -> None:
    record = example(game)
    card = record["deals"][0]["hands"][0][3]
    refused(changed(game, put("deals.0.hands.0.4", card)), None, f"{card} is there twice", clause)
    refused(changed(game, put("deals.0.hands.1.4", card)), None, f"{card} is there twice", clause)


@pytest.mark.parametrize(
    "value", [*WRONG, "R13", "R0", "r4", "4R", " R4", "R4 ", "R04", "R\u0664", "X4", "R" * 5000]
)
def test_card_that_is_not_in_the_deck_is_refused(value: object) -> None:
    refused(changed("luz", put("deals.0.hands.0.4", value)), None, "not in the deck", "L-2")
    refused(changed("duet", put("deals.0.hands.0.4", value)), None, "not in the deck", "D-1")


def test_card_of_a_bigger_deck_is_not_in_use() -> None:
    record = next(copy.deepcopy(r) for r in RECORDS if r["options"].get("players") == 3)
    record["deals"][0]["hands"][0][0] = "P9"
    refused(record, None, "P9 is not in the deck.*3 players.*1 to 8", "L-2")


@pytest.mark.parametrize("value", [value for value in WRONG if value is not None] + ["S11", "d3"])
def test_decree_that_is_no_card_is_refused(value: object) -> None:
    refused(changed("duet", put("deals.0.decree", value)), None, "not in the deck", "D-1")


def test_decree_that_is_missing_or_dealt_is_refused() -> None:
    refused(changed("duet", drop("deals.0.decree")), None, "decree.*missing", "D-6")
    refused(changed("duet", put("deals.0.decree", None)), None, "decree.*missing", "D-6")
    card = example("duet")["deals"][0]["hands"][1][0]
    refused(changed("duet", put("deals.0.decree", card)), None, f"{card} is there twice", "D-1")
    refused(changed("luz", put("deals.0.decree", "R4")), None, "decree")


@pytest.mark.parametrize(("game", "moves"), [("luz", 55), ("duet", None)])
def test_missing_deal_is_named_where_it_is_missed(game: str, moves: int | None) -> None:
    record = example(game)
    if moves is None:
        moves = next(
            at
            for at in range(len(record["moves"]))
            if at and replay_twin(record, at=at).state()["round"] == 2
        )
    record["deals"] = record["deals"][:1]
    refused(record, moves, "^deal 2 is missing")
    record["moves"] = record["moves"][:moves]
    refused(record, moves, "^deal 2 is missing")


def test_no_deal_at_all_is_a_missing_one() -> None:
    found = verdict(changed("luz", put("deals", [])))
    assert found["error"] == "deal 1 is missing"


def test_more_deals_than_a_game_has_are_refused() -> None:
    refused(changed("luz", lambda record: record["deals"].append(record["deals"][0])), None, "at most 4")
    refused(
        changed("duet", lambda record: record["deals"].extend(record["deals"][:1] * 2)), None, "at most 3"
    )


# moves


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


# sizes


def test_file_of_fifty_megabytes_gets_a_sentence(tmp_path: Path) -> None:
    junk, one_line = tmp_path / "junk.json", tmp_path / "line.jsonl"
    junk.write_bytes(b"x" * 50_000_000)
    record = json.dumps(RECORDS[0]).encode()
    one_line.write_bytes(
        record + b"\n" + b'{"overtrick": 1, "meta": "' + b"x" * 50_000_000 + b'"}\n' + record
    )

    found = verdicts(replay(junk, one_line))

    assert [one["ok"] for one in found] == [False, True, False, True]
    assert found[3] == LINES[0]["expected"]
    for one in found:
        check(one)
    assert "bytes" in found[0]["error"]
    assert "bytes" in found[2]["error"]


def test_fifty_megabytes_on_standard_input_get_a_sentence() -> None:
    found = verdict_on(b"{" + b" " * 50_000_000)
    assert not found["ok"]


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"overtrick":1,"meta":[', b'{"moves":['])
def test_deep_nesting_gets_a_sentence(opening: bytes) -> None:
    found = verdict_on(opening + b"[" * 500_000)
    assert (found["ok"], found["move"]) == (False, None)


def test_deep_nesting_that_is_closed_gets_a_verdict() -> None:
    for depth in (10, 900, 100_000):
        text = json.dumps(RECORDS[0])[:-1].encode() + b', "meta": ' + b"[" * depth + b"]" * depth + b"}"
        verdict_on(text)


@pytest.mark.parametrize(
    "number", ["1" * 4000, "1" * 100_000, "-" + "9" * 50_000, "1e400", "-1e400", "1e-400", "NaN"]
)
def test_number_of_any_size_gets_a_verdict(number: str) -> None:
    for field in ("overtrick", "game", "deals", "moves", "meta", "options"):
        text = json.dumps({**RECORDS[0], field: "HERE"}).replace('"HERE"', number)
        verdict_on(text.encode())
    record = copy.deepcopy(RECORDS[0])
    record["options"]["level"] = record["deals"][0]["hands"][0][0] = record["moves"][0] = "HERE"
    assert not verdict_on(json.dumps(record).replace('"HERE"', number).encode())["ok"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused_where_they_matter(number: str) -> None:
    text = json.dumps({**RECORDS[0], "overtrick": "HERE"}).replace('"HERE"', number)
    assert not verdict_on(text.encode())["ok"]


def test_key_that_is_there_twice_gets_a_verdict() -> None:
    text = json.dumps(RECORDS[0])
    verdict_on(text.replace('{"overtrick": 1', '{"overtrick": 2, "overtrick": 1', 1).encode())
    assert not verdict_on(text.replace('{"overtrick": 1', '{"overtrick": 1, "overtrick": 2', 1).encode())[
        "ok"
    ]
    verdict_on((text[:-1] + ', "moves": []}').encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_other_encodings_get_a_verdict(encoding: str) -> None:
    record = {**RECORDS[0], "meta": "é"}
    verdict_on(json.dumps(record, ensure_ascii=False).encode(encoding))


def test_lone_surrogates_get_a_verdict() -> None:
    for path in ("game", "moves.0", "deals.0.hands.0.0", "deals.0.decree"):
        found = verdict(changed("duet", put(path, "\ud800\udfff\ud83d")))
        found["error"].encode()


def test_sentences_hold_no_control_or_direction_marks() -> None:
    for path in ("game", "moves.0", "deals.0.hands.0.0"):
        sentence = verdict(changed("luz", put(path, "a\x1b[31m\u202e\u200b\x00\nb")))["error"]
        assert sentence.isprintable()
