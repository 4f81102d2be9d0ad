"""Thinking in processes: the same choices, whatever a bot does a legal move, and no process left behind."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from pathlib import Path
from typing import IO

import pytest

from bots import bad_bots
from cli.processes import next_line
from games.worlds import moments
from overtrick.bots import Budget, make_bot, worker
from overtrick.bots.pool import PLAYED_FOR, Pool
from overtrick.bots.worker import COMPILED, LOCK, NICENESS, ready
from overtrick.games import View, load
from strategies import VARIANTS, random_record

OWNER = Path(__file__).with_name("pool_owner.py")
PATIENCE = 30.0
SLACK = 2.0
"""Seconds beyond a limit that a busy machine may take."""
COMPILING = 300.0
GOOD = (bad_bots.Says, bad_bots.SaysMuch, bad_bots.TakesItsTime)
BAD = [kind for kind in bad_bots.Bad.__subclasses__() if kind not in GOOD]
LARGEST_QUESTION = 1500


def a_view(game: str = "duet") -> View:
    position = load(game).start()
    position = position.deal(position.game.random_deal(random.Random(4)))
    return position.view(position.to_act)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    bots = {kind.__name__: f"bots.bad_bots:{kind.__name__}" for kind in bad_bots.Bad.__subclasses__()}
    made = Pool(1, bots=bots, limit=0.5, memory=1 << 30)
    yield made
    made.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_view_arrives_as_it_was_and_is_small(variant: str) -> None:
    for moment in moments(random_record(variant, 3, care=0.95)):
        position = moment.position()
        for seat in (None, *range(position.game.seats)):
            view = position.view(seat)
            view.to_json()
            sent = pickle.dumps(view)
            got = pickle.loads(sent)
            assert len(sent) < LARGEST_QUESTION
            assert got == view
            assert (got.to_json(), got.legal) == (view.to_json(), view.legal)
            assert not got.observation.flags.writeable


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_a_bot_chooses_there_what_it_chooses_here(pool: Pool, game: str) -> None:
    view = a_view(game)
    for seed in range(3):
        thought = pool.choose("rules_of_thumb", view, seed).result(PATIENCE)
        assert thought.choice == make_bot("rules_of_thumb").choose(view, seed=seed, budget=Budget())
        assert thought.fault == ""


def test_a_reason_arrives_whole(pool: Pool) -> None:
    assert pool.choose("SaysMuch", a_view(), 1).result(PATIENCE).choice.why == bad_bots.MUCH


@pytest.mark.parametrize("bad", BAD)
def test_whatever_a_bot_does_a_legal_move_is_made_and_the_fault_is_told(
    pool: Pool, bad: type[bad_bots.Bad]
) -> None:
    view = a_view()
    thought = pool.choose(bad.__name__, view, 1).result(PATIENCE)
    assert thought.choice.move in view.legal
    assert thought.choice.why == PLAYED_FOR
    assert thought.fault
    after = pool.choose("Says", view, 1).result(PATIENCE)
    assert after.fault == ""


def test_memory_is_bounded() -> None:
    pool = Pool(1, bots=bad_bots.pool_entries(bad_bots.EatsMemory, "eats"), memory=1 << 30)
    assert "MemoryError" in pool.choose("eats", a_view(), 1).result(PATIENCE).fault
    pool.close()


def test_bots_think_elsewhere_and_stand_back(pool: Pool) -> None:
    pid, nice = str(pool.choose("Says", a_view(), 1).result(PATIENCE).choice.why).split()
    assert int(pid) in pool.pids
    assert int(pid) != os.getpid()
    assert int(nice) == min(os.nice(0) + NICENESS, 19)


def test_time_waited_for_a_process_does_not_count(pool: Pool) -> None:
    thoughts = [pool.choose("TakesItsTime", a_view(), seed) for seed in range(4)]
    assert [thought.result(PATIENCE).fault for thought in thoughts] == ["", "", "", ""]


def test_a_process_that_cannot_be_had_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(1)

    def none_left(*_: object) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(pool._quick.processes[0], "_start", none_left)
    thought = pool.choose("uniform", a_view(), 1).result(PATIENCE)
    pool.close()
    assert thought.choice.move in a_view().legal
    assert "no more processes" in thought.fault


def test_closing_ends_the_processes_and_the_thoughts_at_once() -> None:
    pool = Pool(2, bots=bad_bots.pool_entries(bad_bots.SpinsForEver, "spins"), limit=1000)
    pool.begin("spins")
    thoughts = [pool.choose("spins", a_view(), 1) for _ in range(5)]
    await_that(lambda: len(pool.pids) == 2)
    pids, began = pool.pids, time.monotonic()
    pool.close()
    assert time.monotonic() - began < 2
    assert not any(is_alive(pid) for pid in pids)
    for thought in thoughts:
        with pytest.raises(CancelledError):
            thought.result(PATIENCE)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_its_server(how: signal.Signals) -> None:
    path = os.pathsep.join([str(OWNER.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command, environment = [sys.executable, str(OWNER)], {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as owner:
        try:
            pids = [int(pid) for pid in next_line(owner).split()]
            assert len(pids) == 2
            assert all(is_alive(pid) for pid in pids)
            owner.send_signal(how)
            owner.wait(PATIENCE)
        finally:
            owner.kill()
    await_that(lambda: not any(is_alive(pid) for pid in pids))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def await_that(holds: object) -> None:
    assert callable(holds)
    patient_until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < patient_until
        time.sleep(0.01)


def test_a_process_that_freezes_between_two_thoughts_is_ended_within_the_limit(pool: Pool) -> None:
    frozen = int(str(pool.choose("Says", a_view(), 1).result(PATIENCE).choice.why).split()[0])
    os.kill(frozen, signal.SIGSTOP)
    asked = time.monotonic()
    thought = pool.choose("Says", a_view(), 1).result(PATIENCE)
    assert time.monotonic() - asked < 0.5 + SLACK
    assert thought.choice.move in a_view().legal
    assert "was ended" in thought.fault
    assert not is_alive(frozen)
    assert pool.choose("Says", a_view(), 1).result(PATIENCE).fault == ""


def test_a_process_that_was_killed_between_two_thoughts_is_replaced(pool: Pool) -> None:
    pid, _ = str(pool.choose("Says", a_view(), 1).result(PATIENCE).choice.why).split()
    os.kill(int(pid), signal.SIGKILL)
    assert pool.choose("Says", a_view(), 1).result(PATIENCE).fault == ""


def test_bots_that_do_not_search_wait_for_none_that_do() -> None:
    pool = Pool(1, bots=bad_bots.pool_entries(bad_bots.SpinsForEver, "spins"), limit=1000)
    spins = pool.choose("spins", a_view(), 1)
    assert pool.choose("easy", a_view(), 1).result(PATIENCE).fault == ""
    assert not spins.done()
    pool.close()


def test_a_bot_that_searches_is_being_prepared_until_a_process_has_been_ready() -> None:
    pool = Pool(1)
    assert pool.is_preparing("strong")
    assert not pool.is_preparing("easy")
    pool.begin_all()
    assert pool.choose("medium", a_view(), 1).result(COMPILING).fault == ""
    assert not pool.is_preparing("strong")
    pool.close()


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[IO[str]]:
    """A folder that some other process has locked, to compile."""
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(worker, "CACHE_FOLDER", tmp_path)
    with (tmp_path / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock


def test_one_process_compiles_at_a_time_and_says_when_all_is_there(locked: IO[str], tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(ready, "medium", {})
        assert not wait([waiting], timeout=0.5).done
        assert not (tmp_path / COMPILED).exists()
        locked.close()
        assert waiting.result(COMPILING) is not None
    assert (tmp_path / COMPILED).exists()


@pytest.mark.usefixtures("locked")
def test_where_all_is_compiled_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / COMPILED).touch()
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(ready, "medium", {})
        assert wait([waiting], timeout=COMPILING).done


def test_a_process_that_is_ready_compiles_nothing_more(tmp_path: Path) -> None:
    """From nothing; bare, `script/test` asks this by itself, and leaves what was compiled to all other tests."""
    environment = {**os.environ, "OVERTRICK_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, str(OWNER.with_name("warmed.py"))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
