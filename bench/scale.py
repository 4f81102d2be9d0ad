"""What many live tables need, and how the partitioned design behaves: a simulation, no servers.

    .venv/bin/python bench/scale.py

Tables are spread over partitions by a hash of their ids; a partition is one server process with one core and its own
part of the database. A move there waits for the core, is decided, waits for the next shared transaction, and is told
to every viewer, on the same core. People move at random times. The times of each step are those measured by `overtrick
bench tables` (below); all chance comes from a seed, so the page docs/scale.md, which quotes the output, can be checked.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CPU_MOVE = 0.0021
"""Seconds of a core that a move takes without its viewers: the request, the rules, its share of a transaction."""
CPU_VIEWER = 0.00003
"""Seconds of a core that telling one viewer takes."""
DISK = 0.004
"""Seconds from a transaction's beginning to its being on the disk, however many moves it holds; the core is free."""
VIEWER_BYTES, TABLE_BYTES, PROCESS_BYTES = 25_000, 15_000, 130_000_000
"""Memory of a viewer, of a table that is watched, and of a process to start with."""
LOOK_BYTES = 2_700
"""A look at a table of Luz on the wire, by event stream."""
ROW_BYTES = 170
"""A move in the log: its event, and its place in the index."""
VIEWERS = 4
THINKS = 8.0
"""Seconds from one move of a table to its next."""
FULL = 0.6
"""The share of a core that a partition is meant to use, so that a neighbour's tables fit in as well for a while."""
SECONDS = 30.0
SAMPLE = 20
"""Partitions that are simulated of those that there are: they are independent of each other."""
DIES = 10.0
"""When a partition dies, in seconds."""
STEPS = (1_000, 100_000, 10_000_000)


@dataclass(frozen=True)
class Needs:
    """What so many live tables need."""

    tables: int

    @property
    def moves(self) -> float:
        """Moves a second."""
        return self.tables / THINKS

    @property
    def cores(self) -> float:
        """Cores' worth of work."""
        return self.moves * (CPU_MOVE + VIEWERS * CPU_VIEWER)

    @property
    def partitions(self) -> int:
        """Partitions, none of them busier than it is meant to be."""
        return math.ceil(self.cores / FULL)

    @property
    def memory(self) -> float:
        """Bytes of memory."""
        each = TABLE_BYTES + VIEWERS * VIEWER_BYTES
        return self.tables * each + self.partitions * PROCESS_BYTES

    @property
    def bits(self) -> float:
        """Bits a second sent to viewers."""
        return self.moves * VIEWERS * LOOK_BYTES * 8

    @property
    def rows_a_day(self) -> float:
        """Bytes a day that the log grows by, were they all played at around the clock."""
        return self.moves * 86_400 * ROW_BYTES


class Disk:
    """Transactions one after the other: what comes while one is under way shares the next."""

    def __init__(self) -> None:
        self._ends = 0.0
        self._next_wanted = False

    def write(self, at: float) -> float:
        """When what comes at that time is on the disk; times never go back."""
        if at >= self._ends and self._next_wanted:
            self._ends, self._next_wanted = self._ends + DISK, False
        if at >= self._ends:
            self._ends = at + DISK
            return self._ends
        self._next_wanted = True
        return self._ends + DISK


@dataclass
class Partition:
    """One process: moves of its tables a second; `show`: core seconds that telling the watchers of one more takes."""

    rate: float
    show: float = 0.0
    waits: list[float] = field(default_factory=list)
    busy: float = 0.0

    def run(self, arrivals: Sequence[tuple[float, float]], seconds: float) -> None:
        """Serve moves given by the time at which each came and the core seconds that telling its viewers takes."""
        # In order of readiness: (ready, came, step, tell). Step 0 decides, step 1 tells.
        jobs: list[tuple[float, float, int, float]] = [(came, came, 0, tell) for came, tell in arrivals]
        heapq.heapify(jobs)
        free, disk = 0.0, Disk()
        while jobs:
            ready, came, step, tell = heapq.heappop(jobs)
            begins = max(ready, free)
            free = begins + (tell if step else CPU_MOVE)
            self.busy += free - begins
            if step:
                self.waits.append(free - came)
                continue
            heapq.heappush(jobs, (disk.write(free), came, 1, tell))
        self.busy = min(self.busy / seconds, 9.99)


def arrivals(rng: random.Random, partition: Partition, seconds: float) -> Iterator[tuple[float, float]]:
    """Moves at random times, and those of the table that many watch, if there is one."""
    for rate, tell in ((partition.rate, VIEWERS * CPU_VIEWER), (1 / THINKS, partition.show)):
        at = rng.expovariate(rate) if tell else math.inf
        while at < seconds:
            yield at, tell
            at += rng.expovariate(rate)


def simulate(rate: float, *, number: int, seed: int, watchers: int = 0) -> list[Partition]:
    """So many partitions, with tables as a hash deals them out; `watchers`: at one table of the first."""
    rng = random.Random(seed)
    made = []
    for index in range(number):
        tables = max(1, round(rng.gauss(rate * THINKS, math.sqrt(rate * THINKS))))
        partition = Partition(tables / THINKS, show=CPU_VIEWER * watchers if index == 0 else 0.0)
        partition.run(sorted(arrivals(rng, partition, SECONDS)), SECONDS)
        made.append(partition)
    return made


def part(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of them lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def row(partitions: Sequence[Partition]) -> list[str]:
    """Figures of several partitions: use of their cores, milliseconds to the last viewer."""
    waits = sorted(wait for partition in partitions for wait in partition.waits)
    busy = [partition.busy for partition in partitions]
    use = (sum(busy) / len(busy), max(busy))
    return [
        *(f"{100 * share:.0f} %" for share in use),
        *(f"{1000 * part(waits, s):.0f}" for s in (0.5, 0.99)),
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [" | ".join(cells) for cells in (head, ["---"] * len(head), *rows)]
    return "\n".join(f"| {line} |" for line in lines)


def needs() -> str:
    """What each number of tables needs."""
    head = (
        "live tables",
        "moves a second",
        "viewers",
        "cores",
        "partitions",
        "memory",
        "to viewers",
        "log a day",
    )
    rows = []
    for need in map(Needs, STEPS):
        rows.append([
            f"{need.tables:,}", f"{need.moves:,.0f}", f"{VIEWERS * need.tables:,}", f"{need.cores:,.1f}",
            f"{need.partitions:,}", f"{need.memory / 1e9:,.1f} GB", f"{need.bits / 1e9:,.2f} Gbit/s",
            f"{need.rows_a_day / 1e9:,.0f} GB",
        ])  # fmt: skip
    return table(head, rows)


def busy_partitions() -> str:
    """How the wait grows with the use of a core."""
    full = 1 / (CPU_MOVE + VIEWERS * CPU_VIEWER)
    rows = []
    for use in (0.2, 0.4, 0.6, 0.75, 0.9):
        rows.append(
            [
                f"{use * full:.0f}",
                f"{use * full * THINKS:,.0f}",
                *row(simulate(use * full, number=SAMPLE, seed=1)),
            ]
        )
    head = ("moves a second a partition", "tables", "use of a core, mean", "the busiest", "p50 ms", "p99 ms")
    return table(head, rows)


def hot_partitions() -> str:
    """What one table that many watch does to the others of its partition, and to those elsewhere."""
    rate = FULL / (CPU_MOVE + VIEWERS * CPU_VIEWER)
    rows = []
    for watchers in (0, 100, 1_000, 5_000):
        hot, *others = simulate(rate, number=SAMPLE, seed=2, watchers=watchers)
        rows.append([f"{watchers:,}", *row([hot])[1:], *row(others)[2:]])
    return table(
        (
            "watchers of one table",
            "use there",
            "p50 ms there",
            "p99 ms there",
            "p50 ms elsewhere",
            "p99 ms elsewhere",
        ),
        rows,
    )


def death(lease: float, heirs: int) -> list[str]:
    """A partition dies; when its lease has run out its tables go to so many others: figures of one of those.

    People whose move got no answer wait, a table at a time; they all send it again as soon as somebody takes over.
    """
    rng, tell = random.Random(3), VIEWERS * CPU_VIEWER
    rate = FULL / (CPU_MOVE + tell)
    taken, ends = DIES + lease, DIES + lease + SECONDS
    waiting = round(rate * THINKS * (1 - math.exp(-lease / THINKS)) / heirs)
    own = arrivals(rng, Partition(rate), ends)
    orphans = [(at, tell) for at, _ in arrivals(rng, Partition(rate / heirs), ends) if at > taken]
    heir = Partition(rate)
    heir.run(sorted([*own, *[(taken, tell)] * waiting, *orphans]), ends)
    waits = sorted(heir.waits)
    use = 100 * FULL * (1 + 1 / heirs)
    times = (f"{1000 * part(waits, share):.0f}" for share in (0.5, 0.99))
    return [f"{lease:g} s", f"{heirs}", f"{use:.0f} %", *times, f"{lease + waits[-1]:.1f} s"]


def dead_partitions() -> str:
    """What the death of a partition does, by lease and by how many share its tables."""
    rows = [death(lease, heirs) for lease in (5.0, 15.0) for heirs in (1, 4, 40)]
    head = ("lease", "heirs", "use of an heir from then on", "p50 ms there", "p99 ms there", "longest wait")
    return table(head, rows)


PARTS = {
    "scale needs": needs,
    "scale busy": busy_partitions,
    "scale hot": hot_partitions,
    "scale dead": dead_partitions,
}
"""What docs/scale.md quotes, by the name of the part there."""


def main() -> None:
    for name, text in PARTS.items():
        print(f"{name.removeprefix('scale ')}\n\n{text()}\n")


if __name__ == "__main__":
    main()
