"""The signing key of the embedded default, made once and kept beside its database."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def kept_key(path: Path) -> str:
    """Return the key in the file `path`; the first process to ask makes it, readable by its owner only.

    Web, worker and beat start at the same moment, so several may find no file: each writes a key of its
    own aside, and the first to link it to `path` decides for all. No process can see half a key.
    """
    if not path.exists():
        aside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48))
            with contextlib.suppress(FileExistsError):  # another process was first; its key counts
                os.link(aside, path)
        finally:
            aside.unlink()
    key = path.read_text(encoding="ascii").strip()
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"{path} does not hold a key; delete it and a new one is made (open links end)."
        )
    return key
