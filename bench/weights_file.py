"""Writes a module of fitted numbers: what the training scripts share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np


def write(path: Path, heading: str, tables: Mapping[str, tuple[Any, str]]) -> None:
    """Write the module anew: by name a table of numbers, of any dimension, and what it means."""
    text = f'"""{heading}"""\n\nfrom __future__ import annotations\n'
    for name, (table, meaning) in tables.items():
        text += f'\n{name} = {_rows(np.asarray(table, float))}  # fmt: skip\n"""{meaning}"""\n'
    path.write_text(text)


def _rows(table: Any, indent: int = 4) -> str:
    pad = " " * indent
    if table.ndim > 1:
        return "[\n" + "".join(f"{pad}{_rows(row, indent + 4)},\n" for row in table) + pad[4:] + "]"
    numbers = [repr(float(f"{x:.4g}")) for x in table]
    lines = [", ".join(numbers[i : i + 12]) for i in range(0, len(numbers), 12)]
    return "[" + f",\n{pad}".join(lines) + "]"
