"""Lists of boxes of different lengths in one array: the boxes of many mentions, or of many images."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evaluation.dataset import Boxes

Offsets = NDArray[np.int64]
"""Where each list begins in the array, and at last where the last one ends: shape (lists + 1,)."""


@dataclass(frozen=True, slots=True)
class RaggedBoxes:
    """Lists of boxes. The boxes of list `i` are `boxes[offsets[i]:offsets[i + 1]]`, of shape (n_i, 4)."""

    boxes: Boxes
    offsets: Offsets

    @classmethod
    def of(cls, lists: Iterable[Boxes]) -> Self:
        """Return these lists, in their order. Each has the shape (n, 4), and n may be 0."""
        kept = [np.asarray(one, dtype=np.float64).reshape(-1, 4) for one in lists]
        offsets = np.zeros(len(kept) + 1, dtype=np.int64)
        np.cumsum([len(one) for one in kept], out=offsets[1:])
        return cls(np.concatenate(kept) if kept else np.empty((0, 4)), offsets)

    def __len__(self) -> int:
        """Return how many lists there are."""
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Boxes:
        """Return the boxes of one list, of shape (n, 4)."""
        return self.boxes[self.offsets[index] : self.offsets[index + 1]]


@dataclass(frozen=True, slots=True)
class RankedBoxes:
    """Boxes that a system predicts for each of some queries, the best first.

    `scores` has the shape (boxes,) and does not increase within a query.
    """

    lists: RaggedBoxes
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self.lists)
