"""Uses a model of phrase localization: predictions, and what they reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from baselines.cues import Phrase, Scored
from baselines.localization import PhraseLocalizer
from baselines.output import write_arrays
from baselines.regions import RegionSource
from baselines.work import show
from evaluation.dataset import Boxes, Image, Mention, MentionKey
from evaluation.errors import InputError
from evaluation.localization import Outcomes, Queries, join, localize
from evaluation.predictions.parts import rank
from evaluation.ragged import RankedBoxes

GROUP = 200
"""Images whose phrases are embedded together. Equal phrases of a group are embedded once."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """The boxes of an image, and how well each fits each of its mentions, of shape (mentions, boxes)."""

    keys: tuple[MentionKey, ...]
    boxes: Boxes
    scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def queried(image: Image) -> list[Mention]:
    """Return the mentions of an image that have a box: what is asked for."""
    return [
        mention
        for mention in image.mentions()
        if mention.chain in image.chains and len(image.chains[mention.chain].boxes)
    ]


def predict(
    model: PhraseLocalizer,
    images: Sequence[Image],
    regions: Iterator[Scored] | Sequence[Scored],
    *,
    cues: Sequence[str] | None = None,
    detector_share: float | None = None,
) -> Iterator[Predicted]:
    """Yield the predictions for each image. `regions` has those of each, in their order.

    Cues and share of the detector are the model's, unless they are given.
    """
    of_image = iter(regions)
    for begin in range(0, len(images), GROUP):
        group = images[begin : begin + GROUP]
        asked = [queried(image) for image in group]
        distinct: dict[Phrase, int] = {}
        for mention in (one for mentions in asked for one in mentions):
            distinct.setdefault(Phrase.of(mention), len(distinct))
        embedded = model.embed(list(distinct))
        for mentions in asked:
            scored = next(of_image)
            phrases = list(dict.fromkeys(Phrase.of(mention) for mention in mentions))
            places = np.array([distinct[one] for one in phrases], dtype=np.int64)
            rows = model.score(phrases, embedded[places], scored, cues=cues, detector_share=detector_share)
            place = {phrase: at for at, phrase in enumerate(phrases)}
            which = np.array([place[Phrase.of(mention)] for mention in mentions], dtype=np.int64)
            yield Predicted(
                tuple(mention.key for mention in mentions), scored.boxes, rows[which].astype(np.float32)
            )


def regions_of(model: PhraseLocalizer, images: Sequence[Image], source: RegionSource) -> Iterator[Scored]:
    """Yield the regions of each image, ready to be compared with phrases."""
    for image in show(images, "Regions", len(images)):
        yield model.regions(image, source)


def outcomes_of(asked: Queries, predicted: Iterator[Predicted]) -> Outcomes:
    """Return what predictions reach. They have the queries of the data set, in their order."""
    parts = []
    row = 0
    for one in predicted:
        if one.keys:
            rows = np.arange(row, row + len(one.keys))
            row += len(rows)
            parts.append(localize(asked, rows, _ranked(one)))
    return join(parts)


def write_boxes(path: Path, images: Sequence[Image], predicted: Iterator[Predicted]) -> int:
    """Write predictions as `.npz`, and return how many mentions have some.

    Raise InputError if no mention of the images has a box, or if the file cannot be written.
    """
    mentions: list[tuple[int, int, int, int]] = []
    sizes: list[int] = []
    boxes: list[Boxes] = []
    scores: list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]] = []
    for at, one in enumerate(predicted):
        for key, row in zip(one.keys, one.scores, strict=True):
            order = np.argsort(-row, kind="stable")
            mentions.append((at, key.caption, key.start, key.end))
            sizes.append(len(row))
            boxes.append(one.boxes[order].astype(np.float32))
            scores.append(row[order])
    if not mentions:
        raise InputError("no mention of these images has a box, so there is nothing to localize")
    write_arrays(
        path,
        {
            "images": np.array([image.name for image in images], dtype=np.str_),
            "mentions": np.array(mentions, dtype=np.int64),
            "offsets": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            "boxes": np.concatenate(boxes),
            "scores": np.concatenate(scores),
        },
    )
    return len(mentions)


def _ranked(one: Predicted) -> RankedBoxes:
    number = len(one.keys)
    sizes = np.full(number, len(one.boxes), dtype=np.int64)
    return rank(np.tile(one.boxes, (number, 1)), one.scores.astype(np.float64).ravel(), sizes)
