"""`overtrick replay`: records from files, one verdict each (RECORD.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from overtrick.cli.account import account
from overtrick.cli.reading import MOST_BYTES, judge_files
from overtrick.errors import N_, InvalidRecord, OvertrickError
from overtrick.games import Record, Replay


@dataclass(frozen=True)
class Options:
    """What was asked for: JSON or text, how many moves (None: all), whose view to add ((): none)."""

    as_json: bool
    at: int | None
    seats: tuple[int | None, ...]


def parse_seat(text: str) -> int | None:
    """Return the seat that `--view` names, None for the public; raise ValueError for anything else."""
    if text == "public":
        return None
    if text.isascii() and text.isdigit() and len(text) == 1:
        return int(text)
    raise ValueError(f"a seat such as 0, or public, was expected, not {text!r}")


def replay_files(names: Iterable[str], options: Options) -> int:
    """Replay every record of the files to standard output; return the exit status."""
    return judge_files(names, lambda label, text: _replay(label, text, options))


def _replay(label: str, text: bytes, options: Options) -> bool:
    """Print the verdict on one record; return whether it is sound."""
    verdict, record = verdict_on(text, options)
    if options.as_json:
        print(json.dumps(verdict))
    else:
        print(account(label, record, verdict))
    return bool(verdict["ok"])


def verdict_on(text: bytes, options: Options) -> tuple[dict[str, Any], Record | None]:
    """Return what `--json` says of one record, and the record if its header is sound."""
    record: Record | None = None
    try:
        if len(text) > MOST_BYTES:
            raise InvalidRecord(
                N_("A record has at most %(most)d bytes; this one is longer."), most=MOST_BYTES
            )
        record = Record.loads(text)
        return _verdict(record.replay(options.at), options), record
    except OvertrickError as error:
        return {"ok": False, "move": None, "error": str(error)}, record


def _verdict(result: Replay, options: Options) -> dict[str, Any]:
    if result.error is not None:
        return {"ok": False, "move": result.played, "error": str(result.error)}
    position = result.position
    outcome = position.outcome()
    verdict: dict[str, Any] = {
        "ok": True,
        "moves": result.played,
        "over": position.over,
        "to_act": position.to_act,
        "legal": position.legal_moves(),
        "state": position.state(),
        "result": outcome.to_json() if outcome else None,
    }
    for seat in options.seats:
        if seat is not None and seat >= position.game.seats:
            raise InvalidRecord(
                N_("This game has no seat %(seat)d to view; its seats are 0 to %(last)d."),
                seat=seat,
                last=position.game.seats - 1,
            )
        verdict["view"] = position.view(seat).to_json()
    return verdict
