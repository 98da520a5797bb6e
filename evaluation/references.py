"""Systems that look at no phrase: what any other system must beat (Flickr30k Entities, section 4.1.3).

Each returns ranked boxes of some queries, as a file of predictions would have them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evaluation.arrays import Floats, Ints
from evaluation.boxes import areas
from evaluation.localization import Queries
from evaluation.ragged import RaggedBoxes, RankedBoxes

LARGEST, WHOLE, CENTRE, RANDOM = "largest proposal", "whole image", "centre box", "random proposal"
NAMES = (LARGEST, WHOLE, CENTRE, RANDOM)
"""What reports call the references, in their order."""
CENTRE_SIDES = 0.5
"""The sides of the centre box, as shares of the image's [ours]: it covers a quarter of the image."""


def references(
    queries: Queries, rows: Ints, proposals: RaggedBoxes | None, rng: np.random.Generator
) -> Mapping[str, RankedBoxes]:
    """Return the references that these inputs allow, by their NAMES, each with the boxes of these `rows`.

    `proposals` has a list for each of `rows`, such as the boxes of a file of predictions, whatever their
    scores are. Without it there is neither largest nor random proposal. If the size of any query's image is
    unknown, there is neither whole image nor centre box.
    """
    found = {}
    sizes = queries.sizes[queries.image[rows]]
    known = bool((queries.sizes[queries.image] > 0).all())
    if proposals is not None:
        found[LARGEST] = largest_first(proposals)
    if known:
        found[WHOLE] = whole_image(sizes)
        found[CENTRE] = centre_box(sizes)
    if proposals is not None:
        found[RANDOM] = random_order(proposals, rng)
    return found


def largest_first(proposals: RaggedBoxes) -> RankedBoxes:
    """Return the proposals of each list by their area, the largest first (paper: R@1 24%).

    >>> proposals = RaggedBoxes.of([np.array([[0, 0, 1, 1], [0, 0, 5, 5]])])
    >>> largest_first(proposals).lists[0].tolist()
    [[0.0, 0.0, 5.0, 5.0], [0.0, 0.0, 1.0, 1.0]]
    """
    return _ranked(proposals, areas(proposals.boxes))


def random_order(proposals: RaggedBoxes, rng: np.random.Generator) -> RankedBoxes:
    """Return the proposals of each list in random order."""
    return _ranked(proposals, rng.random(len(proposals.boxes)))


def whole_image(sizes: Floats) -> RankedBoxes:
    """Return one box a query that covers its image. `sizes` are widths and heights, of shape (queries, 2).

    >>> whole_image(np.array([[500.0, 375.0]])).lists[0].tolist()
    [[0.0, 0.0, 500.0, 375.0]]
    """
    return _one_each(np.concatenate([np.zeros_like(sizes), sizes], axis=1))


def centre_box(sizes: Floats, *, sides: float = CENTRE_SIDES) -> RankedBoxes:
    """Return one box a query in the centre of its image. Its sides are this share of the image's.

    >>> centre_box(np.array([[500.0, 400.0]])).lists[0].tolist()
    [[125.0, 100.0, 375.0, 300.0]]
    """
    return _one_each(np.concatenate([sizes * (1 - sides) / 2, sizes * (1 + sides) / 2], axis=1))


def _one_each(boxes: Floats) -> RankedBoxes:
    return RankedBoxes(RaggedBoxes(boxes, np.arange(len(boxes) + 1, dtype=np.int64)), np.ones(len(boxes)))


def _ranked(proposals: RaggedBoxes, scores: Floats) -> RankedBoxes:
    owner = np.repeat(np.arange(len(proposals)), np.diff(proposals.offsets))
    order = np.lexsort((-scores, owner))
    return RankedBoxes(RaggedBoxes(proposals.boxes[order], proposals.offsets), scores[order])
