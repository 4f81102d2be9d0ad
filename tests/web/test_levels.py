"""Levels, pace and reasons through the real server."""

from __future__ import annotations

import pytest

from web.serving import Client, Served


def test_the_form_says_pace_and_whether_bots_explain_themselves(served: Served) -> None:
    path = served.browser().make("luz", "me", *["bot:easy"] * 3, pace="unhurried", explain="1")
    table = served.client().look(path.replace("/t/", "/tables/"))
    assert (table["pace"], table["explain"]) == ("unhurried", True)


def test_left_out_the_pace_is_normal_and_bots_keep_silent(served: Served) -> None:
    guest = served.client()
    assert [guest.look(guest.make())[key] for key in ("pace", "explain", "said")] == ["normal", False, None]


def test_a_pace_that_is_none_is_a_problem(served: Served) -> None:
    asked = {"game": "duet", "seats": ["me", "friend"], "name": "Ann", "pace": "slow"}
    answer = served.client().post("/tables", **asked)
    assert answer.status_code in (400, 422)
    assert "pace" in answer.text
    refused = served.browser().post("/tables", token="t", game="duet", level=1, name="Ann", pace="slow", **{
        "seat_dash_0": "me", "seat_dash_1": "friend",
    })  # fmt: skip
    assert refused.status_code == 422
    assert "unhurried, normal or fast" in refused.text


@pytest.mark.parametrize("level", ["easy", "medium", "strong", "uniform", "rules_of_thumb"])
def test_a_game_beside_a_bot_of_each_kind_ends_and_its_record_says_why_the_bot_moved(
    served: Served, level: str
) -> None:
    guest = served.client()
    path = guest.make("duet", "me", f"bot:{level}", explain=True, pace="fast")
    guest.post(f"{path}/start")
    table = to_the_end(guest, path)
    assert table["status"] == "over"
    record = guest.get(f"{path}/record").json()
    reasons = record["meta"]["reasons"]
    assert len(reasons) == len(record["moves"])
    assert None in reasons
    assert any(reasons)


def to_the_end(guest: Client, path: str) -> dict[str, object]:
    """Make the first legal move whenever it is the guest's turn, following the events."""
    with guest.events(path) as events:
        for _, table in events:
            if table["status"] == "over":
                return table
            if table["view"]["legal"]:
                guest.post(f"{path}/move", ply=table["ply"], move=table["view"]["legal"][0])
    raise AssertionError("the stream ended")
