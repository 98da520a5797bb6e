"""Made-up boxes, data sets and predictions for the tests of measures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from evaluation.arrays import Floats
from evaluation.boxes import enclosing_boxes
from evaluation.dataset import TYPES, Boxes, Caption, Chain, Dataset, Image, Mention, MentionKey
from evaluation.localization import Queries
from evaluation.ragged import RaggedBoxes, RankedBoxes

GRID = 12
"""Whole coordinates below this, so that boxes meet and touch often and a raster is small."""

_edges = st.sampled_from(tuple(combinations(range(GRID + 1), 2)))
one_box = st.tuples(_edges, _edges).map(lambda both: (both[0][0], both[1][0], both[0][1], both[1][1]))


def some_boxes(least: int = 0, most: int = 6) -> st.SearchStrategy[Boxes]:
    """Return a strategy for arrays of boxes on the grid."""
    return st.lists(one_box, min_size=least, max_size=most).map(
        lambda found: np.array(found, dtype=np.float64).reshape(-1, 4)
    )


def raster(boxes: Boxes) -> Floats:
    """Return which pixels of the grid the boxes cover: the oracle of everything about areas."""
    pixels = np.zeros((GRID, GRID))
    for left, top, right, bottom in boxes.astype(int).tolist():
        pixels[top:bottom, left:right] = 1
    return pixels


def random_boxes(rng: np.random.Generator, number: int, side: int = 100) -> Boxes:
    """Return boxes of whole pixels in an image with this side."""
    corners = rng.integers(0, side, (number, 2, 2))
    low, high = corners.min(axis=1), corners.max(axis=1) + 1
    return np.concatenate([low, high], axis=1).astype(np.float64)


def dataset(images: Sequence[Sequence[tuple[str, tuple[str, ...], Boxes]]], *, side: int = 100) -> Dataset:
    """Return a data set with one caption an image. A mention is its phrase, its types and its true boxes.

    Each mention has a chain of its own. The size of images is unknown with `side` 0.
    """
    found = []
    for number, mentions in enumerate(images):
        name, start, said, chains = f"{number}.jpg", 0, [], {}
        for place, (phrase, types, boxes) in enumerate(mentions):
            tokens = tuple(phrase.split())
            key = MentionKey(name, 0, start, start + len(tokens))
            said.append(Mention(key, tokens, types, str(place)))
            chains[str(place)] = Chain(str(place), types, boxes)
            start += len(tokens)
        tokens = tuple(token for mention in said for token in mention.tokens)
        found.append(Image(name, side, side, "test", (Caption(0, tokens, tuple(said)),), chains))
    return Dataset("made up", tuple(found))


def ranked(lists: Sequence[Boxes]) -> RankedBoxes:
    """Return these lists as predictions, the best first."""
    boxes = RaggedBoxes.of(lists)
    places = np.arange(len(boxes.boxes)) - np.repeat(boxes.offsets[:-1], np.diff(boxes.offsets))
    return RankedBoxes(boxes, -places.astype(np.float64))


def bare_queries(types: Sequence[Sequence[str]], *, each: int = 16) -> Queries:
    """Return queries that have these types, with `each` an image and one and the same true box."""
    number = len(types)
    truth = RaggedBoxes(np.tile([0.0, 0.0, 10.0, 10.0], (number, 1)), np.arange(number + 1))
    image = np.arange(number) // each
    return Queries(
        keys=tuple(MentionKey(f"{n // each}.jpg", 0, n % each, n % each + 1) for n in range(number)),
        phrases=("thing",) * number,
        image=image,
        chain=np.arange(number),
        truth=truth,
        enclosing=enclosing_boxes(truth),
        types=np.array([[name in one for name in TYPES] for one in types], dtype=bool).reshape(-1, 8),
        plural=np.zeros(number, dtype=bool),
        sizes=np.full((number // each + 1, 2), 100.0),
    )
