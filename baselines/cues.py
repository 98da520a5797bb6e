"""The cues of phrase localization, and how they are combined (Flickr30k Entities, equations 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from baselines.words import content_words
from evaluation.arrays import Floats
from evaluation.dataset import Boxes, Image, Mention

DETECTOR, SIZE, COLOUR = "detector", "size", "colour"
CUES = (DETECTOR, SIZE, COLOUR)
"""The cues of equations 1, 2 and 3."""
SIZE_WEIGHT = 0.1
SIZE_WEIGHTS: Mapping[str, float] = {"scene": 0.2, "vehicles": 0.2, "instruments": 0.2}
"""w_size by type, and that of all others, as the paper's validation images gave them (section 4.1.3)."""
COLOUR_WEIGHT = 0.1
"""w_color without validation images [ours]: the paper does not say which it found."""
PEOPLE = "people"
"""Phrases of this type have no colour cue: colours of people are races (section 4.1.3)."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a phrase that count, and its types. Phrases that are equal score equally."""

    words: tuple[str, ...]
    types: frozenset[str]

    @classmethod
    def of(cls, mention: Mention) -> Phrase:
        """Return the phrase of a mention."""
        return cls(content_words(mention.tokens), frozenset(mention.types))


def full_distance(
    distance: Floats,
    *,
    detector: Floats | None = None,
    detector_share: float = 0.5,
    size: Floats | None = None,
    size_weight: float = 0.0,
    colour: Floats | None = None,
    colour_weight: float = 0.0,
) -> Floats:
    """Return the distance of a phrase to regions, of shape (regions,), by equations 1 to 3.

    `distance` is that of CCA. The others are from 0 to 1, and each is left out if it is None: the detector's
    score, the share of the image's area, and the score of the colour that the phrase names.

    >>> full_distance(np.array([0.6]), detector=np.array([0.8])).round(6).tolist()
    [0.4]
    >>> full_distance(np.array([0.6]), size=np.array([0.5]), size_weight=0.2).round(6).tolist()
    [0.58]
    """
    found = distance
    if detector is not None:
        found = (1 - detector_share) * found + detector_share * (1 - detector)
    rest = 1.0
    terms = np.zeros_like(found)
    if size is not None:
        rest -= size_weight
        terms = terms + size_weight * (1 - size)
    if colour is not None:
        rest -= colour_weight
        terms = terms + colour_weight * (1 - colour)
    return np.asarray(rest * found + terms)


class Scores(Protocol):
    """Scores of regions by a detector or a classifier of the user's."""

    classes: tuple[str, ...]

    def of_boxes(self, image: Image, boxes: Boxes) -> Floats:
        """Return the score of each class for each box, from 0 to 1, of shape (boxes, classes)."""
        ...


@dataclass(frozen=True, slots=True)
class Scored:
    """An image's regions, ready to be compared with phrases."""

    boxes: Boxes
    embedded: NDArray[np.float32]
    """Of shape (regions, components): with unit length, or before they are scaled."""
    detector: Floats
    """How likely each class of the detector is, of shape (regions, classes)."""
    colour: Floats
    size: Floats
    """The share of the image's area, of shape (regions,)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the cues say of each phrase of an image. There is an entry for each phrase, or none (None)."""

    detector: tuple[Floats | None, ...]
    """The score of the phrase's category, of shape (regions,)."""
    colour: tuple[Floats | None, ...]
    """The score of the colour that the phrase names, of shape (regions,)."""
    size: Floats
    """The share of the image's area, of shape (regions,)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each cue counts. The defaults are the paper's; w_color it does not say."""

    detector_share: float = 0.5
    """Of the detector's score where there is one (1). With 1, it stands for CCA's: "CCA or detector"."""
    size_weight: float = SIZE_WEIGHT
    """w_size of types that `size_weights` does not name, and of phrases without a type (2)."""
    size_weights: Mapping[str, float] = field(default_factory=lambda: dict(SIZE_WEIGHTS))
    colour_weight: float = COLOUR_WEIGHT
    """w_color (3)."""

    def size_of(self, types: Iterable[str]) -> float:
        """Return w_size of a phrase: of several types, the largest [ours].

        >>> Weights().size_of({"people", "scene"}), Weights().size_of(())
        (0.2, 0.1)
        """
        return max(
            (self.size_weights.get(name, self.size_weight) for name in types), default=self.size_weight
        )


def distances(
    cca: Floats,
    phrases: Sequence[Phrase],
    evidence: Evidence,
    weights: Weights,
    cues: Sequence[str] = CUES,
) -> Floats:
    """Return the distance of each phrase to each region, of shape (phrases, regions), by equations 1 to 3.

    `cca` has the distances by CCA alone, of the same shape.
    """
    found = np.empty(cca.shape)
    for at, phrase in enumerate(phrases):
        found[at] = full_distance(
            cca[at],
            detector=evidence.detector[at] if DETECTOR in cues else None,
            detector_share=weights.detector_share,
            size=evidence.size if SIZE in cues else None,
            size_weight=weights.size_of(phrase.types),
            colour=evidence.colour[at] if COLOUR in cues else None,
            colour_weight=weights.colour_weight,
        )
    return found
