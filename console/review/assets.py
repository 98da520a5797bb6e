"""The built drawing editor, by the manifest that Vite leaves."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

ENTRY = "src/console/main.ts"


@dataclass(frozen=True, slots=True)
class Editor:
    """Paths under STATIC_URL."""

    script: str
    styles: tuple[str, ...]


def editor() -> Editor | None:
    """The editor's files; None where the pages are not built, and boxes are typed as numbers."""
    manifest = settings.PAGES_FOLDER / ".vite" / "console.json"
    return _read(manifest) if settings.DEBUG else _kept(manifest)


def _read(manifest: Path) -> Editor | None:
    try:
        entry = json.loads(manifest.read_bytes())[ENTRY]
    except FileNotFoundError:
        return None
    return Editor(entry["file"], tuple(entry.get("css", ())))


_kept = lru_cache(_read)
