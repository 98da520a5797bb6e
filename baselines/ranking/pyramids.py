"""Images as pyramids of histograms of visual words, and their intersection kernel (R, 3.3).

Visual words are the centres of k-means: of CIELAB colours, of edges at several orientations (texture), and of
SIFT descriptors. The image is also divided into 2 x 2 and 4 x 4 cells, and each cell has its histograms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from baselines.distinct_rows import distinct_rows
from baselines.model_file import load_model, save_model
from evaluation.arrays import Floats, Ints
from evaluation.errors import InputError

Pixels = NDArray[np.uint8]
"""Of shape (height, width, 3): blue, green, red."""
Histograms = NDArray[np.float32]
"""A row for each image."""
COLOURS, TEXTURES, SHAPES = "colours", "textures", "shapes"
_ORIENTATIONS, _WAVELENGTHS = 6, (4.0, 8.0)
"""Of the filters that find edges [ours: the paper only names the kind of its descriptors]."""
_ROWS = 16
"""Rows that are compared at a time, so that they stay in the processor's cache."""


@dataclass
class Pyramids:
    """Learns visual words from photographs, and describes photographs by them.

    The defaults of the first five are the paper's. `side` is the length of the longer side that a photograph
    is reduced to, and `step` the distance between SIFT descriptors, whose region has the width `width`. Every
    `stride`-th pixel in each direction counts for colours and textures [ours].
    """

    colours: int = 128
    textures: int = 256
    shapes: int = 256
    images: int = 200
    """Photographs that words are learnt from."""
    points: int = 1000
    """Descriptors of each kind that each of these gives."""
    levels: int = 3
    side: int = 256
    step: int = 8
    width: float = 16.0
    stride: int = 2
    seed: int = 1
    centres: dict[str, NDArray[np.float32]] = field(default_factory=dict, init=False)

    @property
    def length(self) -> int:
        """Return the number of values of a pyramid: 13,440 with the paper's numbers."""
        words = sum(map(len, self.centres.values()))
        return words * sum(1 << 2 * level for level in range(self.levels))

    @property
    def fingerprint(self) -> str:
        """Return what tells these visual words from others. It does not tell the number of levels."""
        found = hashlib.sha256()
        for kind in (COLOURS, TEXTURES, SHAPES):
            found.update(np.ascontiguousarray(self.centres[kind]).tobytes())
        return found.hexdigest()

    def fit(
        self,
        names: Sequence[str],
        read: Callable[[str], Pixels],
        progress: Callable[[Iterable[str]], Iterable[str]] = iter,
    ) -> Pyramids:
        """Learn the words from at most `images` of these photographs. Return self."""
        rng = np.random.default_rng(self.seed)
        drawn = sorted(rng.choice(len(names), min(self.images, len(names)), replace=False).tolist())
        found: dict[str, list[NDArray[np.float32]]] = {COLOURS: [], TEXTURES: [], SHAPES: []}
        for name in progress([names[at] for at in drawn]):
            for kind, (descriptors, _) in self._described(read(name)).items():
                kept = rng.permutation(len(descriptors))[: self.points]
                found[kind].append(descriptors[kept])
        numbers = {COLOURS: self.colours, TEXTURES: self.textures, SHAPES: self.shapes}
        self.centres = {}
        for kind, parts in found.items():
            self.centres[kind] = visual_words(np.concatenate(parts), numbers[kind], self.seed)
        return self

    def transform(
        self,
        names: Sequence[str],
        read: Callable[[str], Pixels],
        progress: Callable[[Iterable[str]], Iterable[str]] = iter,
    ) -> Histograms:
        """Return the pyramids of photographs, of shape (photographs, length). Each sums to 1."""
        found = np.zeros((len(names), self.length), dtype=np.float32)
        for row, name in enumerate(progress(names)):
            found[row] = self.pyramid(read(name))
        return found

    def save(self, path: Path, names: Sequence[str], pyramids: Histograms) -> None:
        """Write the words as `.npz`, with the pyramids of photographs. Raise InputError if that fails."""
        save_model(path, self, {**self.centres, "names": np.array(names), "pyramids": pyramids})

    @classmethod
    def load(cls, path: Path) -> tuple[Pyramids, tuple[str, ...], Histograms]:
        """Return what `save` wrote. Raise InputError if the file is something else."""
        kinds = {COLOURS: "f", TEXTURES: "f", SHAPES: "f", "names": "U", "pyramids": "f"}
        found, arrays = load_model(path, cls, kinds)
        found.centres = {kind: arrays[kind].astype(np.float32) for kind in (COLOURS, TEXTURES, SHAPES)}
        names, pyramids = arrays["names"], arrays["pyramids"].astype(np.float32)
        if names.ndim != 1 or pyramids.shape != (len(names), found.length):
            raise InputError(
                f"{path}: pyramids: have another shape than the names and the words; describe anew"
            )
        return found, tuple(names.tolist()), pyramids

    def pyramid(self, photograph: Pixels) -> Histograms:
        """Return the pyramid of one photograph, of shape (length,)."""
        parts = []
        for kind, (descriptors, places) in self._described(photograph).items():
            words = nearest(descriptors, self.centres[kind])
            parts.append(pyramid(words, places, len(self.centres[kind]), self.levels) / len(self.centres))
        return np.concatenate(parts).astype(np.float32)

    def _described(self, photograph: Pixels) -> dict[str, tuple[NDArray[np.float32], Floats]]:
        """Return the descriptors of each kind and where they are, as shares of the width and height."""
        scale = self.side / max(photograph.shape[:2])
        size = [max(16, round(scale * length)) for length in photograph.shape[1::-1]]
        reduced = cv2.resize(photograph, size, interpolation=cv2.INTER_AREA)
        height, width = reduced.shape[:2]
        lab = cv2.cvtColor(reduced.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        grey = cv2.cvtColor(reduced, cv2.COLOR_BGR2GRAY)
        rows, columns = np.mgrid[0 : height : self.stride, 0 : width : self.stride]
        at = np.stack([columns.ravel() / width, rows.ravel() / height], axis=1)
        keypoints = [
            cv2.KeyPoint(float(x), float(y), self.width)
            for y in range(self.step // 2, height, self.step)
            for x in range(self.step // 2, width, self.step)
        ]
        kept, shapes = cv2.SIFT.create().compute(grey, keypoints)
        where = np.array([(point.pt[0] / width, point.pt[1] / height) for point in kept])
        return {
            COLOURS: (lab[rows, columns].reshape(-1, 3), at),
            TEXTURES: (_edges(grey)[rows, columns].reshape(len(at), -1), at),
            SHAPES: (np.asarray(shapes, dtype=np.float32), where),
        }


def _edges(grey: NDArray[Any]) -> NDArray[np.float32]:
    """Return how strong edges and bars are at each pixel, of shape (height, width, filters)."""
    light = grey.astype(np.float32) / 255
    found = []
    for wavelength in _WAVELENGTHS:
        for turn in range(_ORIENTATIONS):
            angle = np.pi * turn / _ORIENTATIONS
            parts = []
            for phase in (0.0, np.pi / 2):
                size = 2 * round(wavelength) + 1
                kernel = cv2.getGaborKernel((size, size), wavelength / 2, angle, wavelength, 1.0, phase)
                kernel -= kernel.mean()
                parts.append(cv2.filter2D(light, cv2.CV_32F, kernel / np.abs(kernel).sum()))
            found.append(np.hypot(*parts))
    return np.stack(found, axis=2)


def visual_words(descriptors: NDArray[np.float32], number: int, seed: int) -> NDArray[np.float32]:
    """Return at most `number` centres of the descriptors: those of k-means, or all if there are no more."""
    distinct, belongs = distinct_rows(descriptors)
    if len(distinct) <= number:
        return distinct
    # With a weight for each, the first centres are different ones. Otherwise clusters could stay empty.
    weights = np.bincount(belongs)
    means = KMeans(number, init="random", n_init=1, max_iter=50, random_state=seed)
    return np.asarray(means.fit(distinct, sample_weight=weights).cluster_centers_, dtype=np.float32)


def nearest(descriptors: NDArray[np.float32], centres: NDArray[np.float32]) -> Ints:
    """Return the nearest centre of each descriptor."""
    distances = (centres**2).sum(axis=1) - 2 * descriptors @ centres.T
    return np.asarray(distances.argmin(axis=1), dtype=np.int64)


def pyramid(words: Ints, places: Floats, number: int, levels: int) -> Floats:
    """Return the histograms of all cells of all levels, weighed so that intersections are the pyramid kernel.

    `places` are shares of the width and height, of shape (words, 2). With L the last level, an intersection
    that a level has first counts 1 / 2**(L - l): I_L + Σ (I_l - I_(l+1)) / 2**(L - l) in the paper.

    >>> pyramid(np.array([0, 1]), np.array([[0.1, 0.1], [0.9, 0.9]]), 2, 2).tolist()
    [0.25, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25]
    """
    last = levels - 1
    found = []
    for level in range(levels):
        side = 2**level
        column, row = (np.minimum((places * side).astype(np.int64), side - 1)).T
        counts = np.bincount((row * side + column) * number + words, minlength=side * side * number)
        weight = 1 / 2**last if level == 0 else 1 / 2 ** (last - level + 1)
        found.append(counts * (weight / max(1, len(words))))
    return np.concatenate(found)


def intersections(first: Histograms, second: Histograms, *, power: int = 2) -> Floats:
    """Return the intersections of all pairs, to the power of the paper (2 or 3): of shape (first, second)."""
    found = np.empty((len(first), len(second)))
    same = first is second
    buffer = np.empty((_ROWS, first.shape[1]), dtype=np.float32)
    ones = np.ones(first.shape[1], dtype=np.float32)
    for at in range(0, len(first), _ROWS):
        rows = first[at : at + _ROWS]
        for column in range(at if same else 0, len(second)):
            np.minimum(rows, second[column], out=buffer[: len(rows)])
            found[at : at + _ROWS, column] = buffer[: len(rows)] @ ones
    if same:
        found = np.triu(found) + np.triu(found, 1).T
    return np.asarray(found**power, dtype=np.float64)
