"""Where the files of uploads are in the storage, whole or in pieces, and for how long."""

from __future__ import annotations

import io
import json
import re
import secrets
from bisect import bisect_right
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage

from annotation.formats.captions.entries import picture_name
from annotation.formats.captions.spreadsheet import is_picture
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.domain.pieces import Announced, Piece, missing

ROOT = ".uploads"
"""Hidden: images are in folders named like their projects, and hidden files are never served."""
CORPUS, PICTURES, SPLITS = "corpus", "pictures", "splits"
PREDICTIONS, GRADES = "predictions", "grades"
PARTS = (CORPUS, PICTURES, SPLITS, PREDICTIONS, GRADES)
_PIECES = "pieces"
"""The folder of an upload that arrives in pieces, with the list of its files."""
_LIST = "files.json"
KEPT = timedelta(days=1)
_ID = re.compile(r"([0-9]{14})-[0-9a-f]{16}")
_PIECE = re.compile(r"([0-9]{3})-([0-9]{5,})")
_STAMP = "%Y%m%d%H%M%S"
_BUFFER = 1 << 20


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of an upload: its name, and the names in the storage of its pieces, in order, with their sizes.

    A file that came whole is one piece, whose size is not known.
    """

    name: str
    pieces: tuple[str, ...]
    sizes: tuple[int, ...] = ()

    def open(self) -> File[bytes]:
        """Open it for reading. Raises FileNotFoundError, if not here then when a piece is read."""
        if len(self.pieces) == 1:
            return default_storage.open(self.pieces[0])
        joined = File(io.BufferedReader(_Joined(self.pieces, self.sizes), _BUFFER), name=self.name)
        joined.size = sum(self.sizes)
        return joined


class _Joined(io.RawIOBase):
    """Pieces read as one file. One of them is open at a time, since those of a bucket are copied here."""

    def __init__(self, pieces: tuple[str, ...], sizes: tuple[int, ...]) -> None:
        super().__init__()
        self._pieces, self._ends = pieces, list(accumulate(sizes))
        self._starts = [0, *self._ends]
        self._at = 0
        self._open: tuple[int, File[bytes]] | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        if base + offset < 0:
            raise ValueError(f"negative position {base + offset}")
        self._at = base + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        number = bisect_right(self._ends, self._at)
        if number == len(self._ends):
            return 0
        if self._open is None or self._open[0] != number:
            self._shut()
            self._open = number, default_storage.open(self._pieces[number])
        file = self._open[1]
        file.seek(self._at - self._starts[number])
        content = file.read(min(len(buffer), self._ends[number] - self._at))
        if not content:
            raise OSError(f"{self._pieces[number]} is shorter than it was")
        buffer[: len(content)] = content
        self._at += len(content)
        return len(content)

    def _shut(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def close(self) -> None:
        self._shut()
        super().close()


@dataclass(frozen=True, slots=True)
class PieceList:
    """What an upload in pieces consists of: for which project, by which user, and the files."""

    project: int
    by: str
    files: tuple[Announced, ...]


def new_id(now: datetime) -> str:
    """Return the id of a new upload: the time, and a part that cannot be guessed."""
    return f"{now.strftime(_STAMP)}-{secrets.token_hex(8)}"


def is_old(upload: str, now: datetime) -> bool:
    """Return whether an upload began more than a day ago, or whether this is no id of one."""
    found = _ID.fullmatch(upload)
    return found is None or found[1] < (now - KEPT).strftime(_STAMP)


def whole_name(upload: str, part: str, name: str) -> str:
    """Return the name in the storage of a file that comes whole."""
    return f"{ROOT}/{upload}/{part}/{plain_name(part, name)}"


def piece_name(upload: str, piece: Piece) -> str:
    """Return the name in the storage of a piece."""
    return f"{ROOT}/{upload}/{_PIECES}/{piece.file:03}-{piece.number:05}"


def list_name(upload: str) -> str:
    """Return the name in the storage of the list of an upload's files."""
    return f"{ROOT}/{upload}/{_PIECES}/{_LIST}"


def plain_name(part: str, name: str) -> str:
    """Return the name under which a file is stored.

    The import finds a.jpg for an image that is called a.JPG or a, but not the other way round. Other files
    keep their suffixes, without characters that mean something to a file system.
    """
    if part == PICTURES and is_picture(name):
        picture = PurePosixPath(picture_name(name).replace("\\", "/")).name
        suffix = PurePosixPath(picture).suffix
        return picture.removesuffix(suffix) + suffix.lower()
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(name.replace("\\", "/")).name)[-100:].lstrip(".")
    return plain or "file"


def read_list(upload: str) -> PieceList | None:
    """Return the list of an upload in pieces, or None if this is none, or it is not there any more."""
    if not _ID.fullmatch(upload):
        return None
    try:
        with default_storage.open(list_name(upload)) as file:
            said = json.load(file)
    except FileNotFoundError:
        return None
    return PieceList(said["project"], said["by"], tuple(Announced(*one) for one in said["files"]))


def list_text(said: PieceList) -> str:
    """Return the list as it is stored, which `read_list` reads."""
    files = [[one.part, one.name, one.size, one.piece_bytes] for one in said.files]
    return json.dumps({"project": said.project, "by": said.by, "files": files})


def stored_pieces(upload: str) -> set[Piece]:
    """Return the pieces that have arrived."""
    names = _names(f"{ROOT}/{upload}/{_PIECES}")
    return {Piece(int(found[1]), int(found[2])) for name in names if (found := _PIECE.fullmatch(name))}


def joined_files(upload: str, files: tuple[Announced, ...]) -> dict[str, list[StoredFile]]:
    """Return the files of an upload in pieces, by part, in the order of their list."""
    found: dict[str, list[StoredFile]] = defaultdict(list)
    for number, file in enumerate(files):
        pieces = [Piece(number, piece) for piece in range(file.pieces)]
        name = plain_name(file.part, file.name)
        if any(name == other.name for other in found[file.part]):
            name = f"{number}_{name}"
        sizes = tuple(file.piece_size(piece.number) for piece in pieces)
        stored = StoredFile(name, tuple(piece_name(upload, piece) for piece in pieces), sizes)
        found[file.part].append(stored)
    return found


def stored_files(upload: str) -> dict[str, list[StoredFile]]:
    """Return the files of an upload, by part.

    Raises JobError if there is no such upload, or if pieces of it are missing.
    """
    if not _ID.fullmatch(upload):
        raise JobError("upload", "There is no such upload.")
    found: dict[str, list[StoredFile]] = {}
    for part in PARTS:
        folder = f"{ROOT}/{upload}/{part}"
        found[part] = [StoredFile(name, (f"{folder}/{name}",)) for name in sorted(_names(folder))]
    if (said := read_list(upload)) is not None:
        if missing(said.files, stored_pieces(upload)):
            raise JobError("upload", "The upload is not complete: upload it again.")
        found |= joined_files(upload, said.files)
    if not any(found[part] for part in PARTS if part != SPLITS):
        raise JobError("upload", "The upload is not stored any more: upload it again.")
    return found


check_upload = stored_files


def _names(folder: str) -> list[str]:
    try:
        return list(default_storage.listdir(folder)[1])
    except FileNotFoundError:
        return []


def forget_upload(upload: str) -> None:
    """Delete an upload, or what there is of it."""
    if not _ID.fullmatch(upload):
        return
    for part in (*PARTS, _PIECES):
        folder = f"{ROOT}/{upload}/{part}"
        for name in _names(folder):
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
    return [name for name in uploads if _ID.fullmatch(name) and is_old(name, now)]
