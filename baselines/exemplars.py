"""Which regions of which phrases are learnt from, and which hold nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baselines.cca import row_basis
from baselines.cues import Phrase
from baselines.phrases import PhraseFeatures
from baselines.regions import RegionSource, Rows
from evaluation.arrays import Floats
from evaluation.boxes import enclosing, iou_matrix
from evaluation.dataset import Boxes, Dataset

BACKGROUND = "(background)"
"""The detector's class of regions that hold nothing. No word is called so."""
BACKGROUND_IOU = 0.3
"""A region with a smaller IoU with everything that captions mention is background [ours]."""


@dataclass(frozen=True, slots=True)
class Exemplar:
    phrase: Phrase
    image: int
    box: Boxes


def phrase_basis(features: PhraseFeatures, phrases: Sequence[Sequence[str]]) -> Floats | None:
    """Return a basis of the features of phrases for `CCA.fit_blocks`.

    None if there are so many phrases that it would save nothing.
    """
    if len(phrases) > features.width / 2:
        return None
    return row_basis(features.transform(phrases))


def exemplars_of(
    dataset: Dataset, most: int, rng: np.random.Generator
) -> dict[tuple[str, ...], list[Exemplar]]:
    """Return at most so many regions of each phrase. One thing counts once for each phrase that names it."""
    found: defaultdict[tuple[str, ...], dict[tuple[int, str], Exemplar]] = defaultdict(dict)
    for at, image in enumerate(dataset.images):
        for mention in image.mentions():
            chain = image.chains.get(mention.chain) if mention.chain else None
            phrase = Phrase.of(mention)
            if chain is not None and len(chain.boxes) and phrase.words:
                exemplar = Exemplar(phrase, at, enclosing(chain.boxes))
                found[phrase.words].setdefault((at, chain.id), exemplar)
    chosen = {}
    for words, regions in found.items():
        every = list(regions.values())
        if len(every) > most:
            every = [every[nth] for nth in np.sort(rng.choice(len(every), most, replace=False)).tolist()]
        chosen[words] = every
    return chosen


def background_rows(
    dataset: Dataset, source: RegionSource, rng: np.random.Generator, most: int, each: int
) -> Rows:
    """Return features of proposals that hardly overlap anything that captions mention.

    They are `each` proposals at most of each of `most` images, drawn at random.
    """
    number = min(most, len(dataset.images))
    found = []
    for at in np.sort(rng.choice(len(dataset.images), number, replace=False)).tolist():
        image = dataset.images[at]
        true = [chain.boxes for chain in image.chains.values() if len(chain.boxes)]
        boxes = source.proposals(image)
        if true:
            overlaps = iou_matrix(boxes, np.concatenate(true)).max(axis=1, initial=0.0)
            boxes = boxes[overlaps < BACKGROUND_IOU]
        drawn = rng.choice(len(boxes), min(each, len(boxes)), replace=False)
        rows, known = source.features(image, boxes[drawn])
        found.append(rows[known])
    return np.concatenate(found)
