from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.annotation.exporting.making import Made, make_annotated

pytestmark = pytest.mark.django_db


def run(project: Project, out: Path, *options: str) -> str:
    said = StringIO()
    arguments = ("--project", project.name, "--format", "flickr30k-entities", *options)
    call_command("export_dataset", str(out), *arguments, stdout=said)
    return said.getvalue()


@pytest.fixture
def project() -> Project:
    chains = [Made([0], [(0, 0, 100, 100)]), Made([1], [(0, 0, 100, 90)]), Made([2], state="review")]
    return make_annotated(chains, [["man", "woman", "dog"]])


def test_it_says_what_was_written_and_left_out(project: Project, tmp_path: Path) -> None:
    said = run(project, tmp_path / "out")
    assert "chains:   1 (merging removed 1, 50.0%)" in said
    assert "boxes:    1 (merging removed 1, 50.0%)" in said
    assert "mentions: 2 in chains, 1 not visual or without a chain" in said
    assert "left out: 1 chains in review" in said
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["content_hash"] in said
    assert manifest["settings"] == {
        "merge": {
            "iou": 0.8,
            "iou_other": 0.9,
            "never": [["clothing", "people"], ["bodyparts", "people"], ["bodyparts", "clothing"]],
        },
        "include_unfinished": False,
    }


@pytest.mark.parametrize(
    ("options", "boxes"),
    [((), 1), (("--no-merge",), 2), (("--merge-iou", "0.95"), 2), (("--merge-iou", ".9"), 1)],
)
def test_merging_can_be_set(project: Project, tmp_path: Path, options: tuple[str, ...], boxes: int) -> None:
    run(project, tmp_path / "out", *options)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"]["boxes"] == boxes


def test_known_chains_are_merged_only_when_asked(project: Project, tmp_path: Path) -> None:
    for options, merging in ((("--source", "gold"), False), (("--source", "gold", "--merge"), True)):
        run(project, tmp_path / str(merging), *options)
        manifest = json.loads((tmp_path / str(merging) / "manifest.json").read_text())
        assert (manifest["settings"]["merge"] is not None) == merging


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--merge-iou", "0"), "iou must be above 0"),
        (("--batch", "none"), "has no batch 'none'"),
        (("--source", "gold", "--batch", "main"), "only the crowd's annotation has batches"),
        (("--project", "none"), "there is no project 'none'"),
    ],
)
def test_what_is_wrong_is_said(
    project: Project, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        run(project, tmp_path / "out", *options)
    assert list(tmp_path.iterdir()) == []


def test_a_second_export_needs_overwrite(project: Project, tmp_path: Path) -> None:
    run(project, tmp_path / "out")
    with pytest.raises(CommandError, match="is there already; choose another name, or give --overwrite"):
        run(project, tmp_path / "out")
    run(project, tmp_path / "out", "--overwrite")
