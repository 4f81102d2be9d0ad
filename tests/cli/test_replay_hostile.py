"""Records that are too long, too deep, too big or no text at all get a sentence too."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from cli.replaying import LINES, RECORDS, changed, check, put, replay, verdict, verdict_on, verdicts


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
