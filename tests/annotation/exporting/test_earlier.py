"""Only an earlier export is replaced, and only if nothing else is in its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.exporting.earlier import MAX_MANIFEST
from annotation.exporting.folder import ExportError
from annotation.formats.registry import WRITERS
from tests.annotation.exporting.annotated_projects import export, files, make_random


@pytest.mark.django_db
@pytest.mark.parametrize("source", ["crowd", "gold"])
@pytest.mark.parametrize("format", WRITERS)
def test_every_file_of_every_format_is_known(format: str, source: str, tmp_path: Path) -> None:
    project, out = make_random(3), tmp_path / "out"
    export(project, out, format, source=source, include_unfinished=True)
    before = files(out)
    (out / "about" / "manifest.json").touch()
    export(project, out, format, source=source, include_unfinished=True, overwrite=True)
    assert files(out) == before
    export(project, out, "coco" if format == "jsonl" else "jsonl", overwrite=True)
    assert len(files(out)) == 3


@pytest.mark.django_db
def test_an_older_export_with_its_manifest_beside_the_data_is_replaced(tmp_path: Path) -> None:
    project, out = make_random(3), tmp_path / "out"
    export(project, out)
    before = files(out)
    (out / "about" / "manifest.json").rename(out / "manifest.json")
    (out / "about").rmdir()
    export(project, out, overwrite=True)
    assert files(out) == before


@pytest.mark.django_db
@pytest.mark.parametrize("strange", ["ImageSets/mine.txt", "ImageSets/Main/mine.txt", "ImageSets/Main/deep"])
def test_files_in_folders_within_folders_are_known_by_name(strange: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(make_random(3), out, "voc")
    (out / strange).mkdir()
    refused(out, f"holds {strange}, which is not part of the export in it")


def refused(out: Path, message: str) -> None:
    """Assert that a replacement is refused with this message, and changes nothing."""
    before = {path: path.is_file() and path.read_bytes() for path in out.parent.rglob("*")}
    with pytest.raises(ExportError, match=message):
        export(make_random(3), out, overwrite=True)
    assert {path: path.is_file() and path.read_bytes() for path in out.parent.rglob("*")} == before


def _file(name: str) -> Callable[[Path], object]:
    return lambda out: (out / name).write_text("mine")


def _link(name: str, target: str) -> Callable[[Path], object]:
    return lambda out: (out / name).symlink_to(target)


def _linked_folder(out: Path) -> None:
    (out / "Sentences").rename(out.parent / "Sentences")
    (out / "Sentences").symlink_to(out.parent / "Sentences")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("strange", "change"),
    [
        ("thesis.txt", _file("thesis.txt")),
        (".hidden", _file(".hidden")),
        ("coco.json", _file("coco.json")),
        ("notes", lambda out: (out / "notes").mkdir()),
        ("link", _link("link", "captions.token")),
        ("manifest.json", _file("manifest.json")),
        ("about/notes", _file("about/notes")),
        ("about/deep", lambda out: (out / "about" / "deep").mkdir()),
        ("Sentences/notes.md", _file("Sentences/notes.md")),
        ("Sentences/notes.txt", _file("Sentences/notes.txt")),
        ("Annotations/mine.xml", _file("Annotations/mine.xml")),
        ("Annotations/0.txt", _file("Annotations/0.txt")),
        ("Sentences/deep", lambda out: (out / "Sentences" / "deep").mkdir()),
        ("Sentences/link.txt", _link("Sentences/link.txt", "0.txt")),
        ("Sentences", _linked_folder),
    ],
)
def test_an_export_with_something_else_in_it_is_kept(
    strange: str, change: Callable[[Path], object], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    export(make_random(3), out)
    change(out)
    refused(out, f"holds {strange}, which is not part of the export in it")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"name": "a web app", "icons": []}',
        b'{"format": "jsonl", "content_hash": "sha256:0"}',
        b'{"format": "jsonl", "content_hash": 0, "code_version": "1"}',
        b'{"format": "csv", "content_hash": "sha256:0", "code_version": "1"}',
        b'{"format": "jsonl", "content_hash": "sha256:0", "code_version": "1"}' + b" " * MAX_MANIFEST,
        b"[" * 100_000,
    ],
)
def test_a_manifest_of_somebody_else_is_none(manifest: bytes, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_bytes(manifest)
    refused(tmp_path / "out", "is no earlier export")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["folder", "file", "link", "linked manifest", "linked about"])
def test_what_is_no_export_is_never_overwritten(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if kind == "folder":
        out.mkdir()
        (out / "thesis.txt").touch()
    elif kind == "file":
        out.touch()
    else:
        export(make_random(3), tmp_path / "real")
        if kind == "link":
            out.symlink_to(tmp_path / "real")
        elif kind == "linked about":
            out.mkdir()
            (out / "about").symlink_to(tmp_path / "real" / "about")
        else:
            (out / "about").mkdir(parents=True)
            (out / "about" / "manifest.json").symlink_to(tmp_path / "real" / "about" / "manifest.json")
    refused(out, "is no earlier export")
