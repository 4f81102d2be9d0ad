"""What the tables of a process have done, in numbers for whoever runs it.

No number is about one table or one person, and none of them is of how long a bot thought: that can tell its cards.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_WRITE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Figures:
    """Counts of what has happened since the start; `registry`: where they are read, by default nowhere."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self.moves = Counter(
            "overtrick_moves", "Moves that are in the log, people's and bots'.", registry=registry
        )
        self.bot_moves = Counter("overtrick_bot_moves", "Moves chosen for bots.", registry=registry)
        self.bot_faults = Counter(
            "overtrick_bot_faults", "Bots' moves that had to be made for them.", registry=registry
        )
        self.lost_races = Counter(
            "overtrick_lost_races",
            "Changes that somebody else was faster with; tried again.",
            registry=registry,
        )
        self.kept = Gauge(
            "overtrick_tables_in_memory", "Tables kept in memory.",
            registry=registry, multiprocess_mode="livesum",
        )  # fmt: skip
        self.saving = Histogram(
            "overtrick_database_write_seconds",
            "Seconds to write one group of changes, which share a transaction.",
            registry=registry, buckets=_WRITE_SECONDS,
        )  # fmt: skip
        outages = Counter(
            "overtrick_database_outages",
            "Times that the database began to fail.",
            ("what",),
            registry=registry,
        )
        failing = Gauge(
            "overtrick_database_failing", "1 while the database fails.",
            ("what",), registry=registry, multiprocess_mode="livemax",
        )  # fmt: skip
        self.reading_fails = Trouble(outages.labels("read"), failing.labels("read"))
        self.saving_fails = Trouble(outages.labels("write"), failing.labels("write"))


class Trouble:
    """Something that fails for a time: how often it has begun to, and whether it does now."""

    def __init__(self, times: Counter, now: Gauge) -> None:
        self._times = times
        self._now = now

    def begin(self) -> None:
        """It fails."""
        self._times.inc()
        self._now.set(1)

    def end(self) -> None:
        """It works again."""
        self._now.set(0)
