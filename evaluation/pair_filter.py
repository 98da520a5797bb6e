"""Which pairs of an image and a caption are worth a judge's time.

Of all pairs of a test set, hardly one in a hundred fits. Hodosh, Young and Hockenmaier (2013, JAIR 47,
section 4.3.2), called R below, asked only about captions that share enough words with the image's own
captions: Bleu-1 without stop words, of stems. Their 30 systems ranked 113,006 pairs among the first 10, and
the filter left 30,781 of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.arrays import Bools, Floats, Ints

MIN_BLEU = 0.25
"""The least Bleu of a pair that is asked about (R, section 4.3.2)."""
THRESHOLDS = (0.20, 0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28, 0.29, 0.30)
"""The thresholds that reports compare."""
PAPER_DROPPED = {0.25: 0.860, 0.26: 0.904}
"""The share of all pairs of the paper's 1,000 test images and captions below a threshold."""
PAPER_LOST = {0.25: (0.067, 0.035), 0.26: (0.123, 0.075)}
"""The shares of the paper's pairs below a threshold that experts gave 2 2/3 and 3 or more."""
PAPER_PLAIN = {0.33: 0.069, 0.333: 0.119}
"""The same for Bleu-1 of words as they are, of 2 2/3 or more alone."""
PAPER_CHECKED = (0.983, 0.998)
"""Of 10,374 pairs below .25: of which no worker, and not the majority, said that they fit."""


def random_pairs(rng: np.random.Generator, images: int, captions: int, number: int) -> tuple[Ints, Ints]:
    """Return so many pairs that are drawn with replacement: images, and captions."""
    return rng.integers(images, size=number), rng.integers(captions, size=number)


def below(bleu: Floats, threshold: float) -> int:
    """Return how many pairs a threshold drops: those with a lower Bleu.

    >>> below(np.array([0.0, 0.25, 1 / 3]), 0.25)
    1
    """
    return int((bleu < threshold - 1e-9).sum())


def pooled(scores: Floats, depth: int) -> Bools:
    """Return which items a system ranks among the first `depth` of each query, of the shape of `scores`.

    A tie that reaches beyond that depth is left out, because it says nothing of its items' order [ours]. So
    the items that a short list does not have are never pooled.

    >>> pooled(np.array([[3.0, 2.0, 1.0, 1.0]]), 3).tolist()
    [[True, True, False, False]]
    """
    if scores.shape[1] <= depth:
        return np.isfinite(scores)
    edge = -np.partition(-scores, depth, axis=1)[:, depth]  # the best score that is too low
    return np.asarray(scores > edge[:, None])


def fill_up(images: Ints, kept: Bools, together: int, rng: np.random.Generator) -> Bools:
    """Return which of the pairs that are not kept fill up pages of `together` captions of an image.

    `images` has the image of each pair. An image gets as many as its last page lacks, drawn at random, or all
    that there are. One without a kept pair gets none. The paper had 10,374 of 41,155 judged pairs for this,
    which showed what its filter loses (R, section 4.3.2).

    >>> images = np.array([0, 0, 0, 0, 1])
    >>> fill_up(images, np.array([True, False, False, False, False]), 4, np.random.default_rng(1)).tolist()
    [False, True, True, True, False]
    """
    lacking = -np.bincount(images[kept], minlength=int(images.max(initial=-1)) + 1) % together
    rest = np.flatnonzero(~kept)
    rest = rest[np.lexsort((rng.random(len(rest)), images[rest]))]
    place = np.arange(len(rest)) - np.searchsorted(images[rest], images[rest])
    found = np.zeros(len(images), dtype=bool)
    found[rest[place < lacking[images[rest]]]] = True
    return found


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging pairs takes. `seconds` is the time of all judges together."""

    judgments: int
    seconds: float
    pay: float


def cost(pairs_of_images: Ints, *, judges: int, seconds: float, pay: float, together: int = 1) -> Cost:
    """Return the cost of so many pairs of each image, if every pair is judged by so many judges.

    `seconds` and `pay` are of one judgment. A page shows `together` captions of one image, and is filled up
    with others (R, section 4.3.2).

    >>> cost(np.array([3, 12]), judges=3, seconds=12, pay=0.003, together=10)
    Cost(judgments=90, seconds=1080.0, pay=0.27)
    """
    shown = int((-(-pairs_of_images // together) * together).sum())
    judgments = shown * judges
    return Cost(judgments, float(judgments * seconds), round(judgments * pay, 6))
