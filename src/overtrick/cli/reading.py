"""Records from files, one text after the other, for the commands that judge each of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

MOST_BYTES = 4 * 1024 * 1024
"""The longest record that is read; a long game takes under 8 KB."""

OK, FAULTY, USAGE = 0, 1, 2


def judge_files(names: Iterable[str], judge: Callable[[str, bytes], bool]) -> int:
    """Hand every record of the files, with its label, to `judge`, which says whether it is sound.

    Returns the exit status: OK, FAULTY if a record is not sound, USAGE if a file cannot be read.
    """
    status = OK
    for name in names:
        try:
            for label, text in _records(name):
                status = max(status, OK if judge(label, text) else FAULTY)
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
