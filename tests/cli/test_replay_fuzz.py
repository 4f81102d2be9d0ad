"""Mutated records and junk: always one verdict a record, never anything raised, and the neighbours unharmed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.replaying import LINES, RECORDS, Record, check, replay, verdict, verdict_on, verdicts
from naive.replaying import replay as replay_twin
from strategies import records

quick = settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))

WORDS = """
    play:R4 play:D3 bet:3 bet:10+ resign foxes:self decree:keep gift:S4 move:+4 forest:low R4 Y12 D10 luz duet
    side-a hands decree dealer players level overtrick deals
"""
words = st.sampled_from(WORDS.split())
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | words,
    lambda inner: (
        st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=8) | words, inner, max_size=5)
    ),
    max_leaves=12,
)


def inner_places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of everything inside a JSON value; of long lists only some."""
    places: list[tuple[Any, ...]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for key in keys:
        places += [(*at, key), *inner_places(value[key], (*at, key))]
    return places


def replace(inside: Any, key: Any, new: Any) -> None:
    inside[key] = new


def remove(inside: Any, key: Any, new: Any) -> None:
    del inside[key]


def repeat(inside: Any, key: Any, new: Any) -> None:
    if isinstance(inside, list):
        inside.insert(key, copy.deepcopy(inside[key]))
    else:
        inside[str(new)[:20]] = inside[key]


def exchange(inside: Any, key: Any, new: Any) -> None:
    """Swap with a neighbour: a card for another, a move for the next."""
    keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
    other = keys[(keys.index(key) + 1) % len(keys)]
    inside[key], inside[other] = inside[other], inside[key]


def insert(inside: Any, key: Any, new: Any) -> None:
    if isinstance(inside, list):
        inside.insert(key, new)
    else:
        inside[str(new)[:20]] = new


CHANGES: list[Callable[[Any, Any, Any], None]] = [replace, remove, repeat, exchange, insert]


@st.composite
def mutated(draw: st.DrawFn) -> Record:
    """A record of the examples, changed in one to four places."""
    record: Record = copy.deepcopy(draw(st.sampled_from(RECORDS)))
    for _ in range(draw(st.integers(1, 4))):
        places = inner_places(record)
        if not places:
            break
        depth = draw(st.integers(1, 4))
        *steps, key = draw(st.sampled_from([place for place in places if len(place) <= depth] or places))
        inside: Any = record
        for step in steps:
            inside = inside[step]
        draw(st.sampled_from(CHANGES))(inside, key, draw(json_values))
    return record


@quick
@given(record=mutated())
def test_mutated_record_gets_one_verdict_and_so_do_its_neighbours(record: Record) -> None:
    lines = [json.dumps(one).encode() for one in (RECORDS[0], record, RECORDS[2])]
    found = verdicts(replay("-", stdin=b"\n".join(lines)))
    assert [found[0], found[2]] == [LINES[0]["expected"], LINES[2]["expected"]]
    assert len(found) == 3
    check(found[1])


@quick
@given(record=mutated(), at=st.integers(0, 60), view=st.sampled_from(["public", "0", "1", "4", "9"]))
def test_mutated_record_gets_one_verdict_with_any_options(record: Record, at: int, view: str) -> None:
    verdict(record, at=at, view=view)
    told = replay("-", as_json=False, at=at, view=view, stdin=json.dumps(record).encode())
    assert told.stdout.count("not sound") == (told.status == 1)
    assert told.stderr == ""


@quick
@given(value=json_values)
def test_any_json_value_gets_one_verdict(value: object) -> None:
    assert not verdict(value)["ok"]


@quick
@given(value=json_values)
def test_any_json_value_as_part_of_a_record_gets_one_verdict(value: object) -> None:
    for field in ("options", "deals", "moves"):
        verdict({**RECORDS[0], field: value})


@quick
@given(text=st.binary(min_size=1, max_size=300).filter(lambda text: text.strip() != b""))
def test_binary_junk_gets_verdicts(text: bytes) -> None:
    result = replay("-", stdin=text)
    for found in verdicts(result):
        check(found)
        assert not found["ok"]
    assert result.status == 1


@quick
@given(st.data())
def test_record_with_bytes_changed_gets_one_verdict(data: st.DataObject) -> None:
    text = bytearray(json.dumps(data.draw(st.sampled_from(RECORDS[:10]))).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        text[data.draw(st.integers(1, len(text) - 1))] = data.draw(
            st.integers(0, 255).filter(lambda b: b not in b"\r\n")
        )
    verdict_on(bytes(text))


@quick
@given(record=st.sampled_from(RECORDS[:6]), cut=st.integers(1, 4000))
def test_record_cut_short_gets_one_verdict(record: Record, cut: int) -> None:
    text = json.dumps(record).encode()[:-cut] or b"{"
    assert not verdict_on(text)["ok"]


@settings(quick, max_examples=40)
@given(record=records())
def test_random_whole_game_is_sound_and_ends_as_the_twin_says(record: Record) -> None:
    twin = replay_twin(record)
    found = verdict(record)
    assert found["ok"]
    assert (found["over"], found["result"], found["state"]) == (True, twin.result(), twin.state())


@quick
@given(record=mutated())
def test_record_found_sound_is_one_that_the_twin_plays_to_the_same_end(record: Record) -> None:
    found = verdict(record)
    if not found["ok"]:
        return
    twin = replay_twin(record)
    assert found["moves"] == len(record["moves"])
    assert (found["to_act"], found["legal"], found["state"]) == (twin.to_act, twin.legal(), twin.state())
