"""Measures phrase localization of 100 million boxes, beside pycocotools: `make bench-evaluation`.

Made-up queries over as many images as Flickr30k has are evaluated with 200 proposals each, part by part, so
that memory does not grow with them. pycocotools keeps every box as a Python object, so it evaluates the first
queries only. Without suppression its recall at K is ours, because each query has one true box.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.evaluation.run import PROPOSALS, QUERIES_PER_IMAGE
from benchmarks.report import IncompleteError, options, own_environment, print_table, run_process, write_json

QUERIES = {"full": 500_000, "quick": 50_000, "tiny": 400}
BESIDE_COCO = {"full": 5_000, "quick": 1_000, "tiny": 100}
"""How many queries pycocotools evaluates."""
RULES = ("merged", "any", "component")


def run(task: str, queries: int, folder: Path) -> dict[str, Any]:
    """Run a task in a process of its own. Return what it found, and its seconds and peak memory."""
    out = folder / f"{task}.json"
    command = [sys.executable, "-m", "benchmarks.evaluation.run", task, str(queries), str(out)]
    process = run_process(command, own_environment(str(folder)))
    return {**json.loads(out.read_text(encoding="utf-8")), "process": process}


def row(name: str, found: dict[str, Any], queries: int) -> list[str]:
    seconds = found["seconds"]
    return [
        name,
        f"{queries:,}",
        f"{seconds:.1f}",
        f"{queries * PROPOSALS / seconds / 1e6:.2f}",
        f"{found['process']['seconds']:.1f}",
        f"{found['process']['peak_mb']:,.0f}",
        *(f"{100 * share:.2f}" for share in found["recall"]),
    ]


def main() -> None:
    chosen = options(__doc__).parse_args()
    queries, few = QUERIES[chosen.size], BESIDE_COCO[chosen.size]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = {rule: run(rule, queries, folder) for rule in RULES}
        plain, coco = (run(task, few, folder) for task in ("unsuppressed", "coco"))
    if plain["recall"] != coco["recall"]:
        raise IncompleteError(f"our recall {plain['recall']} is not that of pycocotools, {coco['recall']}")
    print_table(
        f"{queries:,} queries over {round(queries / QUERIES_PER_IMAGE):,} images, {PROPOSALS} proposals each",
        ["", "queries", "CPU s", "M boxes/s", "process s", "peak MB", "R@1", "R@5", "R@10", "bound"],
        [
            *(row(f"ours, {rule}", found, queries) for rule, found in ours.items()),
            row("ours, without suppression", plain, few),
            row("pycocotools", coco, few),
        ],
    )
    print("CPU seconds are those of the evaluation alone. The process also makes up the boxes.")
    figures = {
        "queries": queries,
        "boxes": queries * PROPOSALS,
        "rules": ours,
        "beside": {"queries": few, "ours": plain, "pycocotools": coco},
    }
    write_json("evaluation", figures, references={"pycocotools": coco["seconds"]}, folder=chosen.out)


if __name__ == "__main__":
    main()
