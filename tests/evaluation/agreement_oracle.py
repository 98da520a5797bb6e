"""Asks other libraries how far the workers of `planted.CASES` agree. This has made agreement.json.

The libraries are not dependencies of the project. This module imports nothing else of the project, so that
the interpreter of an environment that has them can run it, from the root of the project:
`/that/environment/bin/python -m tests.evaluation.agreement_oracle`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module, metadata
from itertools import combinations
from typing import Any

from tests.evaluation.planted import CASES, Row

LIBRARIES = ("krippendorff", "scikit-learn", "statsmodels")


def ask(rows: Sequence[Row]) -> dict[str, Any]:
    """Return nominal alpha, Cohen's kappa of each pair of workers and, where it is defined, Fleiss' kappa.

    A pair has both names, the number of items that they share, and kappa. Raises ModuleNotFoundError if a
    library is not installed.
    """
    labels = sorted({label for _, _, label in rows})
    items = sorted({item for item, _, _ in rows})
    workers = sorted({worker for _, worker, _ in rows})
    said = {(item, worker): labels.index(label) for item, worker, label in rows}
    counts = [
        [Counter(said.get((item, worker)) for worker in workers)[n] for n in range(len(labels))]
        for item in items
    ]
    found: dict[str, Any] = {
        "alpha": import_module("krippendorff").alpha(value_counts=counts, level_of_measurement="nominal")
    }
    if len({sum(row) for row in counts}) == 1:
        inter_rater = import_module("statsmodels.stats.inter_rater")
        found["fleiss"] = inter_rater.fleiss_kappa(counts, method="fleiss")
    cohen = import_module("sklearn.metrics").cohen_kappa_score
    found["cohen"] = []
    for first, second in combinations(workers, 2):
        both = [item for item in items if {(item, first), (item, second)} <= said.keys()]
        kappa = cohen([said[item, first] for item in both], [said[item, second] for item in both])
        found["cohen"].append([first, second, len(both), float(kappa)])
    return found


if __name__ == "__main__":
    asked = {name: ask(rows) for name, rows in CASES.items()}
    versions = {name: metadata.version(name) for name in LIBRARIES}
    json.dump({"versions": versions, **asked}, sys.stdout, indent=1)
    print()
