"""The data set card, and whether the library `datasets` opens the folder as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
import yaml

from annotation.exporting.work_figures import work_figures
from annotation.models import Assignment, Decision, Judgment, Project
from tests.annotation.exporting.annotated_projects import (
    Made,
    export,
    make_annotated,
    make_batch,
    make_random,
)
from tests.factories import NOW, make_questions
from tests.shared import ROOT

pytestmark = pytest.mark.django_db

MAN = (0, 0, 100, 200)


def card(out: Path) -> tuple[dict[str, Any], str]:
    """Return the card's head and body."""
    _, head, body = (out / "README.md").read_text().split("---\n", 2)
    return yaml.safe_load(head), body


def opened(out: Path, cache: Path) -> dict[str, Any]:
    """Return what `load_dataset` makes of a folder: its splits, rows (with sizes of pictures) and features.

    It runs in a process of its own, since the library starts threads and keeps a cache.
    """
    program = (
        "import json, sys\n"
        "from datasets import load_dataset\n"
        "found = load_dataset(sys.argv[1])\n"
        "rows = {split: list(rows) for split, rows in found.items()}\n"
        "features = {split: str(rows.features) for split, rows in found.items()}\n"
        "print(json.dumps({'rows': rows, 'features': features}, default=lambda picture: picture.size))\n"
    )
    found: dict[str, Any] = json.loads(python(program, str(out), cache=cache).splitlines()[-1])
    return found


def python(program: str, *arguments: str, cache: Path) -> str:
    """Return what a program prints. It may use the library's cache, but not the network."""
    environment = os.environ | {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_load_dataset_opens_the_folder_as_it_is(tmp_path: Path) -> None:
    manifest = export(make_random(3), tmp_path / "out", "huggingface")
    found = opened(tmp_path / "out", tmp_path / "cache")
    assert set(found["rows"]) == {"train", "val"}
    rows = [row for rows in found["rows"].values() for row in rows]
    assert len(rows) == manifest.images
    assert sum(len(chain["boxes"]) for row in rows for chain in row["chains"]) >= manifest.merging.boxes > 0
    phrases = [
        (caption["text"], one) for row in rows for caption in row["captions"] for one in caption["phrases"]
    ]
    assert phrases and all(text[one["start"] : one["end"]] == one["text"] for text, one in phrases)


def test_the_photographs_of_a_folder_become_a_column(tmp_path: Path) -> None:
    """As docs/formats.md says."""
    project = make_annotated([Made([0], [MAN])], [["man"]])
    export(project, tmp_path / "out", "huggingface")
    (tmp_path / "photographs").mkdir()
    PIL.Image.new("RGB", (64, 48), "red").save(tmp_path / "photographs" / "a.jpg")
    section = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8").split("### huggingface", 1)[1]
    lines = [line[4:] for line in section.split("\n## ", 1)[0].splitlines() if line.startswith("    ")]
    program = "\n".join(lines).replace("path/of/the/export", str(tmp_path / "out"))
    program = program.replace("path/of/the/photographs", str(tmp_path / "photographs"))
    run = python(f"{program}\nprint(data['unsplit'][0]['image'].size)", cache=tmp_path / "cache")
    assert run.splitlines()[-1] == "(64, 48)"


def test_the_head_names_the_files_and_columns(tmp_path: Path) -> None:
    export(make_random(3), tmp_path / "out", "huggingface", licence="cc-by-4.0")
    head, _ = card(tmp_path / "out")
    (config,) = head["configs"]
    for entry in config["data_files"]:
        assert (tmp_path / "out" / entry["path"]).is_file()
    assert [one["split"] for one in config["data_files"]] == ["train", "val"]
    assert sum(one["num_examples"] for one in head["dataset_info"]["splits"]) == 5
    names = [one["name"] for one in head["dataset_info"]["features"]]
    assert names == ["file_name", "width", "height", "captions", "chains"]
    assert (head["license"], head["language"], head["size_categories"]) == ("cc-by-4.0", ["en"], ["n<1K"])


def test_the_card_says_what_was_exported_how_and_under_which_licence(tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN])], [["man"]])
    export(project, tmp_path / "out", "huggingface", licence="CC BY 4.0 [ours]")
    _, body = card(tmp_path / "out")
    assert "| boxes | 1 |" in body and "CC BY 4.0 \\[ours\\]" in body
    assert "IoU of at least 0.8 (0.9 for things of type `other`)" in body
    export(project, tmp_path / "without", "huggingface", merge=None)
    head, body = card(tmp_path / "without")
    assert head["license"] == "unknown" and "None was named at the export" in body
    assert "nothing was merged" in body


def test_known_answers_have_no_figures_of_a_crowd(tmp_path: Path) -> None:
    export(make_random(3), tmp_path / "out", "huggingface", source="gold", include_unfinished=True)
    head, body = card(tmp_path / "out")
    assert head["annotations_creators"] == ["expert-generated"]
    assert "known answers" in body and "Quality and cost" not in body


def figures_made() -> Project:
    """Return a project with one judgment that counts, one that was set aside, and one of a question."""
    project = make_annotated([Made([0], [MAN])], [["man"]])
    page = Assignment.objects.get()
    page.reward, page.currency = 120, "USD"
    page.save()
    decision = Decision.objects.create(project=project, kind="set-aside", by="ada", created_at=NOW)
    Judgment.objects.filter(item__stage="quality").update(set_aside=decision)
    (question,) = make_questions(project, "link")
    Judgment.objects.create(
        question=question,
        correct=True,
        worker=page.worker,
        assignment=page,
        answer={},
        created_at=NOW,
        seconds=2700,
    )
    return project


def test_the_figures_of_the_work_are_counted() -> None:
    project = figures_made()
    figures = work_figures(project, None)
    assert (figures.workers, figures.judgments, figures.set_aside) == (1, 1, 1)
    assert (figures.seconds, figures.asked, figures.right) == (2700.0, 1, 1)
    assert figures.rewards == {"USD": 120}
    other = work_figures(project, make_batch(project, "other"))
    assert (other.workers, other.judgments, other.seconds, other.rewards) == (0, 0, 0.0, {})


def test_the_card_has_the_figures_of_quality_and_cost(tmp_path: Path) -> None:
    export(figures_made(), tmp_path / "out", "huggingface")
    _, body = card(tmp_path / "out")
    for row in (
        "| workers | 1 |",
        "| judgments that count | 1 |",
        "| of these, right | 1 (100.0%) |",
        "| hours of work, as the pages measured them | 0.8 |",
        "in the smallest unit of USD, without bonuses and fees | 120 |",
    ):
        assert row in body


def test_a_licence_that_is_no_line_of_text_is_refused() -> None:
    with pytest.raises(ValueError, match="a licence has at most 100 characters, all of them printable"):
        export(make_annotated([], [["man"]]), Path("none"), licence="a\nb")
