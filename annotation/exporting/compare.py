"""Compare an exported data set, with its provenance, with what the database would export now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotation.domain.merge import MergeSettings
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.exporting.earlier import MANIFEST, SUMS
from annotation.exporting.folder import ExportError
from annotation.exporting.pictures import Pictures
from annotation.formats.base import PICTURES
from annotation.formats.registry import WRITERS
from annotation.models import Project

MAX_MANIFEST_BYTES = 10_000_000


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of an exported data set. Raises ExportError if there is none that can be read."""
    path = folder / MANIFEST
    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise ExportError(f"{path} is too large for a manifest")
        found = json.loads(path.read_text(encoding="utf-8"))
        # All that `export_differences` needs.
        found["project"], found["format"], found["source"], found["settings"]["include_unfinished"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExportError(f"{path} is no manifest of an export: {error}") from error
    return dict(found)


def export_differences(folder: Path, project: Project, manifest: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each file of the data set that the database would not write like this now.

    The same options are used as for the export. Neither the manifest nor pictures are compared, except for
    pictures within the files of a format. Raises ExportError if nothing can be exported.
    """
    try:
        options = _options(manifest)
    except (ValueError, KeyError, TypeError) as error:
        raise ExportError(f"{folder / MANIFEST}: its settings cannot be used: {error}") from error
    with TemporaryDirectory(prefix="groundcrew-compare-") as place:
        again = Path(place) / "again"
        export_dataset(project=project, format=str(manifest["format"]), out=again, options=options)
        files = {*_files(again), *_files(folder)} - {Path(MANIFEST), Path(SUMS)}
        for name in sorted(files):
            here, there = folder / name, again / name
            if not here.is_file():
                yield f"{name}: the database has this file, and the data set has not"
            elif not there.is_file():
                if name.parts[0] != PICTURES:
                    yield f"{name}: the data set has this file, and the database would not write it"
            elif here.read_bytes() != there.read_bytes():
                yield from _lines(name, here, there) if name.suffix == ".jsonl" else [f"{name}: differs"]


def _options(manifest: dict[str, Any]) -> ExportOptions:
    settings = manifest["settings"]
    merging = settings.get("merge")
    written = WRITERS.get(str(manifest["format"]))
    within = bool(written and written.holds_pictures and "pictures" in manifest["counts"])
    never = tuple(frozenset(pair) for pair in merging["never"]) if merging else ()
    return ExportOptions(
        source=str(manifest["source"]),
        batch=str(manifest.get("batch") or ""),
        merge=MergeSettings(merging["iou"], merging["iou_other"], never) if merging else None,
        include_unfinished=bool(settings["include_unfinished"]),
        include_unresolved=bool(settings.get("include_unresolved")),
        people_only=bool(settings.get("people_only")),
        pictures=Pictures.COPIED if within else None,
        licence=str(manifest.get("licence") or ""),
    )


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def _lines(name: Path, here: Path, there: Path) -> Iterator[str]:
    """Yield the lines of two files that differ, with the image that each is about."""
    with here.open("rb") as one, there.open("rb") as other:
        for number, (line, expected) in enumerate(zip_longest(one, other), start=1):
            if line != expected:
                yield f"{name}, line {number}: {_image(expected or line or b'')} differs"


def _image(line: bytes) -> str:
    try:
        return str(json.loads(line).get("name", "it"))[:200]
    except (ValueError, AttributeError):
        return "it"
