"""What is published of a campaign about captions: judgments, questions with their answers, instructions."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from annotation.domain.answers import CampaignStage
from annotation.models import InstructionsVersion, VerificationQuestion
from tests.campaigns import make_captions, make_judged
from tests.factories import NOW, answer_page, make_batch, make_image, make_project, make_worker
from workflows.analysis.relevance_judgments import write_published
from workflows.questions.make_language_test import make_language_test

pytestmark = pytest.mark.django_db

RELEVANCE, WRITING = CampaignStage.RELEVANCE, CampaignStage.WRITING
ANSWER = {"describes": [True, False]}


def test_controls_and_the_test_go_out_with_their_answers(tmp_path: Path) -> None:
    """Ranking task, 2.3.2: the authors published their instructions and their test."""
    batch = make_judged(RELEVANCE)
    answer_page(make_worker(batch.project), stage=RELEVANCE)
    image = make_image(batch.project, [["man"]], name="known.jpg")
    for role, state, stage in (
        ("gold", "active", RELEVANCE),
        ("test", "retired", RELEVANCE),
        ("gold", "proposed", RELEVANCE),
        ("gold", "active", "link"),
    ):
        VerificationQuestion.objects.create(
            project=batch.project,
            image=image,
            stage=stage,
            role=role,
            source="written",
            state=state,
            kind="control",
            mentions=[],
            captions=["a man", "a dog"],
            answer=ANSWER,
            explanation="Caption 1 was written about this photograph.",
            content=f"{role}/{state}/{stage}",
            asked=4,
            right=3,
            created_at=NOW,
        )
    write_published(batch, tmp_path / "out", now=NOW)
    lines = [orjson.loads(line) for line in (tmp_path / "out" / "questions.jsonl").read_bytes().splitlines()]
    ours = [line for line in lines if line["image"] == "known.jpg"]
    assert [(line["role"], line["state"]) for line in ours] == [("gold", "active"), ("test", "retired")]
    assert ours[0]["captions"] == ["a man", "a dog"] and ours[0]["answer"] == ANSWER
    assert (ours[0]["asked"], ours[0]["right"]) == (4, 3)
    about = orjson.loads((tmp_path / "out" / "about.json").read_bytes())
    assert about["instructions"] == {RELEVANCE: None}, "workers saw the built-in ones"


def test_own_instructions_go_out_in_their_newest_version(tmp_path: Path) -> None:
    batch = make_judged(RELEVANCE)
    for number in (1, 2):
        InstructionsVersion.objects.create(
            project=batch.project,
            stage=RELEVANCE,
            number=number,
            content={"texts": {"en": f"Version {number}"}},
            created_at=NOW,
        )
    write_published(batch, tmp_path / "out", now=NOW)
    about = orjson.loads((tmp_path / "out" / "about.json").read_bytes())
    assert about["instructions"][RELEVANCE] == {"version": 2, "content": {"texts": {"en": "Version 2"}}}


def test_instructions_and_the_test_of_writers_go_out(tmp_path: Path) -> None:
    """Ranking task, 2.3.2 and the appendix: the authors published writers' instructions and their test."""
    project = make_project()
    withdrawn, _ = (make_image(project, [], name=f"{name}.jpg") for name in "xy")
    made = make_language_test(project=project, now=NOW)
    own = VerificationQuestion.objects.order_by("pk").last()
    assert own
    own.pk, own.content, own.captions, own.image = None, "own", ["A dog run ."], withdrawn
    own.answer = {"captions": ["A dog runs ."]}
    own.save()
    withdrawn.withdrawn_at = NOW
    withdrawn.save()
    batch = make_captions(project=project)
    InstructionsVersion.objects.create(
        project=project, stage=WRITING, number=1, content={"texts": {"en": "Ours"}}, created_at=NOW
    )
    written = write_published(batch, tmp_path / "out", now=NOW)
    assert (written.questions, written.judgments) == (made + 1, 0)
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["about.json", "questions.jsonl"]
    lines = [orjson.loads(line) for line in (tmp_path / "out" / "questions.jsonl").read_bytes().splitlines()]
    assert {line["stage"] for line in lines} == {WRITING}
    assert {line["role"] for line in lines} == {"training", "test"}
    assert lines[-1]["captions"] == ["A dog run ."] and lines[-1]["answer"] == {"captions": ["A dog runs ."]}
    assert lines[-1]["image"] is None
    assert "y.jpg" in {line["image"] for line in lines} and "x.jpg" not in {line["image"] for line in lines}
    about = orjson.loads((tmp_path / "out" / "about.json").read_bytes())
    check = CampaignStage.CAPTION_CHECK
    expected = {WRITING: {"version": 1, "content": {"texts": {"en": "Ours"}}}, check: None}
    assert about["instructions"] == expected
    assert "judgments" not in about and "sha256" not in about


def test_other_batches_have_nothing_of_this_to_publish(tmp_path: Path) -> None:
    project = make_project()
    make_image(project, [["man"]])
    with pytest.raises(ValueError, match="neither collects captions nor judges them: export the data set"):
        write_published(make_batch(project), tmp_path / "out", now=NOW)
    assert not list(tmp_path.iterdir())
