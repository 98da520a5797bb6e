"""docs/questions.md promises those who have a corpus and no known answers that a pilot gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.formats.datasets import jsonl
from annotation.importing.corpus import import_corpus
from annotation.models import Batch, Project, VerificationQuestion
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import NOW, make_image, make_project
from workflows.questions.make import make_from_gold

pytestmark = pytest.mark.django_db


def _pilot(images: int) -> Project:
    """Make a finished batch, in which every image has two people and a dog."""
    project = make_project("pilot")
    batch = Batch.objects.create(project=project, name="pilot", state=Batch.State.FINISHED)
    for number in range(images):
        image = make_image(project, [["man", "dog"], ["man"]], name=f"{number}.jpg")
        men = Made((0, 2), [(10, 20, 110, 220), (200, 20, 300, 220)])
        annotate(image, [men, Made((1,), [(320, 100, 400, 200)])], batch=batch)
    return project


def test_a_pilot_that_comes_back_as_known_answers_gives_practice_and_tests(tmp_path: Path) -> None:
    project = _pilot(12)
    export_dataset(project=project, out=tmp_path / "out", format="jsonl", options=ExportOptions())
    records = jsonl.read(tmp_path / "out" / "images.jsonl")
    summary = import_corpus(project=project, records=records, as_gold=True)
    assert (summary.images, summary.gold_chains, summary.skipped) == (0, 24, 0)
    make_from_gold(project=project, images=12, seed=0, now=NOW)
    roles = VerificationQuestion.objects.filter(stage="drawing").values_list("role", flat=True)
    assert set(roles) == {"gold", "training", "test"}
