"""Checks that a folder is an earlier export and nothing else, since only such a folder may be replaced."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Any

import orjson

from annotation.exporting.provenance import FILE as PROVENANCE
from annotation.formats.base import PICTURES
from annotation.formats.registry import WRITERS

ABOUT = "about"
"""The folder for what describes an export: some programs read every `*.json` beside the data as data."""
MANIFEST = f"{ABOUT}/manifest.json"
IMPORTED = f"{ABOUT}/imported_chains.csv"
_MANIFEST_BEFORE = "manifest.json"  # of older exports
UNRESOLVED = f"{ABOUT}/unresolved.jsonl"
SUMS = f"{ABOUT}/pictures.sha256"
"""The list of the pictures: a line for each, as `sha256sum` writes it and `sha256sum --check` reads it."""
MAX_MANIFEST = 1 << 20  # bytes; ours have about a thousand


def manifest_of(out: Path) -> dict[str, Any] | None:
    """Return the manifest of the export in `out`, or None if there is none of ours."""
    path = _path_of_manifest(out)
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_MANIFEST:
            return None
        found = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    keys = ("format", "content_hash", "code_version")
    if not isinstance(found, dict) or not all(isinstance(found.get(key), str) for key in keys):
        return None
    return found if found["format"] in WRITERS else None


def _path_of_manifest(out: Path) -> Path:
    about = out / ABOUT
    return out / MANIFEST if about.is_dir() and not about.is_symlink() else out / _MANIFEST_BEFORE


def foreign_path(out: Path, format: str) -> str | None:
    """Return the first path in `out`, by name, that is not part of an export in this format, or None.

    Files of images are recognised by their suffix, and by a file of the same stem in the other folder, and
    pictures by the list of them. A link is never part of an export. Raise OSError when something cannot be
    read.
    """
    written = WRITERS[format]
    suffixes = written.folders
    files, folders, odd = _listing(out)
    manifest = _path_of_manifest(out)
    deep = _deep(written.files)
    odd |= (files - written.files - {manifest.name, PROVENANCE}) | (
        folders - set(suffixes) - deep - {ABOUT, PICTURES}
    )
    for name in sorted(deep):
        if (out / name).is_dir():
            here, deeper, others = ({f"{name}/{entry}" for entry in found} for found in _listing(out / name))
            odd |= (here - written.files) | (deeper - deep) | others
    if manifest.parent != out:
        odd |= files & {manifest.name}
        told, deeper, others = _listing(manifest.parent)
        known = {Path(name).name for name in (MANIFEST, IMPORTED, UNRESOLVED, SUMS)}
        odd |= {f"{ABOUT}/{entry}" for entry in (told - known) | deeper | others}
    if PICTURES in folders:
        odd |= _foreign_pictures(out, listed=(out / SUMS).is_file())
    stems: dict[str, set[str]] = {}
    for name in folders & set(suffixes):
        files, deeper, others = _listing(out / name)
        stems[name] = {file.removesuffix(suffixes[name]) for file in files if file.endswith(suffixes[name])}
        known = {stem + suffixes[name] for stem in stems[name]}
        odd |= {f"{name}/{entry}" for entry in (files - known) | deeper | others}
    paired = set[str].intersection(*stems.values()) if stems else set()
    odd |= {f"{name}/{stem}{suffixes[name]}" for name, found in stems.items() for stem in found - paired}
    return min(odd, default=None)


def _deep(files: frozenset[str]) -> set[str]:
    """Return the folders that files of a format are in, and the folders above them."""
    return {str(folder) for file in files for folder in PurePosixPath(file).parents} - {"."}


def _foreign_pictures(out: Path, *, listed: bool) -> set[str]:
    """Return the paths in the folder of pictures that the list of pictures does not name."""
    known: set[str] = set()
    if listed:
        with (out / SUMS).open(encoding="utf-8", errors="replace") as lines:
            known = {line.rstrip("\n").partition("  ")[2] for line in lines}
    files, deeper, others = ({f"{PICTURES}/{name}" for name in names} for names in _listing(out / PICTURES))
    return (files - known) | deeper | others


def _listing(folder: Path) -> tuple[set[str], set[str], set[str]]:
    """Return the names of the plain files, those of the folders, and those of links, devices and the like."""
    files: set[str] = set()
    folders: set[str] = set()
    others: set[str] = set()
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                files.add(entry.name)
            else:
                (folders if entry.is_dir(follow_symlinks=False) else others).add(entry.name)
    return files, folders, others
