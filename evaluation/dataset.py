"""A phrase-grounding data set as values: images with their captions, mentions, chains and boxes.

Boxes are `[left, top, right, bottom]` in pixel edges: `left` and `top` are included, `right` and `bottom` are
not. So the width of a box is `right - left`. The readers in `evaluation.readers` turn other conventions into
this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

TYPES = ("people", "clothing", "bodyparts", "animals", "vehicles", "instruments", "scene", "other")
"""The eight types of mentions, in the order of the paper's table 6. Projects may add types of their own."""
MAX_TYPE = 24
"""Characters of the name of a type."""
_TYPE = re.compile(rf"[a-z][a-z_]{{0,{MAX_TYPE - 1}}}")

Boxes = NDArray[np.float64]
"""Boxes in pixel edges, of shape (n, 4)."""


def is_type(name: object) -> bool:
    """Return whether this can be the name of a type: lower-case letters and `_`, at most MAX_TYPE.

    >>> is_type("food"), is_type("Food"), is_type("food/drink")
    (True, False, False)
    """
    return isinstance(name, str) and _TYPE.fullmatch(name) is not None


def types_in_order(types: Iterable[str]) -> tuple[str, ...]:
    """Return the types once each: those of TYPES in their order, then a project's own ones by name.

    >>> types_in_order(["toys", "scene", "food", "people", "scene"])
    ('people', 'scene', 'food', 'toys')
    """
    found = set(types)
    return (*(one for one in TYPES if one in found), *sorted(found.difference(TYPES)))


@dataclass(frozen=True, slots=True)
class MentionKey:
    """Where a mention is. Predictions name their mentions by it.

    `image` is the image's file name, and `caption` the number of the caption from 0. `start` and `end` count
    tokens; `end` is not included.
    """

    image: str
    caption: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase of a caption that may name something in the image.

    `chain` is the id of its chain in the image, or "" if the mention is not visual or was not annotated.
    """

    key: MentionKey
    tokens: tuple[str, ...]
    types: tuple[str, ...]
    chain: str

    @property
    def phrase(self) -> str:
        """Return its words with single spaces between them."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Caption:
    """A sentence about an image. `index` is its number in the image, from 0."""

    index: int
    tokens: tuple[str, ...]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """The mentions of an image that mean the same thing or things, and the boxes of these things.

    `boxes` has the shape (n, 4), and no rows if the chain has no box. Then `scene` or `nobndbox` says why.
    """

    id: str
    types: tuple[str, ...]
    boxes: Boxes
    scene: bool = False
    nobndbox: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """An image with everything that is known of it. `width` and `height` are pixels, and 0 if unknown.

    `chains` has the chains that captions mention.
    """

    name: str
    width: int
    height: int
    split: str
    captions: tuple[Caption, ...]
    chains: Mapping[str, Chain]
    unmentioned: Boxes = field(default_factory=lambda: np.empty((0, 4)))
    """Boxes that no mention means."""

    def mentions(self) -> Iterator[Mention]:
        """Yield all mentions, caption by caption."""
        for caption in self.captions:
            yield from caption.mentions


@dataclass(frozen=True, slots=True)
class ModelPart:
    """The part that a model had in the boxes of a data set. `model` is its name and version.

    `drawn`, `accepted` and `adjusted` are boxes before merging whose workers were shown its boxes, of
    `boxes_raw`; `judged` are boxes that rest on its answers, and `unjudged` those of them that no worker
    judged, of `boxes`. They are of the images of the data set, or of the `whole_export`.
    """

    model: str
    family: str
    drawn: int = 0
    accepted: int = 0
    adjusted: int = 0
    judged: int = 0
    unjudged: int = 0
    boxes: int = 0
    boxes_raw: int = 0
    whole_export: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """The images of a data set, in the order of their names. `title` is what reports call it.

    `language` is the tag of the captions' language, such as `en`, or "" if the data set does not say it.
    `models` had a part in its boxes.
    """

    title: str
    images: tuple[Image, ...]
    language: str = ""
    models: tuple[ModelPart, ...] = ()

    @property
    def is_english(self) -> bool:
        """Return whether the captions are in English. A data set that does not say it counts as English."""
        return self.language.partition("-")[0].lower() in ("", "en")
