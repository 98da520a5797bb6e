"""Measures what aggregation and agreement cost, and how far their results are from crowd-kit's.

Run it with `make bench-aggregation`. crowd-kit is not a dependency, since it brings 500 MB. If
`CROWDKIT_PYTHON` names the interpreter of an environment that has it, the same judgments go through both, and
the differences are printed. Otherwise the benchmark says that crowd-kit is absent. `python -m venv /tmp/ck &&
/tmp/ck/bin/pip install crowd-kit` makes such an environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import options, print_table, write_json
from evaluation.agreement import (
    Votes,
    cohen_kappa,
    fleiss_kappa,
    from_ids,
    krippendorff_alpha,
    percent_agreement,
)
from evaluation.arrays import Floats, Ints
from workflows.analysis.domain.aggregation.dawid_skene import dawid_skene
from workflows.analysis.domain.aggregation.majority import majority

NAMES = ("box", "scene", "nobox")
WORKERS = 200
ITERATIONS = 20
CROWDKIT_ITEMS = 5000
# With three judgments each, the full size is what a corpus of Flickr30k's size brings in a stage.
ITEMS = {"full": 700_000, "quick": 70_000, "tiny": 6_000}


def crowd(items: int, each: int, rng: np.random.Generator) -> tuple[Votes, Ints]:
    """Return judgments of `each` workers an item, and the truth. A third of the workers guess."""
    truth = rng.choice(len(NAMES), size=items, p=[0.7, 0.1, 0.2])
    accuracies = np.where(np.arange(WORKERS) % 3 == 0, 1 / 3, rng.uniform(0.8, 0.97, size=WORKERS))
    # The workers of an item are taken from a circle: they are distinct, and no permutation is drawn.
    workers = (rng.integers(WORKERS, size=items)[:, None] + np.arange(each) * 37) % WORKERS
    wrong = (truth[:, None] + rng.integers(1, len(NAMES), size=workers.shape)) % len(NAMES)
    labels = np.where(rng.random(workers.shape) < accuracies[workers], truth[:, None], wrong)
    repeated = np.repeat(np.arange(items), each)
    return from_ids(repeated, workers.ravel(), labels.ravel(), NAMES), truth.astype(np.int64)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result and the seconds it took."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin


def against_crowdkit(python: str) -> list[dict[str, Any]]:
    """Compare both on the same judgments, iteration for iteration.

    Raises CalledProcessError when crowd-kit fails.
    """
    votes, _ = crowd(CROWDKIT_ITEMS, 3, np.random.default_rng(1))
    rows = [
        (int(item), f"w{worker}", NAMES[label])
        for item, worker, label in zip(votes.items, votes.workers, votes.labels, strict=True)
    ]
    request = json.dumps({"rows": rows, "names": NAMES, "iterations": ITERATIONS})
    script = Path(__file__).with_name("crowdkit_run.py")
    done = subprocess.run([python, str(script)], input=request, capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    fixed = {"smoothing": 0.0, "tolerance": 0.0, "most": ITERATIONS}
    ours: dict[str, Callable[[], Floats]] = {
        "MajorityVote": lambda: majority(votes).shares,
        "OneCoinDawidSkene": lambda: dawid_skene(votes, one_coin=True, **fixed).posterior,  # type: ignore[arg-type]
        "DawidSkene": lambda: dawid_skene(votes, **fixed).posterior,  # type: ignore[arg-type]
    }
    figures = []
    for name, work in ours.items():
        posterior, seconds = timed(work)
        difference = float(np.abs(posterior - np.array(theirs[name]["posterior"])).max())
        figures.append(
            {
                "method": name, "seconds": seconds, "crowdkit_seconds": theirs[name]["seconds"],
                "largest_difference": difference, "version": theirs["version"],
            }
        )  # fmt: skip
    return figures


def at_size(items: int) -> list[dict[str, Any]]:
    """Run every method on three judgments an item."""
    rng = np.random.default_rng(2)
    votes, truth = crowd(items, 3, rng)
    labelling: dict[str, Callable[[], Any]] = {
        "majority": lambda: majority(votes),
        "one-coin": lambda: dawid_skene(votes, one_coin=True),
        "dawid-skene": lambda: dawid_skene(votes),
    }
    figures = []
    for name, work in labelling.items():
        found, seconds = timed(work)
        figures.append({"method": name, "seconds": seconds, "right": float((found.labels == truth).mean())})
    for figure in (percent_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha):
        resamples = 100 if figure is cohen_kappa else 1000
        found, seconds = timed(lambda f=figure, n=resamples: f(votes, rng, resamples=n))  # type: ignore[misc]
        figures.append({"method": f"{figure.__name__}, {resamples} resamples", "seconds": seconds,
                        "value": found.value, "low": found.low, "high": found.high})  # fmt: skip
    return figures


def main() -> None:
    chosen = options(__doc__).parse_args()
    items = ITEMS[chosen.size]
    figures: dict[str, Any] = {"at_size": at_size(items)}
    print_table(
        f"{3 * items:,} judgments by {WORKERS} workers, a third of whom guess",
        ("", "seconds", "right, or the figure"),
        [
            (row["method"], f"{row['seconds']:.1f}", f"{row.get('right', row.get('value')):.4f}")
            for row in figures["at_size"]
        ],
    )
    python = os.environ.get("CROWDKIT_PYTHON", "")
    if not python:
        print("\ncrowd-kit is absent: name an interpreter that has it, CROWDKIT_PYTHON=/path/to/python")
    else:
        figures["crowdkit"] = against_crowdkit(python)
        print_table(
            f"{3 * CROWDKIT_ITEMS:,} judgments, {ITERATIONS} iterations, beside crowd-kit "
            + figures["crowdkit"][0]["version"],
            ("", "seconds", "crowd-kit's", "largest difference of a probability"),
            [
                (row["method"], f"{row['seconds']:.3f}", f"{row['crowdkit_seconds']:.3f}",
                 f"{row['largest_difference']:.1e}")
                for row in figures["crowdkit"]
            ],
        )  # fmt: skip
    references = {f"of {row['method']}": row["crowdkit_seconds"] for row in figures.get("crowdkit", ())}
    write_json("aggregation", figures, references=references, folder=chosen.out)


if __name__ == "__main__":
    main()
