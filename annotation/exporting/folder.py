"""A folder that appears under its name when it is complete, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

MANIFEST = "manifest.json"


class ExportError(Exception):
    """The export cannot be written; the message says what to do."""


@contextmanager
def new_folder(out: Path, *, overwrite: bool) -> Iterator[Path]:
    """A temporary folder beside `out` that takes its name when the block ends without an exception.

    What is there already is refused; with `overwrite` an earlier export (a folder with a manifest) is
    replaced. Raises ExportError. A process that is killed leaves a hidden `.NAME.….partial` beside it, which
    may be deleted.
    """
    out = Path(os.path.abspath(out))
    _check(out, overwrite)
    try:
        partial = Path(mkdtemp(prefix=f".{out.name}.", suffix=".partial", dir=out.parent))
    except OSError as error:
        raise ExportError(f"cannot write into {out.parent}: {error.strerror or error}") from error
    try:
        umask = os.umask(0)
        os.umask(umask)
        partial.chmod(0o777 & ~umask)
        yield partial
        # One call for everything: syncing tens of thousands of small files one by one takes minutes.
        os.sync()
        _check(out, overwrite)
        _put(partial, out)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _check(out: Path, overwrite: bool) -> None:
    if not out.parent.is_dir():
        raise ExportError(f"there is no folder {out.parent}")
    if not os.path.lexists(out):
        return
    if not overwrite:
        raise ExportError(f"{out} is there already; choose another name, or give --overwrite")
    if out.is_symlink() or not (out / MANIFEST).is_file():
        raise ExportError(f"{out} is no earlier export (it has no {MANIFEST}), so it is not overwritten")


def _put(partial: Path, out: Path) -> None:
    """Between the two renames there is nothing under the name, never a half."""
    if not os.path.lexists(out):
        partial.rename(out)
        _sync(out.parent)
        return
    old = Path(mkdtemp(prefix=f".{out.name}.", suffix=".old", dir=out.parent))
    out.rename(old / out.name)
    try:
        partial.rename(out)
    except OSError:
        (old / out.name).rename(out)
        old.rmdir()
        raise
    _sync(out.parent)
    shutil.rmtree(old)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
