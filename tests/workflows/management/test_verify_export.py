"""manage.py verify_export: an exported data set and its provenance are compared with the database."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet

from annotation.models import Batch, Box, Judgment
from tests.factories import NOW, claim_maybe, make_running, make_worker, submit_page
from tests.unguarded import unguarded
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    batch = make_running([["man", "dog"], ["man"]], images=2)
    while (found := claim_maybe(make_worker(batch.project))) is not None:
        submit_page(found.assignment)
        advance_pending(now=NOW)
    return batch


def export(batch: Batch, out: Path, *more: str, format: str = "jsonl") -> None:
    call_command(
        "export_dataset",
        str(out),
        "--project",
        batch.project.name,
        "--format",
        format,
        *more,
        stdout=StringIO(),
    )


def verify(out: Path, *more: str) -> str:
    said = StringIO()
    try:
        call_command("verify_export", str(out), *more, stdout=said)
    except CommandError as error:
        return f"{said.getvalue()}{error}"
    return said.getvalue()


@pytest.mark.parametrize("format", ["jsonl", "flickr30k-entities", "parquet", "coco"])
@pytest.mark.parametrize("more", [(), ("--no-merge", "--licence", "cc-by-4.0"), ("--batch", "main")])
def test_an_export_is_what_the_database_would_export(
    batch: Batch, tmp_path: Path, format: str, more: tuple[str, ...]
) -> None:
    export(batch, tmp_path / "out", *more, format=format)
    assert "it is what the database would export now (sha256:" in verify(tmp_path / "out")


def test_a_line_of_provenance_that_was_changed_is_named(batch: Batch, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(batch, out, format="flickr30k-entities")
    lines = (out / "provenance.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    line = json.loads(lines[1])
    line["boxes"][0]["judgments"] = [999_999]
    (out / "provenance.jsonl").write_text(lines[0] + json.dumps(line) + "\n", encoding="utf-8")
    assert verify(out) == f"provenance.jsonl, line 2: {line['name']} differs\n1 differences"


def test_what_the_database_has_or_the_folder_has_alone_is_named(batch: Batch, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(batch, out)
    (out / "provenance.jsonl").rename(out / "more.txt")
    assert verify(out).splitlines() == [
        "more.txt: the data set has this file, and the database would not write it",
        "provenance.jsonl: the database has this file, and the data set has not",
        "2 differences",
    ]


def test_a_box_that_was_moved_in_the_database_is_found(batch: Batch, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(batch, out)
    with unguarded():
        Box.objects.update(left=11)
    assert "images.jsonl, line 1: " in verify(out)
    assert QuerySet(Judgment).exists()


@pytest.mark.parametrize("content", ["", "[]", '{"project": "x"}'])
def test_a_folder_that_is_no_export_is_refused(tmp_path: Path, content: str) -> None:
    assert "is no manifest of an export" in verify(tmp_path)
    (tmp_path / "about").mkdir()
    (tmp_path / "about/manifest.json").write_text(content)
    assert "is no manifest of an export" in verify(tmp_path)
