"""Processes that write to one SQLite file, one after the other."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from overtrick.tables import turns
from overtrick.tables.turns import Turns

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SQLite's own lock has to do there")

HOLDING = """
import sys, time
from overtrick.tables.turns import Turns
with Turns(sys.argv[1]):
    print("mine", flush=True)
    sys.stdin.readline()
"""


def holding(database: Path) -> subprocess.Popen[str]:
    """Another process that has the turn until it reads a line."""
    command = [sys.executable, "-c", HOLDING, str(database)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "mine\n"
    return process


def test_who_waits_has_a_turn_as_soon_as_the_other_lets_it_go(tmp_path: Path) -> None:
    ours, had = Turns(str(tmp_path / "db")), threading.Event()

    def write() -> None:
        with ours:
            had.set()

    with holding(tmp_path / "db") as other:
        writing = threading.Thread(target=write)
        writing.start()
        assert not had.wait(0.3)
        other.communicate("done\n", timeout=60)
        writing.join(60)
    assert had.is_set()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_file_of_the_turn_belongs_to_whom_the_database_belongs_though_root_made_it(
    tmp_path: Path,
) -> None:
    database = tmp_path / "db"
    with Turns(str(database)):  # before there is one
        pass
    database.touch()
    os.chown(database, 65534, 65533)
    with Turns(str(database)):
        pass
    turn = (tmp_path / "db-turn").stat()
    assert (turn.st_uid, turn.st_gid, turn.st_mode & 0o777) == (65534, 65533, 0o600)


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_file_of_somebody_elses_is_given_to_nobody(
    tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    """As whoever has the folder may have put a link to it there, for root to come by."""
    theirs = tmp_path / "theirs"
    theirs.touch(mode=0o600)
    (tmp_path / "db").touch()
    if os.geteuid() == 0:
        os.chown(tmp_path / "db", 65534, 65533)
    link(theirs, tmp_path / "db-turn")
    with Turns(str(tmp_path / "db")):
        pass
    assert (theirs.stat().st_uid, theirs.stat().st_gid) == (os.geteuid(), os.getegid())


def test_who_has_it_and_is_killed_keeps_nobody_waiting(tmp_path: Path) -> None:
    with holding(tmp_path / "db") as other:
        other.kill()
        other.wait(60)
        with Turns(str(tmp_path / "db")):
            pass


def test_who_is_stuck_with_it_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "BUSY_SECONDS", 0.2)
    ours = Turns(str(tmp_path / "db"))
    with holding(tmp_path / "db") as other:
        began = time.monotonic()
        with pytest.raises(TimeoutError), ours:
            raise AssertionError("it has no turn")
        assert time.monotonic() - began < 60
        other.communicate("done\n", timeout=60)
    with ours:  # what it waited for in vain does not stay with it
        pass
    with Turns(str(tmp_path / "db")):
        pass


def test_where_files_have_no_locks_nobody_waits_and_nothing_is_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", none)
    before = open_files()
    for _ in range(20):
        with Turns(str(tmp_path / "db")):
            pass
    assert open_files() == before


def test_a_process_ends_though_it_waits_for_another_that_is_stuck(tmp_path: Path) -> None:
    with holding(tmp_path / "db") as other:
        waiting = "from overtrick.tables import turns; turns.BUSY_SECONDS = 0.2\n" + HOLDING
        command = [sys.executable, "-c", waiting, str(tmp_path / "db")]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert "another process has been writing" in ended.stderr
        other.communicate("done\n", timeout=60)


def test_where_there_can_be_no_file_nobody_waits() -> None:
    with Turns("/no/such/folder/db"), Turns("/no/such/folder/db"):
        pass


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_turn_leaves_no_file_open(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("the system does not say what is open")
    ours, before = Turns(str(tmp_path / "db")), open_files()
    for _ in range(50):
        with ours:
            pass
    assert open_files() == before
