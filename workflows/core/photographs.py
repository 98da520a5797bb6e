"""Photographs as the site sends them: the address that a worker's page shows, and the reply with the file."""

from __future__ import annotations

from datetime import datetime
from mimetypes import guess_type
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import default_storage
from django.http import FileResponse

from annotation.image_names import link_to

DAY = 86_400
"""The most seconds for which a browser keeps a photograph. A file never gets another picture."""


def address_for(file: str, *, worker_id: int, now: datetime) -> str | None:
    """Return the address at which this worker finds a photograph, or None if there is no file."""
    if not file:
        return None
    if not settings.IMAGES_ARE_LOCAL:
        return str(default_storage.url(file))
    return settings.MEDIA_URL + link_to(file, worker_id=worker_id, now=now)


def photograph_reply(file: str, *, seconds: int = DAY) -> FileResponse | None:
    """Return a reply with a photograph of the local storage, which the browser may keep for so many seconds.

    Return None if there is no such photograph. Uploads and exports are in hidden folders of the same storage:
    they are none. No header tells the file's name, or when it was imported.
    """
    if any(part.startswith(".") for part in PurePosixPath(file).parts):
        return None
    try:
        opened = Path(default_storage.path(file)).open("rb")  # noqa: SIM115  (the reply closes it)
    except (OSError, ValueError, SuspiciousFileOperation):
        return None
    suffix = PurePosixPath(file).suffix.lower()
    reply = FileResponse(opened, content_type=guess_type(f"a{suffix}")[0], filename=f"photograph{suffix}")
    reply["Cache-Control"] = f"private, max-age={min(seconds, DAY)}, immutable"
    return reply
