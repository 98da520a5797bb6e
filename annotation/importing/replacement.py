"""Give an image another photograph, such as one that is not damaged or shows the right thing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from annotation.importing.picture_files import PictureError
from annotation.importing.pictures import SUFFIXES, check_picture
from annotation.models import Box, GoldChain, Image, VerificationQuestion
from annotation.renditions import delete_photograph, render, save_renditions
from annotation.row_changes import changing
from annotation.transactions import write_transaction


def replace_photograph(
    *, image_id: int, file: File[bytes], also: Callable[[], object] | None = None
) -> Image:
    """Let the image show this photograph, and return the image. The photograph before is deleted.

    If boxes were drawn on the image or are known, the new photograph must have the size of the one before, in
    pixels. `also` is called in the same transaction. Raises PictureError if the file is not a usable picture,
    or has another size.
    """
    with TemporaryDirectory(prefix="groundcrew-photograph-") as folder:
        path = Path(folder) / "photograph"
        with path.open("wb") as copy:
            # One byte more than allowed tells a file that is too large.
            copy.write(file.read(settings.MAX_IMAGE_BYTES + 1))
        content, kind, width, height = check_picture(path)
    made = render(content)
    digest = hashlib.sha256(content).hexdigest()[:16]
    with write_transaction():
        image = Image.objects.select_for_update(no_key=True).select_related("project").get(pk=image_id)
        if (image.width, image.height) not in ((width, height), (None, None)) and _has_boxes(image):
            raise PictureError(
                f"is {width} x {height} pixels, but boxes were drawn on {image.width} x {image.height}",
                "use a photograph of the same size, or withdraw this image and import the other one",
            )
        # A file never gets another picture, since browsers keep what they have seen.
        stored = f"{image.project.name}/replaced/{digest}/{image.pk}{SUFFIXES[kind][0]}"
        before = str(image.file)
        if stored == before:
            return image
        if not default_storage.exists(stored):
            stored = default_storage.save(stored, ContentFile(content))
        with changing(image, "file", "width", "height"):
            image.file.name = stored
            image.width, image.height = width, height
            image.renditions = save_renditions(stored, made)
            image.save(update_fields=["file", "width", "height", "renditions"])
        if also is not None:
            also()
        if before:
            transaction.on_commit(partial(delete_photograph, before))
    return image


def _has_boxes(image: Image) -> bool:
    return (
        Box.objects.filter(chain__work__image=image).exists()
        or GoldChain.objects.filter(image=image).exclude(boxes=[]).exists()
        or VerificationQuestion.objects.filter(image=image).exists()
    )
