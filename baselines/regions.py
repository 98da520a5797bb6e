"""Where regions of images come from: photographs, or a file of anybody's network."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import h5py
import numpy as np
from numpy.typing import NDArray

from baselines.photographs import Pixels, read_photograph
from baselines.proposals import SelectiveSearch
from baselines.region_features import RegionFeatures
from evaluation.boxes import iou_matrix
from evaluation.dataset import Boxes, Dataset, Image
from evaluation.errors import MAX_BOXES, InputError, Place
from evaluation.localization import queries
from evaluation.predictions.compact import opened, read_array
from evaluation.predictions.findings import Findings
from evaluation.predictions.lookup import Lookup
from evaluation.predictions.proposals import read_proposals
from evaluation.report.pictures import find_image

Rows = NDArray[np.float32]
SAME = 0.5
"""The least IoU with which a box of a file stands for a true box in training [ours]."""
CROPS = 10
"""Crops over which features of a whole photograph are averaged (section 4.2)."""
CROP = 0.875
"""The sides of a crop, as a share of those of the photograph [ours]: 224 of 256 pixels, as usual for VGG."""
WHOLE = 0.9
"""The least IoU with the image of a box of a file that stands for the whole image [ours]."""
MAX_FEATURES = 16 * 1024 * 1024 * 1024
"""Bytes of the features of a file."""


class RegionSource(Protocol):
    """What models take regions from."""

    def proposals(self, image: Image) -> Boxes:
        """Return the boxes of an image that are ranked for its phrases, of shape (n, 4)."""
        ...

    def features(self, image: Image, boxes: Boxes) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the features of these boxes, of shape (n, d), and which of the boxes are known."""
        ...

    def whole(self, image: Image) -> Rows:
        """Return the features of the whole image, of shape (d,)."""
        ...

    def knows(self, image: Image) -> bool:
        """Return whether there is anything of this image."""
        ...


@dataclass
class Photographs:
    """Regions of photographs: their features are computed, and proposals searched unless there are some."""

    folder: Path
    looks: RegionFeatures
    search: SelectiveSearch = field(default_factory=SelectiveSearch)
    given: Mapping[str, Boxes] | None = None
    """The proposals of a file, by the name of the image."""
    crops: int = CROPS
    """CROPS, or 1: then the features of a whole image are those of the box around it."""
    _last: tuple[str, Pixels] | None = None

    def proposals(self, image: Image) -> Boxes:
        """Return what the file has for the image, or what selective search finds."""
        if self.given is not None:
            return self.given.get(image.name, np.empty((0, 4)))
        return self.search.propose(self.pixels(image))

    def features(self, image: Image, boxes: Boxes) -> tuple[Rows, NDArray[np.bool_]]:
        """Compute the features."""
        return self.looks.transform(self.pixels(image), boxes), np.ones(len(boxes), dtype=bool)

    def whole(self, image: Image) -> Rows:
        """Compute the features of the box around the image, or their mean over its crops."""
        pixels = self.pixels(image)
        if self.crops == 1:
            height, width = pixels.shape[:2]
            return np.asarray(self.looks.transform(pixels, np.array([[0.0, 0.0, width, height]]))[0])
        mirrored = np.ascontiguousarray(pixels[:, ::-1])
        boxes = crop_boxes(pixels.shape[1], pixels.shape[0])
        found = [self.looks.transform(one, boxes) for one in (pixels, mirrored)]
        return np.asarray(np.concatenate(found).mean(axis=0))

    def knows(self, image: Image) -> bool:
        """Return whether there is a photograph of the image."""
        return find_image(self.folder, image.name) is not None

    def pixels(self, image: Image) -> Pixels:
        """Return the photograph.

        Raise InputError if it cannot be read, or has another size than the data set says.
        """
        if self._last is None or self._last[0] != image.name:
            pixels = read_photograph(self.folder, image.name)
            size = (pixels.shape[1], pixels.shape[0])
            if image.width and image.height and size != (image.width, image.height):
                raise InputError(
                    f"{self.folder}: {image.name} has {size[0]} x {size[1]} pixels, and the data set says "
                    f"{image.width} x {image.height}"
                )
            self._last = (image.name, pixels)
        return self._last[1]


def crop_boxes(width: int, height: int) -> Boxes:
    """Return the boxes of five crops of a photograph: at its corners, and at its centre.

    With those of the photograph in a mirror, they are the ten crops of section 4.2.

    >>> crop_boxes(80, 40)[[0, 3, 4]].tolist()
    [[0.0, 0.0, 70.0, 35.0], [10.0, 5.0, 80.0, 40.0], [5.0, 2.5, 75.0, 37.5]]
    """
    room = np.array([width, height]) * (1 - CROP)
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]]) * room
    return np.concatenate([corners, corners + np.array([width, height]) * CROP], axis=1)


class Remembered:
    """Regions of another source. Each is computed once, and stays in memory."""

    def __init__(self, source: RegionSource) -> None:
        self._source = source
        self._proposals: dict[str, Boxes] = {}
        self._features: dict[tuple[str, bytes], tuple[Rows, NDArray[np.bool_]]] = {}
        self._whole: dict[str, Rows] = {}

    def proposals(self, image: Image) -> Boxes:
        """Return the boxes of an image that are ranked for its phrases."""
        if image.name not in self._proposals:
            self._proposals[image.name] = self._source.proposals(image)
        return self._proposals[image.name]

    def features(self, image: Image, boxes: Boxes) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the features of these boxes, and which of the boxes are known."""
        key = (image.name, boxes.tobytes())
        if key not in self._features:
            self._features[key] = self._source.features(image, boxes)
        return self._features[key]

    def whole(self, image: Image) -> Rows:
        """Return the features of the whole image."""
        if image.name not in self._whole:
            self._whole[image.name] = self._source.whole(image)
        return self._whole[image.name]

    def knows(self, image: Image) -> bool:
        """Return whether there is anything of this image."""
        return self._source.knows(image)


class FeatureFile:
    """Regions of a file: `.npz`, or HDF5 with the suffix `.h5` or `.hdf5`.

    It has the arrays `images` (names), `offsets` (where the boxes of each image begin, and the end), `boxes`
    (in pixel edges) and `features` (a row for each box).
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raise InputError if it cannot be read, or contradicts itself."""
        self.path = path
        place = Place(str(path))
        self._open = ExitStack()
        if path.suffix in (".h5", ".hdf5"):
            names, self._offsets, self._boxes, self._features = self._of_hdf5(place)
        else:
            with opened(path) as archive:
                found = [read_array(archive, name, place) for name in ("images", "offsets")]
                boxes, features = (
                    read_array(archive, name, place, MAX_FEATURES) for name in ("boxes", "features")
                )
            names, self._offsets, self._boxes, self._features = (*found, boxes, features)
        if np.ndim(names) != 1 or np.asarray(names).dtype.kind != "U":
            raise place.error("images", "is not a list of texts")
        offsets = np.asarray(self._offsets)
        if offsets.dtype.kind not in "iu" or offsets.shape != (len(names) + 1,):
            raise place.error("offsets", f"are not {len(names) + 1} whole numbers")
        if offsets[0] or (np.diff(offsets.astype(np.int64)) < 0).any():
            raise place.error("offsets", "do not rise from 0")
        if np.diff(offsets.astype(np.int64)).max(initial=0) > MAX_BOXES:
            raise place.error("offsets", f"give one image more than {MAX_BOXES:,} boxes")
        total = int(offsets[-1])
        if self._boxes.shape != (total, 4) or self._boxes.dtype.kind not in "fiu":
            raise place.error("boxes", f"are not numbers of the shape ({total}, 4), as offsets say")
        if (
            self._features.ndim != 2
            or self._features.shape[0] != total
            or self._features.dtype.kind not in "fiu"
        ):
            raise place.error("features", f"are not numbers of the shape ({total}, d)")
        self._places: dict[str, int] = {}
        for at, name in enumerate(np.asarray(names).tolist()):
            if name in self._places:
                raise place.error("images", f"has {name} twice")
            self._places[name] = at

    def proposals(self, image: Image) -> Boxes:
        """Return the boxes of the image in the file."""
        own = self._own(image)
        return np.asarray(self._boxes[own], dtype=np.float64).reshape(-1, 4)

    def features(self, image: Image, boxes: Boxes) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the features of the file's box that overlaps each box most, if by SAME or more."""
        mine = self.proposals(image)
        if not len(mine) or not len(boxes):
            return np.zeros((len(boxes), self._features.shape[1]), np.float32), np.zeros(len(boxes), bool)
        overlaps = iou_matrix(boxes, mine)
        best = overlaps.argmax(axis=1)
        return self._rows(image)[best], np.asarray(overlaps.max(axis=1) >= SAME)

    def whole(self, image: Image) -> Rows:
        """Return the features of the box around the image, or else the mean over its boxes [ours].

        Raise InputError if the file has no box of the image.
        """
        rows, mine = self._rows(image), self.proposals(image)
        if not len(mine):
            raise InputError(f"{self.path}: has no box of the image {image.name}")
        overlaps = iou_matrix(np.array([[0.0, 0.0, image.width, image.height]]), mine)[0]
        best = int(overlaps.argmax())
        return np.asarray(rows[best] if overlaps[best] >= WHOLE else rows.mean(axis=0))

    def knows(self, image: Image) -> bool:
        """Return whether the file has a box of the image."""
        return len(self.proposals(image)) > 0

    def _rows(self, image: Image) -> Rows:
        rows = np.asarray(self._features[self._own(image)], dtype=np.float32)
        if not np.isfinite(rows).all():
            raise InputError(f"{self.path}: features: have NaN or infinity for {image.name}")
        return rows

    def _own(self, image: Image) -> slice:
        at = self._places.get(image.name, self._places.get(image.name.rpartition(".")[0]))
        if at is None:
            return slice(0, 0)
        return slice(int(self._offsets[at]), int(self._offsets[at + 1]))

    def _of_hdf5(self, place: Place) -> tuple[Any, Any, Any, Any]:
        try:
            file = self._open.enter_context(h5py.File(self.path, "r"))
            for name in ("images", "offsets", "boxes", "features"):
                if not isinstance(file.get(name), h5py.Dataset):
                    raise place.error(name, f"is missing; the file has {', '.join(file)[:200]}")
            names = np.array(file["images"].asstr()[:], dtype=np.str_)
            return names, file["offsets"][:], file["boxes"], file["features"]
        except InputError:
            raise
        except (OSError, TypeError, ValueError, KeyError) as error:
            raise InputError(f"{self.path}: is no HDF5 file that can be read: {error}") from error


def known_images(dataset: Dataset, source: RegionSource) -> Dataset:
    """Return the images of a data set that a source has something of."""
    return replace(dataset, images=tuple(image for image in dataset.images if source.knows(image)))


def given_proposals(path: Path, dataset: Dataset) -> tuple[dict[str, Boxes], Findings]:
    """Return the proposals of a file by image, and what else the file has. Raise InputError."""
    findings = Findings()
    lists = read_proposals(path, Lookup(dataset, queries(dataset)), findings).ranked.lists
    return {image.name: lists[at] for at, image in enumerate(dataset.images)}, findings
