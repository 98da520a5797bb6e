"""Photographs as the site sends them: the address that a worker's page shows, and the reply with the file."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from typing import IO, Any

import PIL.Image
from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import default_storage
from django.http import FileResponse

from annotation.image_names import link_to
from annotation.renditions import WIDTHS, file_of, storage

logger = logging.getLogger(__name__)

DAY = 86_400
"""The most seconds for which a browser keeps a photograph. A file never gets another picture."""


def address_for(file: str, *, worker_id: int, now: datetime) -> str | None:
    """Return the address at which this worker finds a photograph, or None if there is no file."""
    if not file:
        return None
    if not settings.IMAGES_ARE_LOCAL:
        return str(default_storage.url(file))
    return settings.MEDIA_URL + link_to(file, worker_id=worker_id, now=now)


def renditions_for(file: str, url: str | None, widths: Iterable[int] | None) -> list[dict[str, Any]]:
    """Return width and address of each rendition of a photograph, the smallest first.

    `url` is the address of the photograph itself, for the same person.
    """
    if url is None:
        return []
    return [{"width": width, "url": _rendition_address(file, url, width)} for width in widths or ()]


def _rendition_address(file: str, url: str, width: int) -> str:
    if settings.IMAGES_ARE_LOCAL:
        return f"{url}/{width}"
    return str(storage().url(file_of(file, width)))


def photograph_reply(file: str, *, width: int | None = None, seconds: int = DAY) -> FileResponse | None:
    """Return a reply with a photograph of the local storage, which the browser may keep for so many seconds.

    With a `width`, it is the rendition of this width, or the photograph itself if there is no such rendition.

    Return None if there is no such photograph. Uploads and exports are in hidden folders of the same storage:
    they are none. No header tells the file's name, or when it was imported.
    """
    if any(part.startswith(".") for part in PurePosixPath(file).parts):
        return None
    if width is not None and width not in WIDTHS:
        return None
    opened = width and _opened(file_of(file, width))
    suffix = ".webp" if opened else PurePosixPath(file).suffix.lower()
    opened = opened or _opened(file)
    if not opened:
        return None
    reply = FileResponse(opened, content_type=guess_type(f"a{suffix}")[0], filename=f"photograph{suffix}")
    reply["Cache-Control"] = f"private, max-age={min(seconds, DAY)}, immutable"
    return reply


def _opened(file: str) -> IO[bytes] | None:
    try:
        return Path(default_storage.path(file)).open("rb")
    except (OSError, ValueError, SuspiciousFileOperation):
        return None


def is_broken(file: str) -> bool:
    """Return whether the photograph's file is missing or damaged.

    If the storage cannot be asked right now, nobody knows: then it is not said to be broken.
    """
    if not file:
        return True
    try:
        with default_storage.open(file) as opened:
            content = opened.read()
    except (FileNotFoundError, IsADirectoryError, SuspiciousFileOperation):
        return True
    except Exception:  # each storage has errors of its own
        logger.warning("cannot tell whether the photograph %s is broken", file, exc_info=True)
        return False
    try:
        with PIL.Image.open(BytesIO(content)) as picture:
            # A worker waits for this, and says it of a whole page. So no picture is decoded at its full size.
            if picture.format in ("JPEG", "MPO"):
                picture.draft("RGB", (max(1, picture.width // 8), max(1, picture.height // 8)))
                picture.load()
            else:
                picture.verify()  # the checksums of a PNG; a WebP that is cut off was not opened
    except (PIL.Image.DecompressionBombWarning, PIL.Image.DecompressionBombError):
        return False  # the import's limit was another one: it is large, not damaged
    except Exception:  # noqa: BLE001  (Pillow's decoders raise errors of many kinds for damaged files)
        return True
    return False
