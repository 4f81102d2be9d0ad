"""What a faulty header or deal gets: one sentence that says what was expected and cites the rule."""

from __future__ import annotations

import copy

import pytest

from cli.replaying import RECORDS, WRONG, changed, drop, example, put, refused, verdict, verdict_on
from naive.replaying import replay as replay_twin


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
