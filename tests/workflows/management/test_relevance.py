"""`manage.py relevance` makes batches that judge captions, and their verification questions."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Project, VerificationQuestion
from tests.factories import make_project
from tests.workflows.questions.test_make_caption_questions import asked, described

pytestmark = pytest.mark.django_db


def relevance(action: str, project: Project, *arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command("relevance", action, *arguments, "--project", project.name, stdout=out, **options)
    return out.getvalue()


def draft(project: Project, folder: Path, images: int) -> Batch:
    names = list(project.images.order_by("name").values_list("name", flat=True)[:images])
    pairs = folder / "pairs.jsonl"
    lines = ({"image": image, "caption": [of, 0]} for image in names for of in names)
    pairs.write_text("\n".join(map(json.dumps, lines)))
    options = ("--protocol", "relevance-crowd", "--pairs", str(pairs), "--name", "crowd")
    said = relevance("draft", project, *options)
    assert f"{images**2:,} pairs of {images} images, {3 * images**2:,} judgments" in said
    return Batch.objects.get(project=project)


def test_what_a_draft_lacks_is_made_and_it_can_be_launched(tmp_path: Path) -> None:
    project = described(40)
    draft(project, tmp_path, 8)
    with pytest.raises(CommandError, match="verification questions"):
        call_command("batch", "launch", "--project", project.name, "--name", "crowd")
    said = relevance("questions", project, "--batch", "crowd")
    assert "questions of relevance made (gold)" in said and "(training)" in said and "taken out" not in said
    assert "nothing is new" in relevance("questions", project, "--batch", "crowd")
    call_command("batch", "launch", "--project", project.name, "--name", "crowd")
    assert Batch.objects.get().state == Batch.State.RUNNING


def test_images_come_out_of_a_draft_that_has_them_all(tmp_path: Path) -> None:
    project = described(40)
    batch = draft(project, tmp_path, 40)
    said = relevance("questions", project, "--batch", "crowd")
    left = batch.works.count()
    assert f"{40 - left} images were taken out of batch crowd" in said and 20 <= left < 40


@pytest.mark.parametrize("role", ["gold", "training", "test"])
def test_controls_are_made_for_a_role(role: str) -> None:
    project = described(30)
    options = ("--stage", "relevance", "--images", "5", "--role", role)
    assert "5 questions of relevance made" in relevance("controls", project, *options)
    assert asked(project) == {("relevance", role): 5}


def test_a_batch_about_chains_is_refused() -> None:
    project = make_project()
    Batch.objects.create(project=project, name="main", settings={})
    with pytest.raises(CommandError, match="asks about chains"):
        relevance("questions", project, "--batch", "main")
    assert not VerificationQuestion.objects.exists()
