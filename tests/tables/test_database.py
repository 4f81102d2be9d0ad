"""Connecting to a database: what SQLite does when several come at once."""

from __future__ import annotations

import sqlite3
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from overtrick.tables import database
from overtrick.tables.database import _write_ahead, address_of, sqlite_engine

AT_ONCE = 4
ROUNDS = 100


def connect(file: Path, together: threading.Barrier | None = None) -> str:
    """Connect to a file, when all do; return how it keeps its journal then."""
    engine = sqlite_engine(address_of(f"sqlite:///{file}"))
    try:
        if together is not None:
            together.wait(60)
        with engine.connect() as connection:
            return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar())
    finally:
        engine.dispose()


@pytest.mark.parametrize(("there", "mode"), [(False, 0o600), (True, 0o640)])
def test_a_new_file_is_for_this_user_alone_and_one_that_is_there_stays_as_it_is(
    tmp_path: Path, there: bool, mode: int
) -> None:
    file = tmp_path / "new.sqlite3"
    if there:
        file.touch()
        file.chmod(mode)
    engine = sqlite_engine(address_of(f"sqlite:///{file}"))
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")
        connection.commit()
        modes = {found.name: stat.S_IMODE(found.stat().st_mode) for found in tmp_path.iterdir()}
    engine.dispose()
    assert modes == {f"new.sqlite3{end}": mode for end in ("", "-wal", "-shm")}


def test_a_new_file_to_which_several_connect_at_once_lets_all_of_them_in(tmp_path: Path) -> None:
    """SQLite turned one of four away at twelve files of a hundred, and did not wait as it was told to."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for number in range(ROUNDS):
            together = threading.Barrier(AT_ONCE)
            modes = threads.map(
                lambda file, met=together: connect(file, met), [tmp_path / f"{number}"] * AT_ONCE
            )
            assert list(modes) == ["wal"] * AT_ONCE


class Busy:
    """A cursor of a file that somebody else is switching for as long as it is asked so many times."""

    def __init__(self, times: int, errorcode: int) -> None:
        self.left = times
        self.errorcode = errorcode

    def execute(self, _statement: str) -> None:
        """Turn away whoever comes, without waiting."""
        if self.left:
            self.left -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = self.errorcode
            raise error


@pytest.mark.parametrize("errorcode", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY])
def test_who_is_turned_away_comes_again(errorcode: int) -> None:
    busy = Busy(2, errorcode)
    _write_ahead(busy)
    assert busy.left == 0


def test_what_waiting_does_not_help_is_told_at_once() -> None:
    broken = Busy(2, sqlite3.SQLITE_IOERR)
    with pytest.raises(sqlite3.OperationalError):
        _write_ahead(broken)
    assert broken.left == 1


def test_a_new_file_that_somebody_keeps_to_themselves_is_given_up_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 1)
    with closing(sqlite3.connect(tmp_path / "kept", isolation_level=None)) as somebody:
        somebody.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(OperationalError, match="locked"):
            connect(tmp_path / "kept")
        assert time.monotonic() - began < 10 * database.BUSY_SECONDS
    assert connect(tmp_path / "kept") == "wal"
