"""Events and their rows."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from overtrick.tables.events import EVENTS, Made, Started
from overtrick.tables.happened import EventRow, UnknownEvent
from overtrick.tables.rows import from_row

SAMPLES: dict[str, dict[str, Any]] = {
    "made": {
        "game": "duet",
        "options": {"level": 2},
        "dealer": "random",
        "host": "a",
        "seats": 2,
        "public": True,
        "show_played": False,
        "rules_version": 1,
    },
    "sat": {"seat": 0, "person": "a", "name": "Ann"},
    "bot_sat": {"seat": 1, "bot": "uniform"},
    "freed": {"seat": 1},
    "joined": {"seat": 1, "person": "c" * 64},
    "relinked": {"seat": 1, "person": "c" * 64},
    "hosted": {"person": "b"},
    "started": {
        "options": {"level": 2, "dealer": 1},
        "rules_version": 1,
        "board": {"gems": [1]},
        "seals": [{}],
    },
    "dealt": {"deal": {"hands": [["D1"], ["D2"]], "decree": "R3"}},
    "moved": {"seat": 0, "move": "play:R4", "said": "play:#3"},
    "stood_in": {"seat": 0, "bot": "medium", "why": "away"},
    "came_back": {"seat": 0},
    "flagged": {"seat": 0, "bot": "medium"},
    "pause_asked": {"seat": 0},
    "resumed": {"seat": 0},
    "outage": {"lasted": 5000},
    "end_proposed": {"seat": 0},
    "end_agreed": {"seat": 1},
    "end_declined": {"seat": 1},
    "ended": {},
    "spoke": {"seat": 0, "text": "Hello", "token": "t"},
    "proposed": {"seat": 1, "end": "low"},
    "continued": {"next_table": "t2"},
    "forgotten": {"seat": 1, "messages": [1, 3]},
    "hidden": {},
    "closed": {},
}


@pytest.mark.parametrize("kind", EVENTS)
def test_every_kind_survives_the_way_through_json(kind: str) -> None:
    event = EVENTS[kind](**SAMPLES[kind])
    row = event.to_row()
    assert set(row.data) == {field.name for field in dataclasses.fields(event)}
    assert from_row(EventRow(row.kind, row.version, json.loads(json.dumps(row.data)))) == event


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_cannot_be_changed(kind: str) -> None:
    event = EVENTS[kind](**SAMPLES[kind])
    for field in dataclasses.fields(event):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(event, field.name, None)


def test_a_table_from_before_there_was_a_choice_may_be_watched_by_whoever_has_the_link() -> None:
    made = from_row(EventRow("made", 1, SAMPLES["made"]))
    assert isinstance(made, Made)
    assert (made.watching, made.talk) == ("link", "open")


def test_a_start_without_a_board_or_seals_is_one_too() -> None:
    data = {"options": {"players": 4, "dealer": 1}, "rules_version": 1}
    assert from_row(EventRow("started", 1, data)) == Started(**data, board=None, seals=None)


@pytest.mark.parametrize(
    "row",
    [
        EventRow("chatted", 1, {}),
        EventRow("freed", 2, {"seat": 1}),
        EventRow("freed", 1, {}),
        EventRow("freed", 1, {"seat": 1, "secret": 2}),
    ],
)
def test_what_is_not_understood_is_never_skipped(row: EventRow) -> None:
    with pytest.raises(UnknownEvent):
        from_row(row)
