"""A process with a pool, to be killed: says which processes think for it while one of them is deep in thought.

Usage: python pool_owner.py
"""

from __future__ import annotations

import sys
import time

from bots.bad_bots import Says, SpinsForEver, pool_entries
from bots.test_pool import PATIENCE, a_view
from overtrick.bots.pool import Pool


def main() -> None:
    bots = pool_entries(Says, "says") | pool_entries(SpinsForEver, "spins")
    pool = Pool(2, bots=bots, limit=1000)
    pool.begin("says")
    patient_until = time.monotonic() + PATIENCE
    while len(pool.pids) < 2 and time.monotonic() < patient_until:
        time.sleep(0.01)
    pool.choose("spins", a_view(), 0)
    pool.choose("says", a_view(), 0).result()
    sys.stdout.write(" ".join(map(str, pool.pids)) + "\n")
    sys.stdout.flush()
    time.sleep(1000)


if __name__ == "__main__":
    main()
