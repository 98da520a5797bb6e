"""Measures kernel CCA for ranking, as a part of `make bench-baselines`.

6,000 made-up images with five captions each are training data, as many as in the paper, and 1,000 are ranked.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.report import own_environment, print_table, run_process

IMAGES = {"full": 6_000, "quick": 1_000, "tiny": 60}
RANK = {"full": 600, "quick": 200, "tiny": 20}
"""Columns of incomplete Cholesky factors."""


def measure(size: str, folder: Path) -> dict[str, Any]:
    """Train each system in a process of its own, and print a table. Return what it shows."""
    images = IMAGES[size]
    found = {}
    for system, rank in (("tri5", RANK[size]), ("tri5-sem", RANK[size]), ("tri5", 0)):
        out = folder / f"{system}-{rank}.json"
        arguments = [
            sys.executable,
            "-m",
            "benchmarks.baselines.ranking_run",
            system,
            str(rank),
            str(images),
            str(out),
        ]
        process = run_process(arguments, own_environment(str(folder)))
        name = f"{system}, {rank} columns" if rank else f"{system}, whole kernels"
        found[name] = {**json.loads(out.read_text(encoding="utf-8")), "process": process}
    print_table(
        f"Kernel CCA of {images:,} images with five captions each",
        [
            "",
            "κ",
            "similarity CPU s",
            "training CPU s",
            "ranking CPU s",
            "process s",
            "peak MB",
            "median rank",
        ],
        [
            [
                name,
                str(one["kappas"]),
                *(f"{one[step]:,.1f}" for step in ("similarity", "train", "rank")),
                f"{one['process']['seconds']:,.0f}",
                f"{one['process']['peak_mb']:,.0f}",
                f"{one['median']:.1f} of {one['ranked']:,}",
            ]
            for name, one in found.items()
        ],
    )
    print("Training chooses settings on the pairs that are then ranked, so the median rank is only a check.")
    return {"images": images, "systems": found}
