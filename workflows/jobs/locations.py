"""Where a corpus may be read from besides uploads: folders and buckets that the installation allows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings

from workflows.jobs.domain.jobs import JobError

_S3 = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,62})/(.*)")


def bucket_and_prefix(place: str) -> tuple[str, str] | None:
    """Split `s3://bucket/prefix`; return None if the place does not begin with s3://.

    If the installation allows `bucket/folder`, the folder itself is returned with a slash at its end, because
    the prefix without it would match `folder2` too. Raises JobError unless the place is allowed.
    """
    if not place.startswith("s3://"):
        return None
    match = _S3.fullmatch(place)
    if not match:
        raise JobError("place", "Write an S3 prefix as s3://bucket/prefix.")
    bucket, prefix = match.groups()
    for allowed in settings.IMPORT_BUCKETS:
        name, _, folder = allowed.partition("/")
        folder = f"{folder.rstrip('/')}/" if folder.strip("/") else ""
        if bucket == name and f"{prefix}/" == folder:
            return bucket, folder
        if bucket == name and prefix.startswith(folder):
            return bucket, prefix
    raise JobError("place", _allow("place", place, "GROUNDCREW_IMPORT_BUCKETS"))


def check_place(place: str) -> None:
    """Raise JobError if nothing may be imported from the place, or if a path does not exist."""
    if bucket_and_prefix(place) is None:
        allowed_path(place)


def allowed_path(place: str) -> Path:
    """Return the file or folder after following all links.

    Raises JobError unless it is allowed and exists.
    """
    if not place.startswith("/"):
        raise JobError(
            "place", "Name a whole path, which begins with /, or an S3 prefix, s3://bucket/prefix."
        )
    folders = [Path(folder).resolve() for folder in settings.IMPORT_FOLDERS]
    # Checked before the path itself, so that nobody learns what exists outside of the folders.
    path = Path(os.path.realpath(place))
    if not any(path.is_relative_to(folder) for folder in folders):
        raise JobError("place", _allow("folder", place, "GROUNDCREW_IMPORT_FOLDERS"))
    try:
        there = path.is_dir() or path.is_file()
    except OSError:
        there = False
    if not there:
        raise JobError("place", f"There is nothing at {place} that can be read.")
    return path


def check_links(path: Path, pulse: Callable[[], object] = lambda: None) -> None:
    """Raise JobError if a link below `path` leads out of it. `pulse` is called for every file."""
    for found in _links(path, pulse):
        if not Path(os.path.realpath(found)).is_relative_to(path):
            raise JobError(
                "place",
                f"{found.relative_to(path)} is a link that leads out of the folder: copy the file itself.",
            )


def _links(path: Path, pulse: Callable[[], object]) -> Iterator[Path]:
    folders = [path] if path.is_dir() else []
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                pulse()
                if entry.is_symlink():
                    yield Path(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))


def _allow(kind: str, name: str, variable: str) -> str:
    return (
        f"Nothing may be imported from the {kind} {name}. Whoever runs this installation can allow it with "
        f"{variable}."
    )
