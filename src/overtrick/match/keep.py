"""Finished games that outlast the run: a folder to go on from, and a file of records, both safe against being killed.

The folder holds `match.json` (the setting) and `games.jsonl` (a finished game a line, written through to the disk
before the next). The records of a game are written before its line, which says how long the file of records is by
then; so going on cuts off a record whose game is not counted, and plays that game again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from overtrick.match.entrant import InvalidMatch
from overtrick.match.setting import Place, Setting

if sys.platform != "win32":
    import fcntl

SETTING, GAMES = "match.json", "games.jsonl"

_FIELDS = {"game", "rotation", "result", "thought", "records"}


class Keep:
    """The finished games of a match; with neither folder nor records it keeps them for this run only."""

    def __init__(self, games: IO[bytes] | None, records: IO[bytes] | None) -> None:
        self.finished: dict[Place, dict[str, Any]] = {}
        self._games = games
        self._records = records

    def add(self, ended: dict[str, Any]) -> None:
        """Keep a finished game, for good: when this returns it is on the disk."""
        record = ended.pop("record", None)
        if self._records is not None:
            _append(self._records, record)
        self.finished[ended["game"], ended["rotation"]] = ended
        if self._games is not None:
            records = 0 if self._records is None else self._records.tell()
            _append(self._games, ended | {"records": records})

    @classmethod
    @contextmanager
    def open(cls, setting: Setting, folder: Path | None, records: Path | None) -> Iterator[Keep]:
        """Give the keep of a match, with the games that an earlier run finished; raise InvalidMatch or OSError."""
        if folder is None:
            with _file_of_records(records, None) as file:
                yield cls(None, file)
            return
        if folder.exists() and not folder.is_dir():
            raise InvalidMatch(f"{folder} is no folder.")
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / GAMES).open("a+b") as games:
            _lock(games, folder)
            begun = _is_begun(folder, setting.to_json() | _kept_in(records))
            finished = _read(games, folder)
            length = finished[-1]["records"] if finished else 0
            with _file_of_records(records, length if begun else None) as file:
                _begin(folder, setting.to_json() | _kept_in(records))
                keep = cls(games, file)
                keep.finished = {(ended["game"], ended["rotation"]): ended for ended in finished}
                yield keep


def _kept_in(records: Path | None) -> dict[str, Any]:
    return {"records": None if records is None else str(records.absolute())}


@contextmanager
def _file_of_records(records: Path | None, length: int | None) -> Iterator[IO[bytes] | None]:
    """Open the file of records as it was after the last game that counts; None: it must be new, or empty."""
    if records is None:
        yield None
        return
    with records.open("ab") as file:
        size = file.seek(0, os.SEEK_END)
        if length is None and size:
            raise InvalidMatch(f"{records} is not empty; the records of a match go into a file of their own.")
        if length is not None and size < length:
            raise InvalidMatch(f"{records} is shorter than the records that this match has written to it.")
        file.truncate(length or 0)
        yield file


def _lock(file: IO[bytes], folder: Path) -> None:
    """Hold the folder for this process alone, for as long as it lives."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidMatch(f"Another match is writing to the folder {folder}.") from None


def _is_begun(folder: Path, asked: Mapping[str, Any]) -> bool:
    """Return whether the folder holds a match; raise InvalidMatch if it is another one than was asked for."""
    path = folder / SETTING
    try:
        kept = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if (folder / GAMES).stat().st_size:
            raise InvalidMatch(f"The folder {folder} holds games, but {SETTING} is missing.") from None
        return False
    except ValueError:
        raise InvalidMatch(f"{path} is not the setting of a match.") from None
    if not isinstance(kept, dict):
        raise InvalidMatch(f"{path} is not the setting of a match.")
    if kept.get("records") != asked["records"]:
        raise InvalidMatch(
            f"The match in the folder {folder} writes its records to {kept.get('records') or 'no file'}: "
            "go on with the same --records."
        )
    for key, value in asked.items():
        if kept.get(key) != value:
            raise InvalidMatch(
                f"The folder {folder} holds another match: "
                f"its {key} is {json.dumps(kept.get(key))}, not {json.dumps(value)}."
            )
    return True


def _begin(folder: Path, setting: Mapping[str, Any]) -> None:
    """Write what the match is, whole or not at all."""
    part = folder / (SETTING + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(json.dumps(setting, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(folder / SETTING)


def _read(file: IO[bytes], folder: Path) -> list[dict[str, Any]]:
    """Return the games kept so far, and cut off a last line that was not finished."""
    file.seek(0)
    whole, end, _ = file.read().rpartition(b"\n")
    file.truncate(len(whole + end))
    try:
        games = [json.loads(line) for line in whole.splitlines()]
        if any(not game.keys() >= _FIELDS for game in games):
            raise ValueError
        return games
    except (ValueError, AttributeError):
        raise InvalidMatch(f"{folder / GAMES} holds a line that is not a game of a match.") from None


def _append(file: IO[bytes], value: object) -> None:
    file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
