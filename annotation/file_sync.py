"""Files that stay when the power goes: they are on the disk before anything says that they are there."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage


def sync(path: Path) -> None:
    """Wait until the file's content, or which files a folder has, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class DurableStorage(FileSystemStorage):
    """Django's storage in a folder, which returns only when a new file and its folders are on the disk."""

    def url(self, name: str | None) -> str:
        """Refuse: a file has no address that is the same for everybody."""
        raise ValueError(f"{name} has no address of its own: see workflows/core/photographs.py")

    def _save(self, name: str, content: Any) -> str:
        saved: str = super()._save(name, content)  # type: ignore[misc]  # the stubs leave it out
        path, root = Path(self.path(saved)), Path(self.location)
        sync(path)
        # Also folders that were there before: another thread may have made one a moment ago, or a process
        # that was killed since.
        for folder in path.parents:
            sync(folder)
            if folder == root.parent:
                break
        return saved


class ReplacingStorage(DurableStorage):
    """A durable storage in which a file is replaced as a whole: readers see what was there before or after.

    If two processes write a file at once, one of them is the last, and nothing else is left.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return the name itself, even if there is such a file."""
        return name

    def _save(self, name: str, content: Any) -> str:
        written = Path(self.path(super()._save(f"{name}.{uuid.uuid4().hex}", content)))
        whole = Path(self.path(name))
        written.replace(whole)
        sync(whole.parent)
        return name
