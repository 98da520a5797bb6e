"""Proposals that need no detector: windows of several sizes, slid over the image [ours]."""

from __future__ import annotations

from itertools import product

import numpy as np

from evaluation.arrays import Floats
from evaluation.ragged import RaggedBoxes

SIDES = (1 / 2, 1 / 4, 1 / 8)
"""Sides of windows as shares of the image's. Each is moved by half of itself."""


def windows(sizes: Floats) -> RaggedBoxes:
    """Return the same 625 windows for each image. `sizes` are widths and heights, of shape (images, 2).

    >>> windows(np.array([[800.0, 600.0]]))[0][0].tolist()
    [0.0, 0.0, 400.0, 300.0]
    """
    spans = [(begin * side / 2, begin * side / 2 + side) for side in SIDES for begin in range(_count(side))]
    shares = np.array([(across[0], down[0], across[1], down[1]) for across, down in product(spans, spans)])
    boxes = shares[None] * np.concatenate([sizes, sizes], axis=1)[:, None]
    offsets = np.arange(len(sizes) + 1, dtype=np.int64) * len(shares)
    return RaggedBoxes(boxes.reshape(-1, 4), offsets)


def _count(side: float) -> int:
    return round((1 - side) / (side / 2)) + 1
