"""Small corpora and pictures for the tests of the import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image as Pillow

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.importing.corpus import import_corpus
from annotation.importing.picture_files import PictureFolders
from annotation.importing.pictures import Picture, check_picture, store_picture
from annotation.importing.summary import Summary
from annotation.models import Project


def store(
    folder: Path, project: str, name: str, width: int | None = None, height: int | None = None
) -> Picture:
    """Find, check and store the picture of an image."""
    path = PictureFolders(folder).find(name)
    return store_picture(path, check_picture(path), project, name, width, height, keep=True)


@dataclass
class Imported:
    """What an import did and said."""

    summary: Summary
    problems: list[str] = field(default_factory=list)


def run(records: Iterable[ImageRecord | Problem], name: str = "corpus", **options: Any) -> Imported:
    """Import records into the project `name`."""
    project = Project.objects.filter(name=name).first() or Project(name=name)
    problems: list[Problem] = []
    summary = import_corpus(project=project, records=records, report=problems.append, **options)
    return Imported(summary, [str(problem) for problem in problems])


def record(name: str, *texts: str, **fields: Any) -> ImageRecord:
    """Return an image with these captions, as if it was read from line 7 of corpus.txt."""
    captions = tuple(CaptionRecord(index, text, line=7 + index) for index, text in enumerate(texts))
    return ImageRecord(name, captions, file="corpus.txt", line=7, **fields)


def breaking_off(records: Iterable[ImageRecord], after: int) -> Iterator[ImageRecord]:
    """Yield so many records, then stop as a reader does on Ctrl-C."""
    for place, one in enumerate(records):
        if place == after:
            raise KeyboardInterrupt
        yield one


def picture(
    path: Path, width: int = 40, height: int = 30, *, orientation: int = 1, kind: str = "JPEG"
) -> bytes:
    """Write a picture and return its bytes.

    Its upper left quarter, as stored, is red. `orientation` is that of EXIF.
    """
    image = Pillow.new("RGB", (width, height), "white")
    image.paste("red", (0, 0, width // 2, height // 2))
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    options: dict[str, Any] = {"quality": 95, "exif": exif} if orientation != 1 else {"quality": 95}
    image.save(path, kind, **({} if kind == "PNG" else options))
    return path.read_bytes()
