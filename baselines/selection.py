"""Content selection: which boxes of an image a description would mention, when boxes and concepts are known.

The source is the paper on generating image descriptions from gold standard visual inputs, called C below. The
measure and the orders of the single systems are in `evaluation.content_selection`; here they are learnt from
one part of a data set and used on another, and may be combined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np

from baselines.model_file import load_model, save_model
from evaluation.arrays import Floats
from evaluation.content_selection import (
    MAX_SELECTED,
    Concepts,
    Instances,
    by_bigrams,
    by_chance,
    by_position,
    by_size,
    by_unigrams,
    count_concepts,
    instances,
    ranks,
)
from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.labelled import read_labelled

RANDOM, SIZE, POSITION, UNIGRAMS, BIGRAMS = "random", "size", "position", "unigrams", "bigrams"
NAMES = (RANDOM, SIZE, POSITION, UNIGRAMS, BIGRAMS)
"""The single systems (C, section 4)."""

CONNECTIVES = (
    *("about", "above", "against", "among", "and", "around", "behind", "below", "beneath", "beside", "by"),
    *("in", "inside", "near", "on", "under", "underneath", "with"),
)
"""Words that connect concepts in a toy sentence. The paper does not list its own [ours]."""


@dataclass(kw_only=True)
class ContentSelection:
    """Selects at most `most` boxes of an image by one system of NAMES, or by the mean rank of several.

    `most` is the paper's k, which it varies from 1 to 15; its systems are best at 3 or 4 (C, section 5).
    `seed` is of the random system alone.
    """

    systems: tuple[str, ...] = (SIZE, UNIGRAMS)
    most: int = 4
    seed: int = 1
    concepts_: Concepts = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        self.systems = tuple(self.systems)
        known = {*self.systems} & {*NAMES}
        if not known or len(known) < len(self.systems):
            raise ValueError(f"systems: {', '.join(self.systems)} are not some of {', '.join(NAMES)}")
        if not 1 <= self.most <= MAX_SELECTED:
            raise ValueError(f"most: {self.most} is not from 1 to {MAX_SELECTED}")

    def fit(self, images: Sequence[Instances]) -> Self:
        """Count which concepts the descriptions of a development part mention, and in which order."""
        self.concepts_ = count_concepts(images)
        return self

    def score(self, image: Instances, number: int = 0) -> Floats:
        """Return the negative mean rank of each box over the systems, of shape (boxes,).

        A box that a system does not select has the mean of the ranks that are left (C, section 5.1). `number`
        is the place of the image in its data set: the random system differs from image to image.
        """
        orders = self._orders(image, number)
        return np.asarray(-np.mean([ranks(order, len(image.boxes)) for order in orders], axis=0))

    def select(self, image: Instances, number: int = 0) -> list[int]:
        """Return the boxes that are selected, the best first.

        A single system may select fewer than `most`. Of several with one mean rank, the first system decides.
        """
        orders = self._orders(image, number)
        if len(orders) == 1:
            return orders[0][: self.most]
        first = ranks(orders[0], len(image.boxes))
        order: list[int] = np.lexsort((first, -self.score(image, number))).tolist()
        return order[: self.most]

    def save(self, path: Path) -> None:
        """Write the model. Raise InputError if the file cannot be written."""
        unigrams, bigrams = self.concepts_.unigrams, self.concepts_.bigrams
        arrays = {
            "unigrams": np.array(list(unigrams), dtype=np.str_),
            "unigram_counts": np.array(list(unigrams.values()), dtype=np.int64),
            "bigrams": np.array(list(bigrams), dtype=np.str_).reshape(-1, 2),
            "bigram_counts": np.array(list(bigrams.values()), dtype=np.int64),
        }
        save_model(path, self, arrays)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model. Raise InputError if the file is none."""
        model, arrays = load_model(
            path, cls, {"unigrams": "U", "unigram_counts": "i", "bigrams": "U", "bigram_counts": "i"}
        )
        unigrams, pairs = arrays["unigrams"].tolist(), map(tuple, arrays["bigrams"].tolist())
        model.concepts_ = Concepts(
            dict(zip(unigrams, arrays["unigram_counts"].tolist(), strict=True)),
            dict(zip(pairs, arrays["bigram_counts"].tolist(), strict=True)),
        )
        return model

    def _orders(self, image: Instances, number: int) -> list[list[int]]:
        of = {
            RANDOM: lambda: by_chance(image, np.random.default_rng([self.seed, number])),
            SIZE: lambda: by_size(image),
            POSITION: lambda: by_position(image),
            UNIGRAMS: lambda: by_unigrams(image, self.concepts_),
            BIGRAMS: lambda: by_bigrams(image, self.concepts_),
        }
        return [of[system]() for system in self.systems]


def images_with_boxes(dataset: Dataset, labelled: Path | None = None) -> list[Instances]:
    """Return the instances of each image that has boxes. `labelled` is a file with all boxes of the images.

    Raise InputError if no image has a box, or for a file that cannot be used.
    """
    names = (image.name for image in dataset.images)
    found = instances(dataset, labelled=read_labelled(labelled, names, Findings()) if labelled else None)
    if not found:
        raise InputError(f"{dataset.title} has no image with a box")
    return found


def toy_sentence(image: Instances, selected: Sequence[int], rng: np.random.Generator) -> str:
    """Return the concepts in their order, connected by words that are drawn at random (C, figure 5).

    It means nothing: only the selection is measured.

    >>> image = Instances(np.zeros((2, 4)), ("dog", "river"), (100, 100), ())
    >>> toy_sentence(image, [1, 0], np.random.default_rng(1))
    '[River]1 beneath [dog]0 .'
    """
    words = []
    for place, one in enumerate(selected):
        if place:
            words.append(str(rng.choice(CONNECTIVES)) + (" the" if rng.random() < 0.5 else ""))
        concept = image.concepts[one]
        words.append(f"[{concept if place else concept.capitalize()}]{one}")
    return " ".join([*words, "."])
