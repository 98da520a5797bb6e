"""Decodes and stores the pictures of one group of images, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.pictures import Picture, PictureError, store
from annotation.importing.prepare import Prepared, is_usable
from annotation.models import Image, Project


def fetch_pictures(
    project: Project,
    records: Sequence[ImageRecord],
    captions: Sequence[Sequence[Prepared]],
    folder: Path,
    decoders: Executor,
    *,
    keep: bool = True,
    pulse: Callable[[], object] = lambda: None,
) -> dict[str, Picture | Problem]:
    """Store the pictures of images that have none yet. Return each picture, or its error, by image name.

    Without `keep`, pictures are only checked. `pulse` is called after each.
    """
    names = [record.name for record in records]
    images = Image.objects.filter(project__name=project.name, name__in=names)
    known = {image.name: image for image in images}
    wanted = []
    for record, prepared in zip(records, captions, strict=True):
        if image := known.get(record.name):
            if not image.file:
                wanted.append((record, record.width or image.width, record.height or image.height))
        elif is_usable(prepared):
            wanted.append((record, record.width, record.height))
    fetched = {}
    for name, found in decoders.map(partial(_fetch, project.name, folder, keep), wanted):
        fetched[name] = found
        pulse()
    return fetched


def _fetch(
    project: str, folder: Path, keep: bool, wanted: tuple[ImageRecord, int | None, int | None]
) -> tuple[str, Picture | Problem]:
    record, width, height = wanted
    try:
        return record.name, store(folder, project, record.name, width, height, keep=keep)
    except PictureError as error:
        if error.path:
            return record.name, Problem(str(error.path), None, str(error), error.hint)
        line = record.captions[0].line if record.captions else None
        return record.name, record.problem(str(error), error.hint, line)
