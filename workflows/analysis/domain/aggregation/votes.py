"""Judgments as arrays of codes, which every method of this package takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNKNOWN = -1
"""Stands for a label that is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Judgment n: `worker_ids[workers[n]]` gave `item_ids[items[n]]` the label `names[labels[n]]`.

    A worker judges an item at most once. 24 bytes a judgment, whatever the ids are.
    """

    items: Ints
    workers: Ints
    labels: Ints
    item_ids: Sequence[Hashable] | Ints
    worker_ids: Sequence[Hashable] | Ints
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.items)

    def counts(self) -> Ints:
        """Return how often each item got each label: items x labels."""
        wide = np.bincount(
            self.items * len(self.names) + self.labels, minlength=len(self.item_ids) * len(self.names)
        )
        return wide.reshape(len(self.item_ids), len(self.names))


def from_rows(rows: Iterable[tuple[Hashable, Hashable, str]], names: Sequence[str] = ()) -> Votes:
    """Return votes from (item, worker, label) rows. `names` are the possible labels, by default those found.

    Raises ValueError for a label that is not among the names.
    """
    found = list(rows)
    names = tuple(names) or tuple(sorted({label for _, _, label in found}))
    codes = {name: code for code, name in enumerate(names)}
    strange = sorted({label for _, _, label in found} - set(codes))
    if strange:
        raise ValueError(f"{strange[0]!r} is not a label: use one of {', '.join(names)}")
    items = {item: code for code, item in enumerate(dict.fromkeys(row[0] for row in found))}
    workers = {worker: code for code, worker in enumerate(dict.fromkeys(row[1] for row in found))}
    return Votes(
        items=np.array([items[item] for item, _, _ in found], dtype=np.int64),
        workers=np.array([workers[worker] for _, worker, _ in found], dtype=np.int64),
        labels=np.array([codes[label] for _, _, label in found], dtype=np.int64),
        item_ids=tuple(items),
        worker_ids=tuple(workers),
        names=names,
    )


def from_ids(items: Ints, workers: Ints, labels: Ints, names: Sequence[str]) -> Votes:
    """Return votes from arrays of ids of any size and of labels, which are codes of `names` already."""
    item_ids, item_codes = np.unique(items, return_inverse=True)
    worker_ids, worker_codes = np.unique(workers, return_inverse=True)
    return Votes(item_codes, worker_codes, labels, item_ids, worker_ids, tuple(names))
