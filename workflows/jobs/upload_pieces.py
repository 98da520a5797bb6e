"""Receive an upload in pieces, each of which may be sent again: announce its files, send, and go on later.

The files are announced once, before anything is sent; then the list of them is never changed. A piece is
stored as a whole or not at all, and the first one at its place stays. So the storage has all of the state:
requests may be lost, repeated, or come in any order and to any process. The pieces are never joined into one
file, which would take minutes and twice the room; jobs read them one after the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages

from annotation.models import Project
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.domain.pieces import Announced, Piece, missing, read_announced
from workflows.jobs.upload_storage import (
    PARTS,
    PieceList,
    StoredFile,
    is_old,
    joined_files,
    list_name,
    list_text,
    new_id,
    piece_name,
    read_list,
    stored_pieces,
)
from workflows.jobs.uploads import HEAD_BYTES, check_head, check_names

_CHUNK = 1 << 20


class BeginAnewError(JobError):
    """An upload in pieces cannot go on: it is not there for this project and user, or a file has changed."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends an upload in pieces, and for which project. Nobody else sees it."""

    project: Project
    by: str


def begin_upload(said: Any, *, sender: Sender, now: datetime) -> str:
    """Store which files are to come, as `read_announced` takes them, and return the id of the upload.

    Raises JobError if these files cannot be an upload.
    """
    files = read_announced(
        said,
        parts=PARTS,
        most_files=settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        most_bytes=settings.MAX_UPLOAD_BYTES,
        piece_bytes=settings.PIECE_BYTES,
    )
    check_names({part: [file.name for file in files if file.part == part] for part in PARTS})
    if empty := next((file for file in files if not file.size), None):
        raise JobError(empty.part, f"{empty.name} is empty.")
    upload = new_id(now)
    content = list_text(PieceList(sender.project.pk, sender.by, files))
    default_storage.save(list_name(upload), ContentFile(content.encode()))
    return upload


def pieces_to_come(upload: str, *, sender: Sender, now: datetime) -> list[dict[str, int]]:
    """Return the pieces that have not arrived yet: numbers of the file and the piece, first byte and end.

    Raises BeginAnewError.
    """
    files = _list(upload, sender, now).files
    found = []
    for file, piece in missing(files, stored_pieces(upload)):
        start = piece * files[file].piece_bytes
        found.append(
            {"file": file, "piece": piece, "start": start, "end": start + files[file].piece_size(piece)}
        )
    return found


def keep_piece(upload: str, piece: Piece, content: bytes, *, sender: Sender, now: datetime) -> None:
    """Store a piece. If it is stored already, nothing changes.

    Raises BeginAnewError, also if other bytes are stored in its place. Raises JobError if there is no such
    piece, if it is not complete, or if the file cannot be what its part needs.
    """
    files = _list(upload, sender, now).files
    if not (0 <= piece.file < len(files) and 0 <= piece.number < files[piece.file].pieces):
        raise JobError("upload", "There is no such piece.")
    file = files[piece.file]
    size = file.piece_size(piece.number)
    if len(content) != size:
        raise JobError("upload", f"The piece has {len(content):,} bytes, not {size:,}: send it again.")
    if piece.number == 0:
        check_head(file.part, file.name, content[:HEAD_BYTES])
    name = piece_name(upload, piece)
    if not default_storage.exists(name):
        storages["replacing"].save(name, ContentFile(content))
    elif _digest(name) != hashlib.sha256(content).digest():
        raise BeginAnewError("upload", f"{file.name} has changed since a part of it was sent: send it anew.")


def _digest(name: str) -> bytes:
    found = hashlib.sha256()
    with default_storage.open(name) as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.digest()


def sent_files(upload: str, *, sender: Sender, now: datetime) -> Mapping[str, list[File[bytes]]]:
    """Return the files of a complete upload, by part, as the browser named them.

    Raises JobError if the upload is not complete or not there any more.
    """
    files = _list(upload, sender, now).files
    if missing(files, stored_pieces(upload)):
        raise JobError("upload", "The upload is not complete: choose the same files again to go on.")
    found: dict[str, list[File[bytes]]] = {part: [] for part in PARTS}
    stored = {part: iter(some) for part, some in joined_files(upload, files).items()}
    for file in files:
        found[file.part].append(_Sent(next(stored[file.part]), file))
    return found


class _Sent(File):  # type: ignore[type-arg]  # only type checkers may name what it has
    """A file that has arrived, by the name that it has for people. It is opened when it is read."""

    def __init__(self, stored: StoredFile, announced: Announced) -> None:
        self._stored = stored
        self._opened: File[bytes] | None = None
        super().__init__(None, name=announced.name)
        self.size = announced.size

    @property
    def file(self) -> Any:
        """The open file."""
        if self._opened is None:
            self._opened = self._stored.open()
        return self._opened

    @file.setter
    def file(self, opened: Any) -> None:
        self._opened = opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def _list(upload: str, sender: Sender, now: datetime) -> PieceList:
    said = None if is_old(upload, now) else read_list(upload)
    if said is None or (said.project, said.by) != (sender.project.pk, sender.by):
        raise BeginAnewError("upload", "The upload is not stored any more: choose the files again.")
    return said
