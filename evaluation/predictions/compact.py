"""Predictions as `.npz`, for large sets. The boxes are read part by part, so that memory stays small.

| array | shape | content |
| --- | --- | --- |
| `images` | (images,), text | names of images |
| `mentions` | (n, 4), whole numbers | for each mention: place in `images`, caption, start, end |
| `offsets` | (n + 1,), whole numbers | where the boxes of each mention begin in `boxes`, and the end |
| `boxes` | (boxes, 4), numbers | left, top, right, bottom in pixel edges |
| `scores` | (boxes,), numbers | may be missing if the best box of each mention is the first |

For proposals, `mentions` is missing, and `offsets` has an entry for each image.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from evaluation.arrays import Ints
from evaluation.dataset import MentionKey
from evaluation.errors import MAX_BOXES, InputError, Place
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import Form
from evaluation.predictions.lookup import Lookup, name_of
from evaluation.predictions.parts import MAX_PART_BOXES, Part, Parts
from evaluation.readers.files import DAMAGED

MAX_INDEX = 256 * 1024 * 1024
"""Bytes of `images`, `mentions` and `offsets`, of each of them. They are read at once."""
_UNREADABLE = (*DAMAGED, ValueError, OSError, MemoryError)


class _Rows:
    """The rows of an array in an archive, read in their order."""

    def __init__(self, file: IO[bytes], place: Place, name: str) -> None:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        self.shape, by_column, self.dtype = read(file)
        if by_column and len(self.shape) > 1:
            raise place.error(name, "is stored by columns; use numpy.ascontiguousarray before you save it")
        if self.dtype.kind not in "fiu":
            raise place.error(name, f"has the type {self.dtype}, not numbers")
        self._file, self._place, self._name = file, place, name
        self._wide = int(np.prod(self.shape[1:], dtype=np.int64))

    def take(self, count: int) -> NDArray[np.float64]:
        content = self._file.read(count * self._wide * self.dtype.itemsize)
        if len(content) < count * self._wide * self.dtype.itemsize:
            raise self._place.error(self._name, "ends early: the file is damaged")
        return np.frombuffer(content, self.dtype).reshape(count, *self.shape[1:]).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Index:
    """What stands beside the boxes of an archive. `mentions` has no rows for proposals."""

    images: tuple[str, ...]
    mentions: Ints
    offsets: Ints
    with_mentions: bool

    def __len__(self) -> int:
        """Return how many lists of boxes there are."""
        return len(self.offsets) - 1


def read_compact(path: Path, lookup: Lookup, findings: Findings, parts: Parts, form: Form) -> Iterator[Part]:
    """Yield the predictions for mentions, in parts. `form` says what their numbers are.

    Raise InputError if the archive cannot be read.
    """
    place = Place(str(path))
    with opened(path) as archive:
        index = read_index(archive, place)
        if not index.with_mentions:
            raise place.error("mentions", "is missing; a file of proposals belongs to --proposals")
        images = [lookup.image(name) for name in index.images]
        keys = _keys(index, images, lookup, place)
        for at, boxes, scores in lists(archive, index, place):
            row = lookup.row(keys[at])
            if row is not None:
                parts.add(row, boxes, scores, place, form=form)
                yield from parts.full()
            elif lookup.is_mention(keys[at]):
                findings.add("prediction for a mention without a box", name_of(keys[at]))
            else:
                kind = "prediction for a mention that the data set does not have"
                findings.add(kind, f"{place.entry}: {name_of(keys[at])}")


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive. Raise InputError if it is damaged, also while it is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except InputError:
        raise
    except _UNREADABLE as error:
        raise InputError(f"{path}: is no .npz file, or damaged: {error}") from error


def read_index(archive: zipfile.ZipFile, place: Place) -> Index:
    """Return what stands beside the boxes. Raise InputError if it contradicts itself."""
    names = {name.removesuffix(".npy") for name in archive.namelist()}
    for name in ("images", "offsets", "boxes"):
        if name not in names:
            raise place.error(name, f"is missing; the arrays are {', '.join(sorted(names))[:200]}")
    images = read_array(archive, "images", place)
    if images.dtype.kind != "U" or images.ndim != 1:
        raise place.error("images", "is not a list of texts")
    offsets = _whole(archive, "offsets", place)
    if offsets.ndim != 1 or not len(offsets) or offsets[0] or (np.diff(offsets) < 0).any():
        raise place.error("offsets", "does not rise from 0")
    if np.diff(offsets).max(initial=0) > MAX_BOXES:
        raise place.error("offsets", f"gives one list more than {MAX_BOXES:,} boxes")
    mentions = np.empty((0, 4), dtype=np.int64)
    if "mentions" in names:
        mentions = _whole(archive, "mentions", place)
        if mentions.ndim != 2 or mentions.shape != (len(offsets) - 1, 4):
            raise place.error("mentions", f"has the shape {mentions.shape}, not ({len(offsets) - 1}, 4)")
        if len(mentions) and not (mentions[:, 0].min() >= 0 and mentions[:, 0].max() < len(images)):
            raise place.error("mentions", f"names an image that is not one of the {len(images)} in images")
    elif len(offsets) - 1 != len(images):
        raise place.error("offsets", f"has {len(offsets)} entries for {len(images)} images")
    return Index(tuple(map(str, images)), mentions, offsets, "mentions" in names)


def lists(
    archive: zipfile.ZipFile, index: Index, place: Place
) -> Iterator[tuple[int, NDArray[np.float64], NDArray[np.float64] | None]]:
    """Yield (place, boxes, scores) of each list, in their order, and read some at a time."""
    with ExitStack() as stack:
        boxes = _Rows(stack.enter_context(archive.open("boxes.npy")), place, "boxes")
        total = int(index.offsets[-1])
        if boxes.shape != (total, 4):
            raise place.error("boxes", f"has the shape {boxes.shape}, not ({total}, 4) as offsets say")
        scores = None
        if "scores.npy" in archive.namelist():
            scores = _Rows(stack.enter_context(archive.open("scores.npy")), place, "scores")
            if scores.shape != (total,):
                raise place.error("scores", f"has the shape {scores.shape}, not ({total},)")
        begin = 0
        while begin < len(index):
            end = int(np.searchsorted(index.offsets, index.offsets[begin] + MAX_PART_BOXES, side="right")) - 1
            end = min(max(end, begin + 1), len(index))
            offsets = index.offsets[begin : end + 1] - index.offsets[begin]
            some = boxes.take(int(offsets[-1]))
            graded = scores.take(int(offsets[-1])) if scores else None
            for at in range(end - begin):
                own = slice(int(offsets[at]), int(offsets[at + 1]))
                yield begin + at, some[own], None if graded is None else graded[own]
            begin = end


def _keys(index: Index, images: list[int | None], lookup: Lookup, place: Place) -> list[MentionKey]:
    names = [
        given if at is None else lookup.dataset.images[at].name
        for given, at in zip(index.images, images, strict=True)
    ]
    return [MentionKey(names[image], *rest) for image, *rest in index.mentions.tolist()]


def read_array(
    archive: zipfile.ZipFile, name: str, place: Place, most: int = MAX_INDEX
) -> NDArray[np.generic]:
    """Return an array of an archive. Raise InputError if it is missing or has more than `most` bytes."""
    if f"{name}.npy" not in archive.namelist():
        names = ", ".join(one.removesuffix(".npy") for one in archive.namelist())
        raise place.error(name, f"is missing; the arrays are {names[:200]}")
    if archive.getinfo(f"{name}.npy").file_size > most:
        raise place.error(name, f"has more than {most:,} bytes")
    with archive.open(f"{name}.npy") as file:
        found: NDArray[np.generic] = npy.read_array(file, allow_pickle=False)
    return found


def _whole(archive: zipfile.ZipFile, name: str, place: Place) -> Ints:
    found = read_array(archive, name, place)
    if found.dtype.kind not in "iu":
        raise place.error(name, f"has the type {found.dtype}, not whole numbers")
    return found.astype(np.int64)
