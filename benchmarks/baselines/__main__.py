"""Measures how long CCA takes to rank regions for phrases, and its memory: `make bench-baselines`.

A made-up model ranks 200 regions for each of 130,000 phrases, with cues, as `python -m baselines localization
predict` does. Regions and their features are made up, too: what photographs take depends on their size. The
same products of matrices with numpy alone are the reference. Then kernel CCA learns to rank.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.baselines import ranking as baselines_ranking
from benchmarks.baselines.run import PHRASES_PER_IMAGE, REGIONS
from benchmarks.report import options, own_environment, print_table, run_process, write_json

PHRASES = {"full": 130_000, "quick": 13_000, "tiny": 140}
SIZES = {"full": (300, 30, 700), "quick": (300, 30, 700), "tiny": (8, 3, 20)}
"""Dimensions of word vectors, centres of Fisher vectors, and features of a region. 700 are about as many as
`baselines` computes of a photograph."""
TASKS = ("predict", "products")


def run(task: str, phrases: int, sizes: tuple[int, int, int], folder: Path) -> dict[str, Any]:
    """Run a task in a process of its own. Return what it found, and its seconds and peak memory."""
    out = folder / f"{task}.json"
    numbers = [str(one) for one in (phrases, *sizes)]
    command = [sys.executable, "-m", "benchmarks.baselines.run", task, *numbers, str(out)]
    process = run_process(command, own_environment(str(folder)))
    return {**json.loads(out.read_text(encoding="utf-8")), "process": process}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--features", type=int, help="of a region: a network may have 4,096")
    chosen = parser.parse_args()
    phrases = PHRASES[chosen.size]
    dimensions, centres, features = SIZES[chosen.size]
    sizes = (dimensions, centres, chosen.features or features)
    with tempfile.TemporaryDirectory() as name:
        found = {task: run(task, phrases, sizes, Path(name)) for task in TASKS}
    rows = [
        [
            task,
            f"{one['phrases']:,}",
            f"{one['images']:,}",
            f"{one['seconds']:.1f}",
            f"{one['phrases'] * REGIONS / one['seconds'] / 1e6:.2f}",
            f"{one['process']['peak_mb']:,.0f}",
        ]
        for task, one in found.items()
    ]
    print_table(
        f"{REGIONS} regions with {sizes[2]:,} features for each phrase, {PHRASES_PER_IMAGE} phrases an image",
        ["", "phrases", "images", "CPU s", "M pairs/s", "peak MB"],
        rows,
    )
    print("CPU seconds are those of the ranking alone, without making up the regions.")
    with tempfile.TemporaryDirectory() as name:
        ranking = baselines_ranking.measure(chosen.size, Path(name))
    figures = {
        "phrases": phrases,
        "regions": REGIONS,
        "features": sizes[2],
        "tasks": found,
        "ranking": ranking,
    }
    write_json(
        "baselines", figures, references={"products alone": found["products"]["seconds"]}, folder=chosen.out
    )


if __name__ == "__main__":
    main()
