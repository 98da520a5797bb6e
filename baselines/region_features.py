"""What regions of photographs look like, computed without a network [ours]: the paper has features of VGG."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

from baselines.photographs import Pixels
from evaluation.arrays import Floats, Ints
from evaluation.dataset import Boxes
from evaluation.errors import InputError

COLOUR_BINS = (4, 6, 6)
"""Bins of lightness, green to red, and blue to yellow (CIELAB) of the joint histogram of colours."""
CELLS = 2
"""Rows and columns of cells in which mean colours and textures are taken apart."""
PATTERNS = 10
"""Rotation-invariant uniform local binary patterns of 8 neighbours."""
_HOG = ((64, 64), (32, 32), (16, 16), (16, 16), 9)
"""Window, block, step and cell of the histograms of oriented gradients, in pixels, and their directions."""
MAX_DESCRIPTORS = 100_000
"""Descriptors from which words of SIFT are learnt."""

PARTS = ("colour", "texture", "shape", "words", "position")
"""The parts of a region's features, in their order."""


@dataclass(kw_only=True)
class RegionFeatures:
    """Colour, texture, oriented gradients, words of SIFT, and position of regions.

    `words` is how many words of SIFT there are; the descriptors lie on a grid of `step` pixels, after the
    photograph was made smaller until its longer side has `side`. `parts` are some of PARTS.
    """

    words: int = 128
    step: int = 10
    side: int = 256
    parts: tuple[str, ...] = PARTS
    seed: int = 1
    codebook_: NDArray[np.float32] = field(init=False, repr=False)
    """The words of SIFT, of shape (words, 128)."""

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        self.parts = tuple(self.parts)
        if not self.parts or not {*self.parts} <= {*PARTS}:
            raise ValueError(f"parts: {', '.join(self.parts)} are not some of {', '.join(PARTS)}")

    def fit(self, photographs: Iterable[Pixels]) -> Self:
        """Learn the words of SIFT from descriptors of photographs, equally many of each."""
        rng = np.random.default_rng(self.seed)
        found: list[NDArray[np.float32]] = []
        for pixels in photographs:
            _, descriptors = self._descriptors(self._smaller(pixels)[0])
            each = min(len(descriptors), 200)
            found.append(descriptors[rng.choice(len(descriptors), each, replace=False)])
        every = np.concatenate(found)
        if len(every) > MAX_DESCRIPTORS:
            every = every[rng.choice(len(every), MAX_DESCRIPTORS, replace=False)]
        means = MiniBatchKMeans(min(self.words, len(every)), random_state=self.seed, n_init=1)
        self.codebook_ = means.fit(every).cluster_centers_.astype(np.float32)
        return self

    def transform(self, pixels: Pixels, boxes: Boxes) -> NDArray[np.float32]:
        """Return the features of each box of a photograph, of shape (boxes, features).

        Boxes are in pixel edges of the photograph. Where one is outside of it, the nearest pixels count.
        """
        small, scale = self._smaller(pixels)
        height, width = small.shape[:2]
        inner = np.empty((len(boxes), 4), dtype=np.int64)
        scaled = boxes * ([scale[0], scale[1]] * 2)
        inner[:, :2] = np.clip(np.floor(scaled[:, :2]), 0, [width - 1, height - 1])
        inner[:, 2:] = np.clip(np.ceil(scaled[:, 2:]), inner[:, :2] + 1, [width, height])
        found: list[NDArray[Any]] = []
        lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), dtype=np.uint8)
        if "colour" in self.parts:
            found += [np.sqrt(_counted(_colour_bins(lab), int(np.prod(COLOUR_BINS)), inner))]
            found += [_mean_colours(lab, inner)]
        if "texture" in self.parts:
            patterns = _patterns(lab[:, :, 0])
            found += [np.sqrt(_counted(patterns, PATTERNS, cells)) for cells in _cells(inner)]
        if "shape" in self.parts:
            found.append(_gradients(small, inner))
        if "words" in self.parts:
            found.append(np.sqrt(self._words(small, inner)))
        if "position" in self.parts:
            found.append(_positions(boxes / ([pixels.shape[1], pixels.shape[0]] * 2)))
        return np.concatenate(found, axis=1).astype(np.float32)

    def _smaller(self, pixels: Pixels) -> tuple[Pixels, tuple[float, float]]:
        """Return the photograph with a longer side of `side` or less, and how much smaller each side is."""
        height, width = pixels.shape[:2]
        scale = min(1.0, self.side / max(height, width))
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        small = pixels if scale == 1.0 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8), (size[0] / width, size[1] / height)

    def _descriptors(self, small: Pixels) -> tuple[Ints, NDArray[np.float32]]:
        """Return the columns and rows of points on the grid, and their descriptors of SIFT."""
        height, width = small.shape[:2]
        half = self.step / 2
        rows, columns = np.arange(half, height, self.step), np.arange(half, width, self.step)
        points = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        keypoints = [cv2.KeyPoint(float(x), float(y), float(self.step)) for x, y in points]
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        kept, descriptors = cv2.SIFT.create().compute(grey, keypoints)
        if descriptors is None:  # the photograph is smaller than a step
            return np.empty((0, 2), dtype=np.int64), np.empty((0, 128), dtype=np.float32)
        return np.array([one.pt for one in kept], dtype=np.int64), np.asarray(descriptors, dtype=np.float32)

    def _words(self, small: Pixels, boxes: Ints) -> Floats:
        """Return the share of each word among the points within each box, of shape (boxes, words)."""
        points, descriptors = self._descriptors(small)
        found = np.zeros((len(boxes), len(self.codebook_)))
        if not len(points):
            return found
        away = np.square(self.codebook_).sum(axis=1) - 2 * descriptors @ self.codebook_.T
        words = np.eye(len(self.codebook_))[away.argmin(axis=1)]
        within = ((points[None] >= boxes[:, None, :2]) & (points[None] < boxes[:, None, 2:])).all(axis=2)
        found = within @ words
        return np.asarray(found / np.maximum(found.sum(axis=1, keepdims=True), 1.0))


@dataclass(kw_only=True)
class WithLooks:
    """A model that may have been trained with photographs: then its file has what computes their features."""

    looks: dict[str, Any] | None = None
    """The parameters of RegionFeatures, or None if features come from a file."""
    codebook_: NDArray[np.float32] | None = field(init=False, repr=False, default=None)

    def keep_looks(self, looks: RegionFeatures) -> None:
        """Keep what computes the features of regions, for the file of the model."""
        self.looks = {one.name: getattr(looks, one.name) for one in fields(looks) if one.init}
        self.codebook_ = looks.codebook_

    def kept_looks(self) -> RegionFeatures:
        """Return what computes the features of regions as in training.

        Raise InputError if the model was trained with features of a file.
        """
        if self.looks is None or self.codebook_ is None:
            raise InputError("the model was trained with features of a file: give --features, not --images")
        found = RegionFeatures(**self.looks)
        found.codebook_ = self.codebook_
        return found

    def looks_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a file has of this, beside the parameters."""
        return {} if self.codebook_ is None else {"codebook": self.codebook_}


def looks_kinds(parameters: dict[str, Any]) -> dict[str, str]:
    """Return which arrays a file with these parameters has of WithLooks, and of which kind each is."""
    return {"codebook": "f"} if parameters.get("looks") else {}


def _colour_bins(lab: Pixels) -> Ints:
    """Return the bin of each pixel in the joint histogram of CIELAB, of shape (height, width)."""
    of = [
        np.minimum(lab[:, :, at].astype(np.int64) * number // 256, number - 1)
        for at, number in enumerate(COLOUR_BINS)
    ]
    return np.asarray((of[0] * COLOUR_BINS[1] + of[1]) * COLOUR_BINS[2] + of[2])


def _counted(bins: Ints, number: int, boxes: Ints) -> Floats:
    """Return the share of each of `number` bins among the pixels of each box, of shape (boxes, number)."""
    found = np.empty((len(boxes), number))
    for row, (left, top, right, bottom) in enumerate(boxes.tolist()):
        counts = np.bincount(bins[top:bottom, left:right].ravel(), minlength=number)
        found[row] = counts / ((right - left) * (bottom - top))
    return found


def _cells(boxes: Ints) -> list[Ints]:
    """Return the cells of each box, CELLS × CELLS of them, each of at least one pixel."""
    sides = boxes[:, 2:] - boxes[:, :2]
    found = []
    for row in range(CELLS):
        for column in range(CELLS):
            low = boxes[:, :2] + sides * [column, row] // CELLS
            high = np.maximum(boxes[:, :2] + sides * [column + 1, row + 1] // CELLS, low + 1)
            found.append(np.concatenate([low, high], axis=1))
    return found


def _mean_colours(lab: Pixels, boxes: Ints) -> Floats:
    """Return the mean colour of each cell of each box, from 0 to 1: of shape (boxes, 12)."""
    table = cv2.integral(lab).astype(np.float64)
    found = []
    for cells in _cells(boxes):
        left, top, right, bottom = cells.T
        sums = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
        found.append(sums / (255 * (right - left) * (bottom - top))[:, None])
    return np.concatenate(found, axis=1)


def _patterns(grey: NDArray[np.uint8]) -> Ints:
    """Return the local binary pattern of each pixel: 0 to 8 by its brighter neighbours, 9 if not uniform."""
    wide = np.pad(grey, 1, mode="edge").astype(np.int64)
    height, width = grey.shape
    around = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    brighter = np.stack([wide[row : row + height, column : column + width] >= grey for row, column in around])
    changes = (brighter != np.roll(brighter, 1, axis=0)).sum(axis=0)
    return np.where(changes <= 2, brighter.sum(axis=0), PATTERNS - 1)


def _gradients(small: Pixels, boxes: Ints) -> Floats:
    """Return histograms of oriented gradients of each box, of shape (boxes, 324)."""
    hog = cv2.HOGDescriptor(*_HOG)
    found = [
        np.asarray(hog.compute(cv2.resize(small[top:bottom, left:right], _HOG[0]))).ravel()
        for left, top, right, bottom in boxes.tolist()
    ]
    return np.array(found, dtype=np.float64).reshape(len(boxes), -1 if found else 324)


def _positions(shares: Boxes) -> Floats:
    """Return edges, sides, the root of the area and the log of the aspect of boxes, whose image is 1 × 1."""
    sides = np.maximum(shares[:, 2:] - shares[:, :2], 1e-6)
    area = np.sqrt(sides.prod(axis=1))
    aspect = np.log(sides[:, 0] / sides[:, 1])
    return np.concatenate([shares, sides, area[:, None], aspect[:, None]], axis=1)
