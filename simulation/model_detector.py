"""A simulated detector: it proposes boxes for the mentions of images whose truth is known, and errs."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.domain.geometry import Box
from annotation.domain.records import ImageRecord


@dataclass(frozen=True, slots=True)
class Detector:
    """How good it is. Shares are from 0 to 1."""

    recall: float = 0.7  # of the entities of a mention: with a box
    jitter: float = 0.04  # of a box's side: by how much each edge is off
    loose: float = 0.12  # of its boxes: a quarter too large on each side
    false: float = 0.15  # boxes around nothing, a mention


def detect(images: Iterable[ImageRecord], detector: Detector, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Yield a line of predictions for each mention of a chain, as `evaluation localization` reads them.

    The mentions of a chain get the same boxes, best first: a detector sees the photograph once.
    """
    for image in images:
        for chain in image.chains:
            found = [
                (_propose(image.boxes[place].box, detector, rng, image), rng.betavariate(6, 2))
                for place in chain.boxes
                if rng.random() < detector.recall
            ]
            if rng.random() < detector.false:
                found.append((_anywhere(rng, image), rng.betavariate(2, 4)))
            found.sort(key=lambda one: -one[1])
            for caption, start, end in chain.mentions:
                yield {
                    "image": image.name,
                    "caption": caption,
                    "start": start,
                    "end": end,
                    "boxes": [list(box.edges) for box, _ in found],
                    "scores": [round(score, 4) for _, score in found],
                }


def _propose(truth: Box, detector: Detector, rng: random.Random, image: ImageRecord) -> Box:
    reach = 0.25 if rng.random() < detector.loose else 0.0
    sides = truth.width, truth.height, truth.width, truth.height
    outwards = -1, -1, 1, 1
    edges = [
        edge + side * (sign * reach + rng.uniform(-detector.jitter, detector.jitter))
        for edge, side, sign in zip(truth.edges, sides, outwards, strict=True)
    ]
    return _inside(edges, image)


def _anywhere(rng: random.Random, image: ImageRecord) -> Box:
    width, height = image.width or 100, image.height or 100
    left, top = rng.uniform(0, 0.7) * width, rng.uniform(0, 0.7) * height
    return _inside([left, top, left + 0.25 * width, top + 0.25 * height], image)


def _inside(edges: list[float], image: ImageRecord) -> Box:
    """Return a box with these edges within the image, at least 3 pixels wide and high."""
    width, height = image.width or 100, image.height or 100
    left = max(0, min(round(edges[0]), width - 3))
    top = max(0, min(round(edges[1]), height - 3))
    return Box(
        left, top, min(width, max(round(edges[2]), left + 3)), min(height, max(round(edges[3]), top + 3))
    )
