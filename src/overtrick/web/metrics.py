"""What the server counts for whoever runs it, as Prometheus reads it at /metrics.

A label is a route's template, a method, a status or one of a few fixed words: never an address, a table or a person.
Of several workers each counts in files of its own, and whichever is asked adds them up.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import prometheus_client
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    values,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from overtrick.web.limits import KINDS
from overtrick.web.logs import method_of, route_of
from overtrick.web.settings import Settings
from overtrick.web.workers import SHARED_FOLDER

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection
    from litestar.types import Scope

CONTENT_TYPE = "text/plain; version=0.0.4"
"""Of Prometheus' text format; the encoding is added to every text."""

_REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_METHODS = frozenset({"GET", "POST", "OPTIONS", "LIVE"})

# When each series began would be as many lines again, and nobody asks for it.
prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class _Kind:
    """Where the requests of one route, method and status are counted; `seconds`: None for streams."""

    number: Counter
    seconds: Histogram | None


class Metrics:
    """The figures of one server; `slot`: which of several workers this is."""

    def __init__(self, settings: Settings, slot: int = 0) -> None:
        self.registry = self._read = CollectorRegistry()
        if settings.workers > 1 and SHARED_FOLDER in os.environ:
            _count_in_files(slot)
            self._read = CollectorRegistry()
            MultiProcessCollector(self._read)  # type: ignore[no-untyped-call]
            self._read.register(_Workers(Path(os.environ[SHARED_FOLDER]), slot))
        else:
            ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "overtrick_requests", "Requests answered; status 0: the client had gone.",
            ("route", "method", "status"), registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "overtrick_request_seconds", "Seconds to answer a request, streams left out.",
            ("route", "method"), registry=self.registry, buckets=_REQUEST_SECONDS,
        )  # fmt: skip
        streams = Gauge(
            "overtrick_streams", "Streams open now.",
            ("kind",), registry=self.registry, multiprocess_mode="livesum",
        )  # fmt: skip
        self.lines, self.event_streams = streams.labels("page"), streams.labels("events")
        self._kinds: dict[tuple[str, str, int], _Kind] = {}

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request that has been served."""
        key = (route_of(scope), method_of(scope), status)
        kind = self._kinds.get(key) or self._new_kind(*key)
        kind.number.inc()
        if kind.seconds is not None:
            kind.seconds.observe(seconds)

    def text(self) -> bytes:
        """Return all figures in Prometheus' text format."""
        return generate_latest(self._read)

    def _new_kind(self, route: str, method: str, status: int) -> _Kind:
        """Return where such requests are counted; a method that clients have made up is kept as no key of ours."""
        known = method if method in _METHODS else "other"
        is_stream = KINDS.get(route.rpartition("/")[2]) == "stream"
        kind = _Kind(
            self._requests.labels(route, known, str(status)),
            None if is_stream else self._seconds.labels(route, known),
        )
        if known == method:
            self._kinds[route, method, status] = kind
        return kind


class _Workers(Collector):
    """The process figures of every worker, each under its number, whichever worker is asked."""

    def __init__(self, folder: Path, slot: int) -> None:
        self._folder = folder
        draft = folder / f"{slot}.draft"
        draft.write_text(str(os.getpid()), encoding="ascii")
        draft.replace(folder / f"{slot}.pid")  # in one step, so that nobody reads half of it

    def collect(self) -> Iterator[Metric]:
        """Read them from the system; a worker that has just died has none until it is started anew."""
        found: dict[str, Metric] = {}
        for file in sorted(self._folder.glob("*.pid")):
            pid = partial(file.read_text, encoding="ascii")
            for figure in ProcessCollector(pid=pid, registry=None).collect():
                family = found.setdefault(figure.name, Metric(figure.name, figure.documentation, figure.type))
                for sample in figure.samples:
                    family.add_sample(sample.name, {"worker": file.stem}, sample.value)
        yield from found.values()


def _count_in_files(slot: int) -> None:
    """Let what is counted from now on go to the files of this worker, and go on from what its predecessor left.

    The files have the worker's number rather than its process's, so that they do not become more with each restart.
    """
    mark_process_dead(slot)  # type: ignore[no-untyped-call]  # what was open there is not open any more
    values.ValueClass = values.MultiProcessValue(lambda: slot)  # type: ignore[no-untyped-call]


def may_read(request: ASGIConnection[Any, Any, Any, Any], token: str) -> bool:
    """Whether a request may see the figures: it brings the token, and there is one.

    Where a request comes from says nothing: behind a proxy of this machine everybody's does.
    """
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    return (
        bool(token)
        and scheme.lower() == "bearer"
        and hmac.compare_digest(sent.strip().encode(), token.encode())
    )
