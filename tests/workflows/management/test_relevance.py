"""`manage.py relevance` makes batches that judge captions, and their verification questions."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Project, VerificationQuestion
from tests.campaigns import make_captions, make_judged
from tests.factories import NOW, make_project
from tests.workflows.questions.test_make_caption_questions import asked, described
from workflows.questions.make_language_test import make_language_test

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


def test_what_is_published_of_each_campaign(tmp_path: Path) -> None:
    writing = make_captions(images=2)
    made = make_language_test(project=writing.project, now=NOW)
    out = tmp_path / "writing"
    said = relevance("export", writing.project, "--batch", writing.name, str(out))
    assert said.strip() == f"{made} questions and the instructions"
    assert sorted(file.name for file in out.iterdir()) == ["about.json", "questions.jsonl"]
    judging = make_judged()
    said = relevance("export", judging.project, "--batch", judging.name, str(tmp_path / "judging"))
    assert said.strip() == "0 judgments of 0 pairs by 0 workers, 0 questions and the instructions"
    grounding = Batch.objects.create(project=writing.project, name="main", settings={})
    with pytest.raises(CommandError, match="batch main neither collects captions nor judges them"):
        relevance("export", grounding.project, "--batch", "main", str(tmp_path / "main"))
    assert not (tmp_path / "main").exists()
