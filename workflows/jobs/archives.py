"""Check ZIP archives from outside before they are opened, and unpack them without trusting their lists."""

from __future__ import annotations

import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeAlias

from django.core.files import File

from workflows.jobs.domain.archive_names import readable_names, unicode_path
from workflows.jobs.domain.archives import MAX_ENTRIES, ArchiveError, Entry, check_entries

_END, _END_SIZE = b"PK\x05\x06", 22
_END64, _LOCATOR64 = b"PK\x06\x06", b"PK\x06\x07"
_MAX_COMMENT_LENGTH = 65_535
_UTF8 = 0x800  # flag: the name is in UTF-8
_LIST_BYTES = 512  # for each entry of the archive's list: 46 and a name, with some room
_CHUNK = 1 << 20

Archive: TypeAlias = "File[bytes] | IO[bytes]"


def is_archive(file: Archive) -> bool:
    """Return whether the file begins like a ZIP archive, and rewind it."""
    file.seek(0)
    head = file.read(4)
    file.seek(0)
    return begins_archive(head)


def begins_archive(head: bytes) -> bool:
    """Return whether a file with these four bytes at its beginning is a ZIP archive."""
    return head in (b"PK\x03\x04", _END)


def check_archive(file: Archive, *, most_bytes: int) -> int:
    """Return how many bytes the archive takes unpacked. Raises ArchiveError if it must not be unpacked."""
    _check_list(file)
    try:
        with zipfile.ZipFile(file) as archive:
            size = file.seek(0, os.SEEK_END)
            if not all(0 <= info.header_offset < size for info in archive.infolist()):
                raise zipfile.BadZipFile("an entry begins outside of the file")
            return check_entries((entry for _, entry in _listed(archive)), most_bytes=most_bytes)
    except _DAMAGED as error:
        raise ArchiveError(f"is a damaged archive ({error}): pack it again") from error
    except OSError as error:
        _raise_if_of_the_disk(error)
        raise ArchiveError("is a damaged archive: pack it again") from error


def unpack_archive(file: Archive, out: Path, *, most_bytes: int, pulse: Callable[[int], object]) -> None:
    """Unpack every file of the archive into the new folder `out`. Raises ArchiveError.

    `pulse` is called with the number of bytes of each chunk. A file that is longer than the archive's list
    says is cut off there, and then its checksum is wrong.
    """
    check_archive(file, most_bytes=most_bytes)
    try:
        with zipfile.ZipFile(file) as archive:
            # In the order of the file: one in pieces is then read from its beginning to its end.
            for info, entry in sorted(_listed(archive), key=lambda listed: listed[0].header_offset):
                target = out / entry.name
                if entry.name.endswith("/"):
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(info) as source, target.open("xb") as copy:
                    while chunk := source.read(_CHUNK):
                        copy.write(chunk)
                        pulse(len(chunk))
    except (*_DAMAGED, FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise ArchiveError(f"the archive is damaged ({_said(error)}): pack it again") from error
    except OSError as error:
        _raise_if_of_the_disk(error)
        raise ArchiveError(f"the archive is damaged ({error}): pack it again") from error


_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    struct.error,
    ValueError,  # of names in another encoding, say
)


def _raise_if_of_the_disk(error: OSError) -> None:
    """Raise an error of the operating system again. bz2 raises OSError for damaged data, without a number."""
    if error.errno is not None:
        raise error


def _said(error: BaseException) -> str:
    """Return the error's text without paths of this machine."""
    return error.strerror or "files" if isinstance(error, OSError) else str(error)


def _listed(archive: zipfile.ZipFile) -> list[tuple[zipfile.ZipInfo, Entry]]:
    """Return what the archive lists. Raise ArchiveError if its names cannot be read."""
    infos = archive.infolist()
    # Without the flag, `zipfile` takes names for those of DOS, by which no byte is lost.
    raw = {info: info.orig_filename.encode("cp437") for info in infos if not info.flag_bits & _UTF8}
    told = {info: path for info, name in raw.items() if (path := unicode_path(name, info.extra))}
    untold = [info for info in raw if info not in told]
    names = told | dict(zip(untold, readable_names([raw[info] for info in untold]), strict=True))
    return [(info, _entry(info, names.get(info, info.orig_filename))) for info in infos]


def _entry(info: zipfile.ZipInfo, name: str) -> Entry:
    mode = info.external_attr >> 16
    encrypted = bool(info.flag_bits & 1)
    # Programs of Windows may write a backslash between folders.
    plain = name.replace("\\", "/")
    return Entry(plain, info.file_size, info.compress_size, stat.S_ISLNK(mode), encrypted)


def _check_list(file: Archive) -> None:
    """Check the length of the list at the archive's end, because `zipfile` reads all of it into memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_SIZE - _MAX_COMMENT_LENGTH))
    tail: bytes = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        raise ArchiveError("is not a complete ZIP archive: upload it again")
    length = struct.unpack_from("<I", tail, at + 12)[0]
    if at >= 20 and tail[at - 20 : at - 16] == _LOCATOR64:
        place: Any = struct.unpack_from("<Q", tail, at - 12)[0]
        file.seek(min(place, size))
        head = file.read(56)
        if len(head) < 56 or head[:4] != _END64:
            raise ArchiveError("is a damaged archive: pack it again")
        length = max(length if length != 0xFFFFFFFF else 0, struct.unpack_from("<Q", head, 40)[0])
    file.seek(0)
    if length > MAX_ENTRIES * _LIST_BYTES:
        raise ArchiveError(f"it holds more than {MAX_ENTRIES:,} files: upload it in parts")
