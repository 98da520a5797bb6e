"""Strips photographs that were stored with their metadata, for example before imports left it out.

It can be stopped at any time and run again: a photograph without metadata is passed over, and each file is
replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

import PIL.Image
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.models import Image, Project
from annotation.picture_parts import without_metadata
from annotation.renditions import FORMATS, storage
from annotation.transactions import write_transaction

_BATCH = 100


@dataclass(slots=True)
class Stripped:
    """What was found in photographs. A photograph that is gone is not counted."""

    photographs: int = 0
    stripped: int = 0
    saved: int = 0  # bytes
    unusable: int = 0  # damaged, or not readable now: they stay as they are


def strip_stored(
    project: Project | None = None,
    *,
    dry_run: bool = False,
    seen: Callable[[Stripped], object] = lambda counts: None,
    report: Callable[[str], object] = lambda problem: None,
) -> Stripped:
    """Store the photographs of a project, or of all projects, without metadata. Return what was found.

    Their pixels stay as they are, which is checked by decoding both. A `dry_run` only counts, and decodes
    nothing. `seen` is called after each photograph, and `report` with each problem.
    """
    counts, last = Stripped(), 0
    images = Image.objects.filter(project__deleted_at__isnull=True).exclude(file="").order_by("pk")
    if project is not None:
        images = images.filter(project=project)
    while batch := list(images.filter(pk__gt=last)[:_BATCH]):
        for image in batch:
            last = image.pk
            try:
                _strip(image, counts, dry_run)
            except FileNotFoundError:
                continue
            except Exception as error:  # noqa: BLE001  (a damaged one must not hold up the others)
                counts.unusable += 1
                report(f"{image.file}: {str(error) or type(error).__name__}: it was left as it is")
            seen(counts)
    return counts


def _strip(image: Image, counts: Stripped, dry_run: bool) -> None:
    file = str(image.file)
    with default_storage.open(file) as opened:
        content: bytes = opened.read(settings.MAX_IMAGE_BYTES + 1)
    counts.photographs += 1
    if len(content) > settings.MAX_IMAGE_BYTES:
        raise ValueError(f"it has more than {settings.MAX_IMAGE_BYTES:,} bytes (GROUNDCREW_MAX_IMAGE_BYTES)")
    plain = without_metadata(content)
    if plain == content:
        return
    if not dry_run:
        if _pixels(plain) != _pixels(content):
            raise ValueError("it would look otherwise without metadata")
        if not _replaced(image, file, plain):
            return
    counts.stripped += 1
    counts.saved += len(content) - len(plain)


def _pixels(content: bytes) -> bytes:
    """Return a digest of the pixels of each frame. Raise whatever decoding raises."""
    digest = sha256()
    with PIL.Image.open(BytesIO(content), formats=FORMATS) as image:
        # The second frame of an MPO, which cameras write, is a preview.
        frames = 1 if image.format in ("JPEG", "MPO") else getattr(image, "n_frames", 1)
        for frame in range(frames):
            image.seek(frame)
            digest.update(repr((image.mode, image.size, image.info.get("icc_profile"))).encode())
            digest.update(image.tobytes())
    return digest.digest()


def _replaced(image: Image, file: str, plain: bytes) -> bool:
    """Replace the file as a whole. Return False if the image has another photograph, or was deleted, by now.

    The image is locked meanwhile, as by whoever replaces or erases the photograph.
    """
    with write_transaction():
        same = Image.objects.filter(pk=image.pk, file=file, project__deleted_at__isnull=True)
        if not same.select_for_update(no_key=True, of=("self",)).exists():
            return False
        # This storage is the same place as the default one, and replaces files that are there.
        storage().save(file, ContentFile(plain))
    return True
