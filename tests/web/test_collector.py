"""The garbage collector of a server: it looks at what is new, and at everything now and then."""

from __future__ import annotations

import subprocess
import sys

import pytest

CYCLES = """
import gc, weakref
from overtrick.web import server
server.WHOLE_ROUND_AFTER, server.WHOLE_ROUND_AT = {after}, {grown}
class Node: pass
def cycle():
    node = Node()
    node.self = node
    return node
server.spare_the_collector()
kept, new = cycle(), cycle()
gone = weakref.ref(new)
del new
gc.collect()
print("new found" if gone() is None else "new kept")
print("survivors looked at" if any(one is kept for one in gc.get_objects()) else "survivors spared")
gone = weakref.ref(kept)
del kept
gc.collect()
print("old found" if gone() is None else "old kept")
"""


@pytest.mark.parametrize(
    ("after", "grown", "old"),
    [(3600.0, 1.5, "old kept"), (0.0, 1.5, "old found"), (3600.0, 0.5, "old found")],
)
def test_a_full_round_looks_at_what_is_new_and_at_everything_once_in_a_while_or_after_much_is_new(
    after: float, grown: float, old: str
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CYCLES.format(after=after, grown=grown)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert ran.stdout.splitlines() == ["new found", "survivors spared", old]
