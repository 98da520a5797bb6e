"""Writes files that people asked for beside a report: new ones, and only whole ones."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from evaluation.errors import InputError


def check_new(path: Path) -> None:
    """Raise InputError if there is such a file already, or if its folder cannot be written to."""
    if path.exists():
        raise InputError(f"{path} exists already; choose a new name")
    if not path.absolute().parent.is_dir() or not os.access(path.absolute().parent, os.W_OK):
        raise InputError(
            f"{path} cannot be written: {path.absolute().parent} is no folder that you may write to"
        )


def write_new(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file in parts; it appears when it is complete.

    Raise InputError if there is such a file already, or if it cannot be written.
    """
    check_new(path)
    try:
        with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".groundcrew.") as folder:
            draft = Path(folder) / "draft"
            with draft.open("wb") as file:
                file.writelines(parts)
            os.link(draft, path)  # unlike a rename, this never replaces a file
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
