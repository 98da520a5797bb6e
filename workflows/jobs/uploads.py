"""Uploads of researchers: files that stay in the storage until a job has used them, or for a day."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from annotation.formats.base import check_name
from annotation.formats.captions.entries import picture_name
from annotation.formats.captions.spreadsheet import is_picture
from annotation.formats.recognition import SAVE_AS_CSV, WORKBOOKS
from workflows.jobs.archives import check_archive, is_archive
from workflows.jobs.domain.archives import ArchiveError
from workflows.jobs.domain.jobs import JobError

ROOT = ".uploads"
"""Hidden: images are in folders named like their projects, and hidden files are never served."""
CORPUS, PICTURES, SPLITS = "corpus", "pictures", "splits"
PREDICTIONS, GRADES = "predictions", "grades"
_PARTS = (CORPUS, PICTURES, SPLITS, PREDICTIONS, GRADES)
KEPT = timedelta(days=1)
MAX_PICTURES = 300
"""Photographs in one upload, beside ZIP archives: each is an open file until all of them have arrived."""
TOO_MANY_PICTURES = f"An upload has at most {MAX_PICTURES} single files: pack them into a ZIP archive."
_ID = re.compile(r"([0-9]{14})-[0-9a-f]{16}")
_MAX_NAME = 255  # bytes, on every usual file system
_STAMP = "%Y%m%d%H%M%S"


def keep_upload(files: Mapping[str, Iterable[File[bytes]]], *, now: datetime) -> str:
    """Store the files of each part, such as CORPUS or PREDICTIONS, and return the id of the upload.

    The pictures are one ZIP archive or single files. Raises JobError, which names the part, if an archive
    must not be unpacked, or a file is empty or of a wrong type; then nothing is stored.
    """
    by_part = {part: list(given) for part, given in files.items()}
    for part, kept in by_part.items():
        for file in kept:
            _check(part, file)
    _check_pictures(by_part.get(PICTURES, []))
    upload = f"{now.strftime(_STAMP)}-{secrets.token_hex(8)}"
    try:
        for part, kept in by_part.items():
            for file in kept:
                photograph = part == PICTURES and is_picture(file.name or "")
                name = (_picture if photograph else _plain)(file.name or "")
                default_storage.save(f"{ROOT}/{upload}/{part}/{name}", file)
    except BaseException:
        forget_upload(upload)
        raise
    return upload


def _check(part: str, file: File[bytes]) -> None:
    try:
        if PurePosixPath(file.name or "").suffix.lower() in WORKBOOKS:
            raise ArchiveError(SAVE_AS_CSV)
        archive = is_archive(file)
        # Archives among the photographs would all be unpacked, and together have no limit.
        if part == PICTURES and archive == is_picture(file.name or ""):
            raise ArchiveError("is neither a photograph (JPEG, PNG or WebP) nor a ZIP archive")
        if archive:
            check_archive(file, most_bytes=settings.MAX_UNPACKED_BYTES)
        elif part == PICTURES and (wrong := _wrong_name(_picture(file.name or ""))):
            raise ArchiveError(f"{wrong}: rename it, in the spreadsheet too")
    except ArchiveError as error:
        raise JobError(part, f"{PurePosixPath(file.name or 'The file').name}: {error}.") from error
    if not file.size:
        raise JobError(part, f"{file.name} is empty.")
    file.seek(0)


def _wrong_name(name: str) -> str | None:
    too_long = len(name.encode()) > _MAX_NAME
    return check_name(name) or (f"its name has more than {_MAX_NAME} bytes" if too_long else None)


def _check_pictures(files: list[File[bytes]]) -> None:
    """Raise JobError if these are too many, or not clearly one set of pictures."""
    if len(files) > MAX_PICTURES:
        raise JobError(PICTURES, TOO_MANY_PICTURES)
    if len(files) > 1 and not all(is_picture(file.name or "") for file in files):
        raise JobError(PICTURES, "Choose photographs or one ZIP archive, not both.")
    names = Counter(_picture(file.name or "") for file in files)
    for name, count in names.items():
        if count > 1:
            raise JobError(
                PICTURES, f"Two photographs are called {name}: rename one, in the spreadsheet too."
            )


def _picture(name: str) -> str:
    """Return the name under which a picture is stored.

    The import finds a.jpg for an image that is called a.JPG or a, but not the other way round.
    """
    plain = PurePosixPath(picture_name(name).replace("\\", "/")).name
    suffix = PurePosixPath(plain).suffix
    return plain.removesuffix(suffix) + suffix.lower()


def _plain(name: str) -> str:
    """Return the name with its suffixes, without characters that mean something to a file system."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(name.replace("\\", "/")).name)[-100:].lstrip(".")
    return plain or "file"


def stored_files(upload: str) -> dict[str, list[str]]:
    """Return the names of an upload's files in the storage, by part.

    Raises JobError if there is no such upload.
    """
    if not _ID.fullmatch(upload):
        raise JobError("upload", "There is no such upload.")
    found = {}
    for part in _PARTS:
        folder = f"{ROOT}/{upload}/{part}"
        try:
            found[part] = [f"{folder}/{name}" for name in sorted(default_storage.listdir(folder)[1])]
        except FileNotFoundError:
            found[part] = []
    if not any(found[part] for part in _PARTS if part != SPLITS):
        raise JobError("upload", "The upload is not stored any more: upload it again.")
    return found


check_upload = stored_files


def forget_upload(upload: str) -> None:
    """Delete an upload, or what there is of it."""
    if not _ID.fullmatch(upload):
        return
    for part in _PARTS:
        folder = f"{ROOT}/{upload}/{part}"
        try:
            names = default_storage.listdir(folder)[1]
        except FileNotFoundError:
            continue
        for name in names:
            default_storage.delete(f"{folder}/{name}")
        forget_folder(folder)
    forget_folder(f"{ROOT}/{upload}")


def forget_folder(name: str) -> None:
    """Delete a folder of the storage if it is empty. A bucket has no folders."""
    with suppress(OSError):
        default_storage.delete(name)


def old_uploads(*, now: datetime) -> list[str]:
    """Return the ids of uploads that are older than a day, by the time in their ids."""
    try:
        uploads = default_storage.listdir(ROOT)[0]
    except FileNotFoundError:
        return []
    oldest = (now - KEPT).strftime(_STAMP)
    return [name for name in uploads if (match := _ID.fullmatch(name)) and match[1] < oldest]


def forget_incoming(*, now: datetime) -> None:
    """Delete files older than a day that a killed web server of this machine was receiving."""
    oldest = (now - KEPT).timestamp()
    for path in Path(settings.FILE_UPLOAD_TEMP_DIR).glob("*"):
        with suppress(OSError):  # another process has deleted it
            if path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()
