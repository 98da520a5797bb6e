"""Pairs of an image and a caption, as files name them: `"a.jpg"` and `["b.jpg", 3]`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.dataset import Dataset
from evaluation.errors import Place, number, within

CaptionKey = tuple[str, int]
"""The image that a caption was written for, and its number there."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The images and captions that queries and items are. `owner` is the image of each caption."""

    images: tuple[str, ...]
    captions: tuple[CaptionKey, ...]
    owner: NDArray[np.int64]

    def relevant(self) -> NDArray[np.bool_]:
        """Return which captions are an image's own, of shape (images, captions)."""
        return np.asarray(np.arange(len(self.images))[:, None] == self.owner)


def images_and_captions(dataset: Dataset, *, one_each: bool = False) -> Pairs:
    """Return the images that have captions, with all captions or, with `one_each`, the first of each."""
    images = [image for image in dataset.images if image.captions]
    found = [
        (place, (image.name, caption.index))
        for place, image in enumerate(images)
        for caption in (image.captions[:1] if one_each else image.captions)
    ]
    owner = np.array([place for place, _ in found], dtype=np.int64)
    return Pairs(tuple(image.name for image in images), tuple(one for _, one in found), owner)


def caption_of(value: object, place: Place, field: str) -> CaptionKey:
    """Return the caption that a file names, or raise InputError."""
    pair = within(value, list, place, field)
    if len(pair) != 2:
        raise place.error(field, "is not [image, number of the caption]")
    return within(pair[0], str, place, field), number(pair[1], place, field, 0, 100_000)
