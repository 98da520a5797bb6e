"""Pairs of an image and a caption, as files name them: `"a.jpg"` and `["b.jpg", 3]`."""

from __future__ import annotations

import hashlib
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


def images_and_captions(dataset: Dataset) -> Pairs:
    """Return the images that have captions, with all of them. `candidates` has those of one an image."""
    images = [image for image in dataset.images if image.captions]
    captions = tuple((image.name, caption.index) for image in images for caption in image.captions)
    owner = np.repeat(np.arange(len(images)), [len(image.captions) for image in images])
    return Pairs(tuple(image.name for image in images), captions, owner.astype(np.int64))


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
