"""What is published of a campaign of relevance: judgments, the questions with their answers, instructions."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from annotation.domain.answers import CampaignStage
from annotation.models import InstructionsVersion, VerificationQuestion
from tests.campaigns import make_judged
from tests.factories import NOW, answer_page, make_image, make_worker
from workflows.analysis.relevance_judgments import write_judgments

pytestmark = pytest.mark.django_db

RELEVANCE = CampaignStage.RELEVANCE
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
    write_judgments(batch, tmp_path / "out", now=NOW)
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
    write_judgments(batch, tmp_path / "out", now=NOW)
    about = orjson.loads((tmp_path / "out" / "about.json").read_bytes())
    assert about["instructions"][RELEVANCE] == {"version": 2, "content": {"texts": {"en": "Version 2"}}}
