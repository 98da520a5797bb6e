"""Compares the pictures of a corpus with those that are stored under the same names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from io import BytesIO
from pathlib import Path

import PIL.Image
from django.core.files.storage import default_storage

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.picture_files import PictureError
from annotation.importing.pictures import check_picture
from annotation.models import Image, Project
from annotation.picture_parts import without_metadata


def strange_pictures(
    project: Project,
    records: Sequence[ImageRecord],
    decoders: Executor,
    pulse: Callable[[], object] = lambda: None,
) -> dict[str, Problem]:
    """Return a problem, by name, for each image that is stored with another picture than its record brings.

    The record must not be used then: its captions are about the picture that it brings. `pulse` is called
    after each picture.
    """
    brought = {record.name: record for record in records if record.picture is not None}
    if not brought or project.pk is None:
        return {}
    stored = Image.objects.filter(project=project, name__in=brought).exclude(file="")
    pairs = [(image, brought[image.name]) for image in stored]
    problems = {}
    for (_, record), same in zip(pairs, decoders.map(_is_same, pairs), strict=True):
        if not same:
            message = f"its picture of {record.name} is not the one that was imported before"
            hint = "its captions were left out: give the picture another name, or import into a new project"
            problems[record.name] = record.problem(message, hint)
        pulse()
    return problems


def _is_same(pair: tuple[Image, ImageRecord]) -> bool:
    """Return whether the image shows the picture of the record. Metadata may differ, and the encoding."""
    image, record = pair
    assert record.picture is not None
    try:
        with default_storage.open(str(image.file)) as file:
            stored: bytes = without_metadata(file.read())
        if without_metadata(record.picture) == stored:
            return True
        content, _, *size = check_picture(Path(record.file) / record.name, record.picture)
        return [image.width, image.height] == size and (
            content == stored or _shows(content) == _shows(stored)
        )
    except (PictureError, FileNotFoundError, ValueError):
        return False  # it cannot be told that they are the same


def _shows(content: bytes) -> bytes:
    """Return the pixels of the file of an upright picture that was checked."""
    with PIL.Image.open(BytesIO(content)) as image:
        return image.convert("RGBA").tobytes()
