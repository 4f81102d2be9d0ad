"""Duet boards as data: each is a TOML file, in this folder or in one of the owner's.

A board needs no code. `docs/rules.md` shows how to add one; `add_folder` reads a folder of them, and every fault is
a sentence that names the file, the field and what was expected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from overtrick._cached import cached_property
from overtrick._jit import records
from overtrick.errors import N_, InvalidRecord
from overtrick.rules import path as rules


@dataclass(frozen=True)
class Board:
    """A path for Duet (D-3, D-4): gems by space, the start space, "+" marks, forest tokens in the supply."""

    name: str
    title: str
    gems: tuple[int, ...]
    start: int
    plus: tuple[int, ...]
    tokens: int
    reconstructed: bool
    default_for_level: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any], source: str) -> Board:
        """Return the board of its fields; raise InvalidBoard naming `source`, the field and what was expected."""
        _check_fields(data, source)
        _check_numbers(data, source)
        return cls(
            data["name"], data["title"], tuple(data["gems"]), data["start"], tuple(data["plus"]), data["tokens"],
            data["reconstructed"], data.get("default_for_level"),
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Return all that a game on this board depends on; `of` reads it back."""
        return {key: kind(getattr(self, key)) for key, kind in _REQUIRED.items()}

    @property
    def spaces(self) -> int:
        """The number of spaces; they are counted from 0 at seat 0's end."""
        return len(self.gems)

    @cached_property
    def records(self) -> Any:
        """The board as the kernels take it, in an array of one."""
        made = records(rules.BOARD)
        made["spaces"] = self.spaces
        made["start"] = self.start
        made["tokens"] = self.tokens
        made["plus"] = sum(1 << space for space in self.plus)
        made["gems"][0, : self.spaces] = self.gems
        return made


class InvalidBoard(InvalidRecord):
    """A board file that is not well formed; the message names the file and what was expected."""


_REQUIRED = {
    "name": str,
    "title": str,
    "gems": list,
    "start": int,
    "plus": list,
    "tokens": int,
    "reconstructed": bool,
}
_KNOWN = {*_REQUIRED, "default_for_level"}


def parse_board(text: str, source: str) -> Board:
    """Return the board of a TOML text; raise InvalidBoard naming `source`, the field and what was expected."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidBoard(
            N_("Board %(file)s is not TOML: %(fault)s."), file=source, fault=str(error)
        ) from None
    return Board.of(data, source)


def _check_fields(data: Mapping[str, Any], source: str) -> None:
    """Hold the fields to those that boards have."""
    for key in data:
        if key not in _KNOWN:
            raise InvalidBoard(
                N_("Board %(file)s has a field %(field)s that boards do not have."), file=source, field=key
            )
    for key, kind in _REQUIRED.items():
        if type(data.get(key)) is not kind:
            raise InvalidBoard(
                N_("Board %(file)s: %(field)s is missing or not of the kind %(kind)s."),
                file=source, field=key, kind=kind.__name__,
            )  # fmt: skip


def _check_numbers(data: Mapping[str, Any], source: str) -> None:
    """Hold the numbers to what the rules and the engine can play with (D-3 to D-5, D-11)."""
    gems, plus, start, tokens = data["gems"], data["plus"], data["start"], data["tokens"]
    last = len(gems) - 1
    checks = [
        (5 <= len(gems) <= rules.MAX_SPACES, N_("gems lists one number for each of 5 to 15 spaces")),
        (_ints(gems, 0, rules.GEM_TOKENS), N_("gems are whole numbers from 0")),
        (
            _ints(gems, 0, rules.GEM_TOKENS) and 1 <= sum(gems) <= rules.GEM_TOKENS,
            N_("all gems together are 1 to 22 (D-5)"),
        ),
        (0 <= tokens <= 4, N_("tokens is 0 to 4 (D-5)")),
        (
            tokens < start < last - tokens,
            N_("start is further from both ends than there are tokens to cover spaces"),
        ),
        (
            _ints(plus, 0, last) and len(set(plus)) == len(plus),
            N_("plus lists spaces of the path, each once"),
        ),
        (data.get("default_for_level") in (None, 1, 2, 3), N_("default_for_level is 1, 2 or 3")),
    ]
    for holds, expected in checks:
        if not holds:
            raise InvalidBoard(
                N_("Board %(file)s: expected that %(expected)s."), file=source, expected=expected
            )


def _ints(values: list[object], low: int, high: int) -> bool:
    return all(type(v) is int and low <= v <= high for v in values)


BOARDS: dict[str, Board] = {}
"""Every known board, by name."""


def add_board(board: Board, source: str) -> None:
    """Make a board known by its name; raise InvalidBoard if another one has the name."""
    if board.name in BOARDS and BOARDS[board.name] != board:
        raise InvalidBoard(N_("Board %(file)s: the name %(name)s is taken."), file=source, name=board.name)
    BOARDS[board.name] = board


def add_folder(folder: Path | Traversable) -> list[Board]:
    """Make every board of a folder (`*.toml`) known and return them; raise InvalidBoard or OSError."""
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    boards = []
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise InvalidBoard(
                N_("Board %(file)s is not TOML: %(fault)s."), file=file.name, fault=error.reason
            ) from None
        board = parse_board(text, file.name)
        add_board(board, file.name)
        boards.append(board)
    return boards


def default_board(level: int) -> Board:
    """Return the board of a record that names none (D-25): the built-in one, so that records keep their meaning."""
    return next(board for board in BOARDS.values() if board.default_for_level == level)


def newest_board(level: int) -> Board:
    """Return the board of a new table for which none is named: the one added last for the level."""
    return next(board for board in reversed(BOARDS.values()) if board.default_for_level == level)


add_folder(resources.files(__name__))
