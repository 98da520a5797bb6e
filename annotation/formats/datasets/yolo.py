"""Labels in the format of YOLO: a text file for each image, lists of the images by split, and `data.yaml`."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from pathlib import Path
from typing import IO

from annotation.domain.geometry import Box
from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import PICTURES, Stems, Writer
from annotation.formats.datasets.coco import Categories
from annotation.formats.datasets.grounded_captions import UNSPLIT, drawn, size_of, split_of
from annotation.formats.datasets.split_files import SplitFiles
from evaluation.readers.records import SPLITS

CONFIG, LABELS = "data.yaml", "labels"
DIGITS = 8
"""Of a fraction after the point: a millionth of a pixel is lost in an image of 100 pixels."""

_INSTEAD = {"train": (UNSPLIT,), "val": ("train", UNSPLIT)}
"""The lists that stand in for the ones that YOLO asks for, the best first."""


def file_name(split: str) -> str:
    """Return the name of the list of a split."""
    return f"{split}.txt"


class YoloWriter(Writer):
    """Writes `labels/<stem>.txt`, a list of pictures for each split, and `data.yaml`.

    A line is the class (from 0), and the box's centre, width and height as fractions of the image. The class
    is the first type of the box's chains, as in `coco`. An image without boxes has an empty file.
    """

    LACKS = frozenset(
        {
            parts.CAPTIONS,
            parts.PHRASES,
            parts.NOT_VISUAL,
            parts.SAME,
            parts.SEVERAL_BOXES,
            parts.SCENES,
            parts.NOT_BOXED,
            parts.FURTHER_TYPES,
        }
    )

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._labels = out / LABELS
        self._labels.mkdir()
        self._stems = Stems(f"{LABELS}/", ".txt")
        self._categories = Categories()
        self._lists: SplitFiles[IO[bytes]] = SplitFiles(lambda split: (out / file_name(split)).open("wb"))
        self._has: set[str] = set()

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        stem = self._stems.take(record.name)
        self._categories.add(record)
        lines = [
            f"{self._categories[one.types[0]] - 1} {_fractions(one.box, width, height)}\n"
            for one in drawn(record).values()
        ]
        (self._labels / f"{stem}.txt").write_bytes("".join(lines).encode())
        split = split_of(record)
        self._has.add(split)
        self._lists.of(split).write(f"./{PICTURES}/{record.name}\n".encode())

    def close(self) -> None:
        for file in self._lists.all():
            file.close()
        names = [entry["name"] for entry in self._categories.to_json()]
        lines = [
            *_lists(self._has),
            "names:\n",
            *(f"  {place}: {json.dumps(name)}\n" for place, name in enumerate(names)),  # JSON is YAML
        ]
        (self.out / CONFIG).write_bytes("".join(lines).encode())

    def discard(self) -> None:
        for file in self._lists.opened():
            file.close()


def _lists(has: Container[str]) -> Iterator[str]:
    """Yield the lines of `data.yaml` that name the lists. YOLO asks for `train` and `val` in any case.

    In place of a missing one, `_INSTEAD` names a list of other images, but never the images to test on.
    """
    yield "# Paths are relative to this file.\n"
    for split in SPLITS:
        if split in has:
            yield f"{split}: {file_name(split)}\n"
        elif split in _INSTEAD:
            yield f"# No image has the split {split}, and YOLO asks for one: name a list of other images.\n"
            if instead := next((one for one in _INSTEAD[split] if one in has), None):
                yield f"{split}: {file_name(instead)}\n"


def _fractions(box: Box, width: int, height: int) -> str:
    """Return the centre and the size of a box, `x y width height`."""
    values = (
        (box.left + box.right) / 2 / width,
        (box.top + box.bottom) / 2 / height,
        box.width / width,
        box.height / height,
    )
    return " ".join(f"{value:.{DIGITS}f}" for value in values)
