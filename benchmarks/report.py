"""Writes what benchmarks measured: a table for people, and the same figures as JSON for programs."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parent / "out"


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print an aligned table. The first column is aligned to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(f"\n{title}")
    for row in cells:
        first, *rest = [
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join([first, *rest]))


def write_json(name: str, figures: dict[str, Any]) -> Path:
    """Write the figures, with the machine they are from, to benchmarks/out/NAME.json. Returns the path."""
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{name}.json"
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    path.write_text(json.dumps({"machine": machine, **figures}, indent=2) + "\n", encoding="utf-8")
    print(f"\nThe same figures: {path}")
    return path


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` (0 to 1) of the values do not exceed, or 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
