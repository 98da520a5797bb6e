"""Uploads of researchers: which files may be one, and how they are kept until a job has used them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from annotation.formats.base import check_name
from annotation.formats.captions.spreadsheet import is_picture
from annotation.formats.file_looks import SAVE_AS_CSV, WORKBOOKS
from workflows.jobs.archives import begins_archive, check_archive
from workflows.jobs.domain.archives import ArchiveError
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.upload_storage import (
    KEPT,
    PICTURES,
    SPLITS,
    forget_upload,
    new_id,
    plain_name,
    stored_files,
    whole_name,
)

MAX_PICTURES = 300
"""Photographs in one upload, beside ZIP archives: each is an open file until all of them have arrived."""
TOO_MANY_PICTURES = f"An upload has at most {MAX_PICTURES} single files: pack them into a ZIP archive."
MAX_FILES = {SPLITS: 3}
"""Files of a part, if there may be several. Each archive among them is unpacked, with a limit of its own."""
HEAD_BYTES = 4
"""So many bytes at the beginning of a file say whether it is an archive."""
_MAX_NAME = 255  # bytes, on every usual file system


@contextmanager
def kept_upload(
    files: Mapping[str, Iterable[File[bytes]]], *, now: datetime, sent: str = "", pictures_of: str = ""
) -> Iterator[str]:
    """Keep the files of each part while the block starts a job, and yield the id of the upload.

    It is "" if there are no files. `sent` is the id if the files came in pieces and are stored already.
    `pictures_of` is the id of an earlier upload, whose photographs are copied. If the block fails, what came
    whole is deleted; pieces stay, so that they need not be sent again. Raises JobError as `keep_upload` does,
    and if the earlier upload is not stored any more.
    """
    by_part = {part: list(given) for part, given in files.items()}
    earlier = stored_files(pictures_of)[PICTURES] if pictures_of else []
    upload = keep_upload(by_part, now=now, sent=sent) if any(by_part.values()) else ""
    upload = upload or (new_id(now) if earlier else "")
    try:
        for stored in earlier:
            name = whole_name(upload, PICTURES, stored.name)
            if default_storage.exists(name):
                continue  # the form came before, and its job could not begin
            try:
                with stored.open() as file:
                    default_storage.save(name, file)
            except FileNotFoundError as error:
                raise JobError(
                    "pictures", "The photographs are not kept any more: choose them again."
                ) from error
        yield upload
    except BaseException:
        if not sent:
            forget_upload(upload)
        raise


def keep_upload(files: Mapping[str, Iterable[File[bytes]]], *, now: datetime, sent: str = "") -> str:
    """Store the files of each part, such as CORPUS or PREDICTIONS, and return the id of the upload.

    The pictures are one ZIP archive or single files. Raises JobError, which names the part, if an archive
    must not be unpacked, or a file is empty or of a wrong type; then nothing is stored. The files of the
    upload `sent` are stored already.
    """
    by_part = {part: list(given) for part, given in files.items()}
    try:
        for part, kept in by_part.items():
            for file in kept:
                _check_name(part, file.name or "")
                (_check_arrived if sent else _check)(part, file)
        _check_pictures([file.name or "" for file in by_part.get(PICTURES, ())])
    except JobError:
        forget_upload(sent)
        raise
    if sent:
        return sent
    upload = new_id(now)
    try:
        for part, kept in by_part.items():
            for file in kept:
                default_storage.save(whole_name(upload, part, file.name or ""), file)
    except BaseException:
        forget_upload(upload)
        raise
    return upload


def _check_arrived(part: str, file: File[bytes]) -> None:
    """Check a file that came in pieces, and close it.

    A photograph is not opened, since that would copy it from a bucket. Its first piece was checked before.
    """
    if file.size and part == PICTURES and is_picture(file.name or ""):
        return
    with file:
        _check(part, file)


def _check(part: str, file: File[bytes]) -> None:
    """Raise JobError if the file is empty or begins wrongly, or is an archive that must not be unpacked."""
    name = file.name or ""
    if not file.size:
        raise JobError(part, f"{name} is empty.")
    file.seek(0)
    head = file.read(HEAD_BYTES)
    check_head(part, name, head)
    if begins_archive(head):
        with _naming(part, name):
            check_archive(file, most_bytes=settings.MAX_UNPACKED_BYTES)
    file.seek(0)


def check_head(part: str, name: str, head: bytes) -> None:
    """Raise JobError if a file cannot be what its part needs, by its name and its first HEAD_BYTES bytes."""
    # Archives among the photographs would all be unpacked, and together have no limit.
    if part == PICTURES and begins_archive(head) == is_picture(name):
        with _naming(part, name):
            raise ArchiveError("is neither a photograph (JPEG, PNG or WebP) nor a ZIP archive")


def check_names(names: Mapping[str, list[str]]) -> None:
    """Raise JobError if files of these names, by part, cannot be an upload."""
    for part, given in names.items():
        if part != PICTURES and len(given) > (most := MAX_FILES.get(part, 1)):
            too_many = f"There are {len(given)} files in place of {most}: pack them into a ZIP archive."
            raise JobError(part, too_many)
        for name in given:
            _check_name(part, name)
    _check_pictures(names.get(PICTURES, []))


def _check_name(part: str, name: str) -> None:
    with _naming(part, name):
        if PurePosixPath(name).suffix.lower() in WORKBOOKS:
            raise ArchiveError(SAVE_AS_CSV)
        if part == PICTURES and is_picture(name) and (wrong := _wrong_name(plain_name(part, name))):
            raise ArchiveError(f"{wrong}: rename it, in the spreadsheet too")


@contextmanager
def _naming(part: str, name: str) -> Iterator[None]:
    """Turn the ArchiveError of a file into a JobError that names it."""
    try:
        yield
    except ArchiveError as error:
        raise JobError(part, f"{PurePosixPath(name or 'The file').name}: {error}.") from error


def _wrong_name(name: str) -> str | None:
    if wrong := check_name(name):
        return wrong
    return f"its name has more than {_MAX_NAME} bytes" if len(name.encode()) > _MAX_NAME else None


def _check_pictures(names: list[str]) -> None:
    """Raise JobError if these are too many, or not clearly one set of pictures."""
    if len(names) > MAX_PICTURES:
        raise JobError(PICTURES, TOO_MANY_PICTURES)
    if len(names) > 1 and not all(map(is_picture, names)):
        raise JobError(PICTURES, "Choose photographs or one ZIP archive, not both.")
    for name, count in Counter(plain_name(PICTURES, name) for name in names).items():
        if count > 1:
            raise JobError(
                PICTURES, f"Two photographs are called {name}: rename one, in the spreadsheet too."
            )


def forget_incoming(*, now: datetime) -> None:
    """Delete files older than a day that a killed web server of this machine was receiving."""
    oldest = (now - KEPT).timestamp()
    for path in Path(settings.FILE_UPLOAD_TEMP_DIR).glob("*"):
        with suppress(OSError):  # another process has deleted it
            if path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()
