"""Rows that k-means can tell apart."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.arrays import Ints

Real = TypeVar("Real", np.float32, np.float64)
_SAME = 1e-4
"""Values are equal if they differ by less than this share of the largest value [ours]."""


def distinct_rows(rows: NDArray[Real]) -> tuple[NDArray[Real], Ints]:
    """Return the distinct rows in the order in which they occur first, and for each row its place in them.

    Rows that differ only in their last bits are one: a processor's rounding would otherwise decide how many
    there are, and k-means leaves clusters empty if it is asked for more than it can separate. If two rows are
    one, all are rounded.

    >>> distinct_rows(np.array([[2.0, 1.0], [0.0, 3.0], [2.0, 1.0 + 1e-9]]))[1].tolist()
    [0, 1, 0]
    """
    grid = _SAME * (float(np.abs(rows).max(initial=0)) or 1.0)
    rounded = np.round(rows / grid)
    _, first, belongs = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(rows):
        return rows, np.arange(len(rows))
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return (rounded[first[order]] * grid).astype(rows.dtype), place[belongs.ravel()]
