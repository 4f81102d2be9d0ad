"""The garbage collector of a server: it looks at what is new, and at everything now and then."""

from __future__ import annotations

import subprocess
import sys

import pytest

CYCLES = """
import gc, weakref
from overtrick.web import server
server.WHOLE_ROUND_AFTER = {after}
class Node: pass
def cycle():
    node = Node()
    node.self = node
    return node
server.spare_the_collector()
kept, new = cycle(), cycle()
frozen = gc.get_freeze_count()
gone = weakref.ref(new)
del new
gc.collect()
print("new found" if gone() is None else "new kept")
print("survivors spared" if gc.get_freeze_count() > frozen else "survivors not spared")
gone = weakref.ref(kept)
del kept
gc.collect()
print("old found" if gone() is None else "old kept")
"""


@pytest.mark.parametrize(("after", "old"), [(3600.0, "old kept"), (0.0, "old found")])
def test_a_full_round_looks_at_what_is_new_and_once_in_a_long_while_at_everything(
    after: float, old: str
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CYCLES.format(after=after)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert ran.stdout.splitlines() == ["new found", "survivors spared", old]
