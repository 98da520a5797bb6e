"""Reads a folder of photographs that have no captions yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import MAX_DEPTH, check_name, is_shown
from annotation.formats.captions.entries import picture_name
from annotation.formats.captions.spreadsheet import is_picture

_EXPECTED = "expected JPEG, PNG or WebP files (.jpg, .jpeg, .jfif, .png, .webp)"


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield an image without captions for each photograph in the folder, by name. Hidden files are none."""
    found = False
    for place, folders, files in os.walk(path):
        within = Path(place).relative_to(path)
        folders[:] = (
            sorted(name for name in folders if is_shown(name)) if len(within.parts) < MAX_DEPTH else []
        )
        for name in sorted(files):
            if not (is_shown(name) and is_picture(name)):
                continue
            found = True
            if wrong := check_name(picture_name(name)):
                yield Problem(str(Path(place) / name), None, wrong, "rename it")
            else:
                folder = within.as_posix().removeprefix(".")
                yield ImageRecord(picture_name(name), (), folder=folder, file=str(Path(place) / name))
    if not found:
        yield Problem(str(path), None, "it has no photographs", _EXPECTED, whole=True)
