"""Detections in the format of Pascal VOC: a file of XML for each image, and lists of the images by split."""

from __future__ import annotations

from pathlib import Path
from typing import IO
from xml.sax.saxutils import escape

from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import PICTURES, Stems, Writer
from annotation.formats.datasets.coco import Categories
from annotation.formats.datasets.grounded_captions import drawn, size_of, split_of
from annotation.formats.datasets.split_files import SplitFiles

ANNOTATIONS, LISTS, LABELS = "Annotations", "ImageSets/Main", "labelmap.txt"


def file_name(split: str) -> str:
    """Return the path of the list of a split."""
    return f"{LISTS}/{split}.txt"


class VocWriter(Writer):
    """Writes `Annotations/<stem>.xml`, a list of stems for each split, and the types as a map of labels.

    CVAT and Datumaro ask for the map, since the types are not the classes of Pascal VOC.

    An object is a box. Its name is the first type of the box's chains, as in `coco`. Corners count from 1,
    and are within the box.
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
        self._annotations = out / ANNOTATIONS
        self._annotations.mkdir()
        (out / LISTS).mkdir(parents=True)
        self._stems = Stems(f"{ANNOTATIONS}/", ".xml")
        self._categories = Categories()
        self._lists: SplitFiles[IO[bytes]] = SplitFiles(lambda split: (out / file_name(split)).open("wb"))

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        stem = self._stems.take(record.name)
        self._categories.add(record)
        (self._annotations / f"{stem}.xml").write_bytes(_render(record, width, height).encode())
        self._lists.of(split_of(record)).write(f"{stem}\n".encode())

    def close(self) -> None:
        for file in self._lists.all():
            file.close()
        labels = "".join(f"{entry['name']}:::\n" for entry in self._categories.to_json())
        (self.out / LABELS).write_bytes(f"# label:color_rgb:parts:actions\n{labels}".encode())

    def discard(self) -> None:
        for file in self._lists.opened():
            file.close()


def _render(record: ImageRecord, width: int, height: int) -> str:
    lines = [
        f"<annotation>\n  <folder>{PICTURES}</folder>\n  <filename>{escape(record.name)}</filename>\n"
        f"  <source><database>Groundcrew</database></source>\n  <size><width>{width}</width>"
        f"<height>{height}</height><depth>{record.depth}</depth></size>\n  <segmented>0</segmented>\n"
    ]
    for one in drawn(record).values():
        left, top, right, bottom = one.box.to_voc()
        lines.append(
            f"  <object><name>{escape(one.types[0])}</name><pose>Unspecified</pose><truncated>0</truncated>"
            f"<difficult>0</difficult><bndbox><xmin>{left}</xmin><ymin>{top}</ymin><xmax>{right}</xmax>"
            f"<ymax>{bottom}</ymax></bndbox></object>\n"
        )
    return "".join([*lines, "</annotation>\n"])
