"""Many games at once: on this machine's cores or on a cluster, through joblib."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any

import joblib

from overtrick.games.game import short
from overtrick.match.arena import play_game
from overtrick.match.entrant import InvalidMatch
from overtrick.match.setting import Place, Setting

BACKENDS = ("loky", "threading", "sequential", "dask", "ray")

A_ROUND = 8
"""Games a worker in one call, for backends that give their results all at once."""


@dataclass(frozen=True)
class Workers:
    """Where games are played: joblib's backend, how many at once (-1: one a core), a cluster's address or None.

    Without an address, Dask and Ray begin a cluster of their own with as many workers on this machine. Raises
    InvalidMatch.
    """

    backend: str = "loky"
    jobs: int = -1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise InvalidMatch(
                f"There is no backend {short(self.backend)}; the backends are {', '.join(BACKENDS)}."
            )
        if self.jobs < 1 and self.jobs != -1:
            raise InvalidMatch(f"At least one game is played at a time, or -1: one a core; not {self.jobs}.")
        if self.cluster is not None and self.backend not in ("dask", "ray"):
            raise InvalidMatch("A cluster's address goes with the backends dask and ray only.")

    @property
    def count(self) -> int:
        """How many games are played at once on this machine."""
        return joblib.cpu_count() if self.jobs < 1 else self.jobs


def play_all(
    setting: Setting, places: Sequence[Place], workers: Workers, *, with_records: bool
) -> Generator[dict[str, Any], None, None]:
    """Play these games and yield each as it ends, in any order; raise InvalidMatch for workers that cannot be had."""
    with ExitStack() as stack:
        if workers.backend == "dask":
            _begin_dask(workers, stack)
        elif workers.backend == "ray":
            _begin_ray(workers, stack)
        yield from _play_all(setting, places, workers, with_records=with_records)


def _play_all(
    setting: Setting, places: Sequence[Place], workers: Workers, *, with_records: bool
) -> Generator[dict[str, Any], None, None]:
    jobs = -1 if workers.cluster is not None else workers.count
    tasks = (joblib.delayed(play_game)(setting, place, with_record=with_records) for place in places)
    own = {"initializer": _serve, "initargs": (os.getpid(),)} if workers.backend == "loky" else {}
    with joblib.parallel_config(backend=workers.backend, n_jobs=jobs, **own):
        if workers.backend != "ray":
            # As games end, one after the other; from the sequential backend in their order.
            yield from joblib.Parallel(return_as="generator_unordered")(tasks)
            return
        parallel = joblib.Parallel()
        for round_ in _rounds(tasks, A_ROUND * joblib.effective_n_jobs(jobs)):
            yield from parallel(round_)


def _rounds(tasks: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(tasks)
    while some := list(islice(iterator, size)):
        yield some


def _serve(parent: int) -> None:
    """Let a worker leave Ctrl+C to the process that began the match, and end when that is gone, even if killed.

    Begun with the worker and not with its first game, which may never come.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _begin_dask(workers: Workers, stack: ExitStack) -> None:
    try:
        distributed = import_module("distributed")
    except ModuleNotFoundError:
        raise InvalidMatch(
            "The backend dask needs the package dask[distributed]: pip install 'overtrick[cluster]'."
        ) from None
    if workers.cluster is not None:
        try:
            stack.enter_context(distributed.Client(workers.cluster, timeout=10))
        except (OSError, ValueError) as error:
            raise InvalidMatch(
                f"No Dask scheduler answers at {workers.cluster}: {error or type(error).__name__}."
            ) from None
        return
    cluster = distributed.LocalCluster(
        n_workers=workers.count,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
    )
    stack.enter_context(cluster)
    stack.enter_context(distributed.Client(cluster))


def _begin_ray(workers: Workers, stack: ExitStack) -> None:
    try:
        ray, ray_joblib = import_module("ray"), import_module("ray.util.joblib")
    except ModuleNotFoundError:
        raise InvalidMatch("The backend ray needs the package ray: pip install ray.") from None
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if workers.cluster is None:
        ray.init(num_cpus=workers.count, include_dashboard=False, **quiet)
    else:
        try:
            ray.init(address=workers.cluster, **quiet)
        except (OSError, ValueError, RuntimeError) as error:
            fault = str(error).partition("\n")[0] or type(error).__name__
            raise InvalidMatch(f"No Ray cluster answers at {workers.cluster}: {fault}") from None
    stack.callback(ray.shutdown)
    ray_joblib.register_ray()
