"""The built scripts of the researchers' pages, by the manifest that Vite leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

EDITOR = "src/console/main.ts"
"""Draws boxes for a form."""
INSPECTOR = "src/console/inspector/main.ts"
EXPERT = "src/expert/main.ts"
INSTRUCTIONS = "src/instructions/main.ts"
PREVIEW = "src/instructions/preview.ts"


@dataclass(frozen=True, slots=True)
class Built:
    """Paths under STATIC_URL."""

    script: str
    styles: tuple[str, ...]


def built(entry: str) -> Built | None:
    """Return the files of an entry; None if the pages are not built. A page then works without its script."""
    manifest = settings.PAGES_FOLDER / ".vite" / "console.json"
    return _read(manifest, entry) if settings.DEBUG else _kept(manifest, entry)


def _read(manifest: Path, entry: str) -> Built | None:
    try:
        pieces = json.loads(manifest.read_bytes())
        return Built(pieces[entry]["file"], tuple(dict.fromkeys(_styles(pieces, entry))))
    except (FileNotFoundError, KeyError):
        return None


def _styles(pieces: Mapping[str, Any], name: str) -> Iterator[str]:
    """Of a piece and of those it shares with other entries. Scripts load theirs by themselves."""
    for other in pieces[name].get("imports", ()):
        yield from _styles(pieces, other)
    yield from pieces[name].get("css", ())


_kept = lru_cache(_read)
