"""Files that stay when the power goes: they are on the disk before anything says that they are there."""

from __future__ import annotations

import os
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

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        made = [folder for folder in path.parents if not folder.is_dir()]
        saved: str = super()._save(name, content)  # type: ignore[misc]  # the stubs leave it out
        path = Path(self.path(saved))
        for one in (path, path.parent, *(folder.parent for folder in made)):
            sync(one)
        return saved
