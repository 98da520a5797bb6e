"""Which of the boxes that a model has for a mention become suggestions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from annotation.domain.suggested import MAX_SUGGESTED, SuggestedBox
from evaluation.arrays import Floats
from evaluation.boxes import suppress_lists
from evaluation.ragged import RaggedBoxes, RankedBoxes

SUPPRESSION = 0.7
"""Of two boxes with a larger IoU, the one with the lower score is left out."""
_SAME = 1 - 1e-12
"""No two different boxes in whole pixels overlap so far."""
DIGITS = 4
"""Decimal places of a score that is stored."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How boxes are chosen. None: no threshold of scores, and no suppression.

    `every_mention` says that the model looked at all mentions: those that the file does not have get a
    suggestion without boxes, and do not count as missing.
    """

    threshold: float | None = None
    suppression: float | None = SUPPRESSION
    every_mention: bool = False


def choose(
    ranked: RankedBoxes, sizes: Floats, *, choice: Choice
) -> tuple[list[list[SuggestedBox]], Counter[str]]:
    """Return the suggestions for each of some mentions, the best first, and count what is left out by why.

    `sizes` has the width and height of each mention's image in pixels, of shape (mentions, 2). A box is
    rounded and clipped as one that is drawn, so that a worker can accept it as it is. Of boxes that are the
    same then, one is kept whatever `choice` says.
    """
    left_out: Counter[str] = Counter()
    offsets = ranked.lists.offsets
    owner = np.repeat(np.arange(len(ranked)), np.diff(offsets))
    sure = np.ones(len(owner), dtype=bool)
    if choice.threshold is not None:
        sure = ranked.scores >= choice.threshold
        left_out["below the threshold"] = int((~sure).sum())
    edges = np.clip(np.floor(ranked.lists.boxes + 0.5), 0, np.tile(sizes, 2)[owner])
    inside = (edges[:, 0] < edges[:, 2]) & (edges[:, 1] < edges[:, 3])
    left_out["empty or outside of the image"] = int((sure & ~inside).sum())
    kept = np.flatnonzero(sure & inside)
    ends = np.searchsorted(owner[kept], np.arange(len(ranked) + 1))
    edges, scores = edges[kept], ranked.scores[kept]
    places = suppress_lists(
        RaggedBoxes(edges, ends),
        threshold=_SAME if choice.suppression is None else choice.suppression,
        most=MAX_SUGGESTED,
    )
    left_out["overlapping a better one, or beyond the best"] = len(kept) - int((places >= 0).sum())
    found: list[list[SuggestedBox]] = []
    for begin, row in zip(ends[:-1].tolist(), places.tolist(), strict=True):
        chosen = [begin + place for place in row if place >= 0]
        found.append([[*map(int, edges[at].tolist()), round(float(scores[at]), DIGITS)] for at in chosen])
    return found, +left_out
