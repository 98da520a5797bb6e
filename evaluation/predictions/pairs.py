"""Pairs of an image and a caption, as files name them: `"a.jpg"` and `["b.jpg", 3]`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.dataset import Dataset
from evaluation.errors import Place, number, within

CaptionKey = tuple[str, int]
"""The image that a caption was written for, and its number there."""
Candidates = Literal["all", "drawn", "first"]
"""Which captions of an image are candidates: all, one that a seed draws, or the first."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The images and captions that queries and items are. `owner` is the image of each caption."""

    images: tuple[str, ...]
    captions: tuple[CaptionKey, ...]
    owner: NDArray[np.int64]

    def relevant(self) -> NDArray[np.bool_]:
        """Return which captions are an image's own, of shape (images, captions)."""
        return np.asarray(np.arange(len(self.images))[:, None] == self.owner)


def images_and_captions(dataset: Dataset, candidates: Candidates = "all", seed: int = 1) -> Pairs:
    """Return the images that have captions, with their candidates.

    The paper's test images have "one, arbitrarily chosen, caption" (Hodosh, Young and Hockenmaier 2013,
    section 4.1.1): `drawn` takes the one that `drawn_place` names.
    """
    images = [image for image in dataset.images if image.captions]
    found = [
        (place, (image.name, caption.index))
        for place, image in enumerate(images)
        for caption in (
            image.captions[:1]
            if candidates == "first"
            else (image.captions[drawn_place(image.name, len(image.captions), seed)],)
            if candidates == "drawn"
            else image.captions
        )
    ]
    owner = np.array([place for place, _ in found], dtype=np.int64)
    return Pairs(tuple(image.name for image in images), tuple(one for _, one in found), owner)


def drawn_place(image: str, captions: int, seed: int) -> int:
    """Return which of so many captions of an image is drawn, from 0.

    It depends on the seed and on the image's name alone, so that every command that draws with one seed
    draws the same captions, whichever images it reads beside.

    >>> [drawn_place("a.jpg", 5, seed) for seed in (1, 2, 3)]
    [3, 2, 2]
    """
    digest = hashlib.sha256(f"{seed}/{image}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % captions


def caption_of(value: object, place: Place, field: str) -> CaptionKey:
    """Return the caption that a file names, or raise InputError."""
    pair = within(value, list, place, field)
    if len(pair) != 2:
        raise place.error(field, "is not [image, number of the caption]")
    return within(pair[0], str, place, field), number(pair[1], place, field, 0, 100_000)
