"""How kernels are compiled: the whole of Numba's policy, in one file.

`@kernel` compiles a function on first use, without the GIL, and keeps the machine code on disk. Numba does
not notice when a function that a kernel calls changes in *another* file, so the cache folder is named by a
digest of every source file that may hold kernels: an edit starts a new folder, and nothing stale is read.

Environment:
    OVERTRICK_CACHE_DIR    where compiled kernels are kept (default: the user's cache folder)
    NUMBA_DISABLE_JIT=1    run kernels as plain Python (slow; for debugging and tests)
    NUMBA_BOUNDSCHECK=1    check every index in kernels (tests)
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import njit
from numba.core import config as numba_config
from numba.core.caching import IndexDataCacheFile
from numba.extending import overload
from numba.np.numpy_support import from_dtype

config: Any = numba_config  # its fields are set at run time
F = TypeVar("F", bound=Callable[..., Any])

KERNEL_FOLDERS = ("rules", "games", "search")


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _digest() -> str:
    """Return a short digest of the sources, the compiler's version and the checks in force."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {config.BOUNDSCHECK}".encode())
    sources = [Path(__file__), *(p for f in KERNEL_FOLDERS for p in sorted((package / f).glob("*.py")))]
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """Return the folder for compiled kernels, made and writable, or None if there is nowhere to write."""
    chosen = os.environ.get("OVERTRICK_CACHE_DIR")
    roots = (
        [Path(chosen)] if chosen else [_user_cache() / "overtrick", Path(tempfile.gettempdir()) / "overtrick"]
    )
    for root in roots:
        folder = root / f"kernels-{_digest()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


CACHE_FOLDER = None if config.DISABLE_JIT else _cache_folder()
"""Where this process keeps compiled kernels; None: nowhere, they are compiled anew by every process."""


def _save_by_key(file: Any, key: Any, data: Any) -> None:
    """Keep a compiled function in a file named by its signature, then put it in the index.

    Numba numbers the files in the order in which they come and writes the index first. Two processes that
    compile at the same time, or one that is killed in between, can leave an index that names another
    signature's machine code, for good. With a name of its own no file ever holds anything else.
    """
    name = file._data_name(int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:8], "big"))
    file._save_data(name, data)
    overloads = file._load_index()
    if overloads.get(key) != name:
        overloads[key] = name
        file._save_index(overloads)


if CACHE_FOLDER is not None:
    config.CACHE_DIR = str(CACHE_FOLDER)
    cache_file: Any = IndexDataCacheFile
    cache_file.save = _save_by_key


def kernel(function: F) -> F:
    """Compile `function` on first use, for whatever argument types it is called with.

    Kernels trust their input: indices in range, moves legal, records of the right dtype. Who calls one with
    anything that came from outside checks it first.
    """
    compiled: Any = njit(cache=CACHE_FOLDER is not None, nogil=True)(function)
    return cast(F, compiled)


def records(dtype: np.dtype[Any], n: int = 1) -> Any:
    """Return `n` zeroed records whose elements kernels read as `state.turn`, with the compiler on or off.

    With the compiler off only a recarray's elements have attributes; with it on a plain array is made and copied ten
    times faster from Python.
    """
    return records_of(dtype, bytearray(n * dtype.itemsize))  # np.zeros clears records field by field


def copy_of(made: Any) -> Any:
    """Return a copy of an array of records that can be changed; their own `copy` goes field by field, too."""
    return records_of(made.dtype, bytearray(made.tobytes()))


def records_of(dtype: np.dtype[Any], data: bytes | bytearray) -> Any:
    """Return `data` as records, for kernels as those of `records` are; read-only if it is bytes."""
    made = np.frombuffer(data, dtype)
    return made.view(np.recarray) if config.DISABLE_JIT else made


def by_state(name: str, meaning: str, cases: dict[np.dtype[Any], Callable[..., Any]]) -> Callable[..., Any]:
    """Make one kernel-callable function out of a kernel per game, chosen by the first argument's dtype.

    Inside a kernel the choice is made when it is compiled, so it costs nothing. `meaning` becomes its docstring.
    """
    by_type = [(from_dtype(dtype), case) for dtype, case in cases.items()]

    def generic(state: Any, *arguments: Any) -> Any:
        return cases[state.dtype](state, *arguments)

    generic.__name__ = generic.__qualname__ = name
    generic.__doc__ = meaning

    @overload(generic)
    def choose(state, *arguments):  # type: ignore[no-untyped-def]  # Numba compares this signature with the lambda's
        for record, case in by_type:
            if state == record:
                return lambda state, *arguments: case(state, *arguments)
        return None

    return generic
