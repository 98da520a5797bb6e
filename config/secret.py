"""The embedded default's signing key, which is made once and kept beside its database."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from annotation.file_sync import sync


def kept_key(path: Path) -> str:
    """Return the key in the file `path`. The first process makes the file, readable by its owner only.

    Web server, worker and beat start at the same moment, so several may find no file. Each writes a key to
    its own file, and the first that links its file to `path` decides for all. No process can see half a key.
    """
    if not path.exists():
        aside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                os.fsync(descriptor)
            with contextlib.suppress(FileExistsError):  # another process was first; its key counts
                os.link(aside, path)
        finally:
            aside.unlink()
    # Before anything is signed, even if another process has just made the file: without the key, sessions and
    # workers' tokens end.
    sync(path.parent)
    key = path.read_text(encoding="ascii").strip()
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"{path} does not have a key; delete it, and a new one is made (existing links stop working)."
        )
    return key
