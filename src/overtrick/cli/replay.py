"""`overtrick replay`: records from files, one verdict each (RECORD.md)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from overtrick.cli.account import account
from overtrick.errors import N_, InvalidRecord, OvertrickError
from overtrick.games import Record, Replay

MOST_BYTES = 4 * 1024 * 1024
"""The longest record that is read; a long game takes under 4 KB."""

OK, FAULTY, USAGE = 0, 1, 2


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
    status = OK
    for name in names:
        try:
            for label, text in _records(name):
                status = max(status, _replay(label, text, options))
        except BrokenPipeError:
            raise  # of our own output, not of the file
        except OSError as error:
            print(f"overtrick: {name} cannot be read: {error.strerror}", file=sys.stderr)
            status = USAGE
    return status


def _records(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield (label, text) of every record of a file, or of standard input for `-`."""
    if name == "-":
        yield from _lines_or_one(name, sys.stdin.buffer)
        return
    with Path(name).open("rb") as file:
        if name.endswith(".jsonl"):
            yield from _lines(name, file)
        else:
            yield name, _whole(file, b"")


def _lines_or_one(name: str, file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Standard input has no ending to its name: it is one record only when an object is broken into lines."""
    first = b""
    while not first.strip() and (line := file.readline(MOST_BYTES + 1)):
        first = line
    second = file.readline(MOST_BYTES + 1) if first.endswith(b"\n") else b""
    begins, goes_on = first.strip(), second.strip()
    if begins.startswith(b"{") and not begins.endswith(b"}") and goes_on and not goes_on.startswith(b"{"):
        yield name, _whole(file, first + second)
    else:
        yield from _lines(name, file, first, second)


def _whole(file: IO[bytes], begun: bytes) -> bytes:
    return begun + file.read(max(0, MOST_BYTES + 1 - len(begun)))


def _lines(name: str, file: IO[bytes], *begun: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield every line that is not blank; `begun` are lines already read from the file."""
    begun_lines = iter(begun)

    def read() -> bytes:
        return next(begun_lines, b"") or file.readline(MOST_BYTES + 1)

    line, number = read(), 1
    while line:
        text = line
        while line and not line.endswith(b"\n"):  # the rest of a line that is too long
            line = file.readline(MOST_BYTES)
        if text.strip():
            yield f"{name}:{number}", text
        line, number = read(), number + 1


def _replay(label: str, text: bytes, options: Options) -> int:
    """Print the verdict on one record; return OK or FAULTY."""
    verdict, record = verdict_on(text, options)
    if options.as_json:
        print(json.dumps(verdict))
    else:
        print(account(label, record, verdict))
    return OK if verdict["ok"] else FAULTY


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
