"""Uploads of researchers: files that stay in the storage until they are imported, or for a day."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from workflows.jobs.archives import check_archive, is_archive
from workflows.jobs.domain.archives import ArchiveError
from workflows.jobs.domain.jobs import JobError

ROOT = ".uploads"
"""Hidden: images are in folders named like their projects, and hidden files are never served."""
CORPUS, PICTURES, SPLITS = "corpus", "pictures", "splits"
KEPT = timedelta(days=1)
_ID = re.compile(r"([0-9]{14})-[0-9a-f]{16}")
_STAMP = "%Y%m%d%H%M%S"


def keep_upload(files: Mapping[str, Iterable[File[bytes]]], *, now: datetime) -> str:
    """Store the files of each part (CORPUS, PICTURES, SPLITS), and return the id of the upload.

    Raises JobError, which names the part, if an archive must not be unpacked or a file is empty; then nothing
    is stored.
    """
    for part, given in files.items():
        for file in given:
            _check(part, file)
    upload = f"{now.strftime(_STAMP)}-{secrets.token_hex(8)}"
    try:
        for part, given in files.items():
            for file in given:
                default_storage.save(f"{ROOT}/{upload}/{part}/{_plain(file.name or '')}", file)
    except BaseException:
        forget_upload(upload)
        raise
    return upload


def _check(part: str, file: File[bytes]) -> None:
    try:
        if is_archive(file):
            check_archive(file, most_bytes=settings.MAX_UNPACKED_BYTES)
        elif part == PICTURES:
            raise ArchiveError("is not a ZIP archive: pack the folder of the pictures")
    except ArchiveError as error:
        raise JobError(part, f"{PurePosixPath(file.name or 'The file').name}: {error}.") from error
    if not file.size:
        raise JobError(part, f"{file.name} is empty.")
    file.seek(0)


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
    for part in (CORPUS, PICTURES, SPLITS):
        folder = f"{ROOT}/{upload}/{part}"
        try:
            found[part] = [f"{folder}/{name}" for name in sorted(default_storage.listdir(folder)[1])]
        except FileNotFoundError:
            found[part] = []
    if not found[CORPUS]:
        raise JobError("upload", "The upload is not stored any more: upload it again.")
    return found


check_upload = stored_files


def forget_upload(upload: str) -> None:
    """Delete an upload, or what there is of it."""
    if not _ID.fullmatch(upload):
        return
    for part in (CORPUS, PICTURES, SPLITS):
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
