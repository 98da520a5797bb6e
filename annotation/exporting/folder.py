"""New folders that appear under their names when they are complete, or not at all."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from annotation.exporting.earlier import MANIFEST, foreign_path, manifest_of
from annotation.file_sync import sync

logger = logging.getLogger(__name__)


class ExportError(Exception):
    """The export cannot be written. The message says what to do."""


@contextmanager
def new_folder(out: Path, *, overwrite: bool) -> Iterator[Path]:
    """Make a temporary folder beside `out`, and rename it to `out` when the block ends without an exception.

    Raise ExportError as `check_out` does, and when the system cannot write; `out` is then as it was. A
    process that is killed leaves a hidden `.NAME.….partial` beside `out`. It is not removed later, since
    another process, perhaps on another machine, may still be writing it.
    """
    out = Path(os.path.abspath(out))
    check_out(out, overwrite=overwrite)
    try:
        partial = Path(mkdtemp(prefix=f".{out.name}.", suffix=".partial", dir=out.parent))
    except OSError as error:
        raise ExportError(f"cannot write into {out.parent}: {error.strerror or error}") from error
    try:
        umask = os.umask(0)
        os.umask(umask)
        partial.chmod(0o777 & ~umask)
        yield partial
        # Sync everything in one call: syncing tens of thousands of small files one by one takes minutes.
        os.sync()
        check_out(out, overwrite=overwrite)
        _put(partial, out)
    except OSError as error:
        raise ExportError(f"cannot write {out}: {error.strerror or error}") from error
    finally:
        # If all went well, it has another name by now.
        shutil.rmtree(partial, ignore_errors=True)


def check_out(out: Path, *, overwrite: bool) -> None:
    """Raise ExportError when `out` cannot be made, because it exists or its parent folder does not.

    With `overwrite`, it may exist if it is an earlier export, with a manifest of ours, and holds nothing
    else.
    """
    if not out.parent.is_dir():
        raise ExportError(f"there is no folder {out.parent}; make it first")
    if not os.path.lexists(out):
        return
    if not overwrite:
        raise ExportError(f"{out} is there already; choose another name, or give --overwrite")
    manifest = None if out.is_symlink() else manifest_of(out)
    if manifest is None:
        raise ExportError(
            f"{out} is no earlier export (it has no {MANIFEST} of one), so it is not overwritten"
        )
    try:
        strange = foreign_path(out, manifest["format"])
    except OSError as error:
        raise ExportError(f"cannot read {error.filename}: {error.strerror or error}") from error
    if strange is not None:
        raise ExportError(
            f"{out} holds {strange}, which is not part of the export in it, so it is not overwritten; "
            "move that file away, or choose another name"
        )


def _put(partial: Path, out: Path) -> None:
    """Rename `partial` to `out`. Between the two renames nothing has that name, but never half an export."""
    if not os.path.lexists(out):
        partial.rename(out)
        sync(out.parent)
        return
    old = Path(mkdtemp(prefix=f".{out.name}.", suffix=".old", dir=out.parent))
    try:
        out.rename(old / out.name)
        partial.rename(out)
        sync(out.parent)
    finally:
        # Ask the disk, not a variable: Ctrl-C may come between any two steps.
        if os.path.lexists(partial):
            _put_back(old, out)
        else:
            shutil.rmtree(old, ignore_errors=True)
            if os.path.lexists(old):
                logger.warning("export: could not remove all of %s, which was replaced", old)


def _put_back(old: Path, out: Path) -> None:
    try:
        if os.path.lexists(old / out.name):
            (old / out.name).rename(out)
        old.rmdir()
    except OSError as error:
        raise ExportError(f"cannot write {out}; the earlier export is now {old / out.name}") from error
