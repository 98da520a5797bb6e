"""What an uploaded ZIP archive may hold: no path out of its folder, no other archive, and no file that is
small only while it is packed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from annotation.formats.base import is_printable

MAX_ENTRIES = 250_000  # Flickr30k Entities with its pictures has about 95,000
MAX_RATIO = 200  # of unpacked to packed size; sentences reach about ten
SMALL = 1 << 20  # bytes: for smaller files, the ratio says nothing, but for all together it does
MAX_DEPTH = 10  # folders in folders
MAX_NAME = 255  # bytes of a part of a path
_ARCHIVES = frozenset({".zip", ".tar", ".tgz", ".tbz2", ".txz", ".7z", ".rar", ".zst", ".xz", ".bz2"})
_DRIVE = re.compile(r"[A-Za-z]:")


class ArchiveError(Exception):
    """The archive must not be unpacked; the message names the entry and says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder as the archive's list describes it; sizes are in bytes."""

    name: str
    size: int
    packed: int
    link: bool = False
    encrypted: bool = False


def check_entries(entries: Iterable[Entry], *, most_bytes: int) -> int:
    """Return how many bytes the archive takes unpacked. Raises ArchiveError if it must not be unpacked."""
    total = packed = 0
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        if number > MAX_ENTRIES:
            raise ArchiveError(f"it holds more than {MAX_ENTRIES:,} files: upload it in parts")
        check_entry(entry)
        if entry.name in seen:
            raise ArchiveError(f"it holds {_said(entry.name)} twice: pack it again")
        seen.add(entry.name)
        total += entry.size
        packed += entry.packed
        if total > most_bytes:
            raise ArchiveError(
                f"unpacked it has more than {most_bytes:,} bytes: upload it in parts, or name a folder of "
                "the server"
            )
    if total > SMALL and total > MAX_RATIO * max(packed, 1):
        raise ArchiveError(
            f"its files are more than {MAX_RATIO} times as large as packed: upload them unpacked"
        )
    return total


def check_entry(entry: Entry) -> None:
    """Raise ArchiveError if the entry must not be unpacked."""
    name = _said(entry.name)
    if wrong := wrong_path(entry.name):
        raise ArchiveError(f"{name} {wrong}")
    if entry.link:
        raise ArchiveError(f"{name} is a link: pack the file itself")
    if entry.encrypted:
        raise ArchiveError(f"{name} is encrypted: pack it without a password")
    if PurePosixPath(entry.name).suffix.lower() in _ARCHIVES and not entry.name.endswith("/"):
        raise ArchiveError(f"it holds the archive {name}: pack the files of that instead")
    if entry.size > SMALL and entry.size > MAX_RATIO * max(entry.packed, 1):
        raise ArchiveError(f"{name} is more than {MAX_RATIO} times as large as packed: upload it unpacked")


def wrong_path(name: str) -> str | None:
    """Return why a path from outside must not be used within a folder, or None if it may be used."""
    parts = name.rstrip("/").split("/")
    if not name or name.startswith("/") or _DRIVE.match(name) or "\\" in name or ".." in parts:
        return "leads out of the archive: pack it from inside its folder"
    if not is_printable(name) or "" in parts or "." in parts:
        return "is not a plain path: rename it"
    if len(parts) > MAX_DEPTH or any(len(part.encode("utf-8", "replace")) > MAX_NAME for part in parts):
        return f"is too long, or in more than {MAX_DEPTH} folders"
    return None


def _said(name: str) -> str:
    return repr(name[:120])
