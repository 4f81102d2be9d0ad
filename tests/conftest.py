"""What every test may count on: no home folder of a person's is touched, and Hypothesis waits for compilers."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import settings

settings.register_profile("overtrick", deadline=None, print_blob=True)
settings.load_profile("overtrick")

# Servers that tests start keep their data under the folders that the tests give; one that forgets must not find
# somebody's tables. Compiled kernels stay where they are: they are named by what they were compiled from.
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / "overtrick-tests")
for name in [name for name in os.environ if name.startswith("OVERTRICK_") and name != "OVERTRICK_CACHE_DIR"]:
    del os.environ[name]
