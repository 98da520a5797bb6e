"""The pages that show batches, workers, images and questions also show those of campaigns."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.domain.answers import CampaignStage
from annotation.models import Batch, Case, ImageWork, Judgment, VerificationQuestion
from tests.campaigns import CHECK, GRADING, RELEVANCE, WRITING, make_campaign_at, make_captions, make_judged
from tests.factories import NOW, answer_page, make_image, make_project, make_worker
from workflows.analysis.counts.refresh import count_due
from workflows.pipeline.advance import advance_pending


def answered(stage: str) -> tuple[Batch, Judgment]:
    batch = make_campaign_at(stage)
    worker = make_worker(batch.project)
    answer_page(worker, stage=stage)
    advance_pending(now=NOW)
    return batch, Judgment.objects.get(worker=worker)


def text(client: Client, url: str) -> str:
    reply = client.get(url)
    assert reply.status_code == 200, url
    return reply.content.decode()


@pytest.mark.parametrize("stage", CampaignStage)
def test_the_pages_of_a_campaign_can_be_read(manager: Client, stage: str) -> None:
    batch, judgment = answered(stage)
    count_due(clock=lambda: NOW, force=True)
    project, work = batch.project_id, ImageWork.objects.filter(batch=batch).get()
    for url in (
        "/admin/",
        f"/admin/projects/{project}/",
        f"/admin/batches/{batch.pk}/",
        f"/admin/projects/{project}/batches/",
        f"/admin/batches/{batch.pk}/settings/",
        f"/admin/batches/{batch.pk}/clone/",
        f"/admin/batches/{batch.pk}/forecast/?images=10&workers=3",
        f"/admin/batches/{batch.pk}/links/",
        f"/admin/batches/{batch.pk}/cancel/",
        f"/admin/review/?project={project}",
        f"/admin/review/image/{work.pk}/",
        f"/admin/review/worker/?project={project}",
        f"/admin/review/worker/{judgment.worker_id}/",
        f"/admin/review/worker/{judgment.worker_id}/judgments/",
        f"/admin/review/worker/{judgment.worker_id}/set-aside/?stage={stage}",
        f"/admin/projects/{project}/agreement/?stage={stage}",
        f"/admin/projects/{project}/images/",
        f"/admin/images/{work.image_id}/",
        f"/admin/projects/{project}/statistics/",
    ):
        text(manager, url)


def test_an_answer_is_shown_with_what_it_is_about(reviewer: Client) -> None:
    batch, written = answered(WRITING)
    said = text(reviewer, f"/admin/review/worker/{written.worker_id}/")
    assert f"“{written.answer['caption']}”" in said and "caption writing" in said
    judge = make_worker(batch.project)
    answer_page(judge, stage=CHECK)
    said = text(reviewer, f"/admin/review/worker/{judge.pk}/")
    assert written.answer["caption"] in said and "describes the image" in said
    batch, judged = answered(RELEVANCE)
    said = text(reviewer, f"/admin/review/worker/{judged.worker_id}/")
    assert "a man" in said and "captions 1, 2" in said


def test_a_question_of_a_campaign_is_shown_with_its_captions(reviewer: Client) -> None:
    batch = make_judged(GRADING)
    question = VerificationQuestion.objects.create(
        project=batch.project,
        image=ImageWork.objects.get().image,
        stage=GRADING,
        source="written",
        kind="made",
        mentions=[],
        captions=["A red kite ."],
        answer={"grade": 1},
        content="made",
        created_at=NOW,
    )
    said = text(reviewer, f"/admin/review/questions/{question.pk}/")
    assert "A red kite ." in said and "1: unrelated to the image" in said
    text(reviewer, f"/admin/review/questions/?project={batch.project_id}")


ANSWERS: dict[str, tuple[dict[str, object], object, dict[str, object]]] = {
    WRITING: (
        {"captions": ["A dog runs ."]},
        "A dog is running .\nA dog runs .",
        {"captions": ["A dog is running .", "A dog runs ."]},
    ),
    CHECK: ({"caption": "right"}, "wrong", {"caption": "wrong"}),
    GRADING: ({"grade": 1}, "4", {"grade": 4}),
    RELEVANCE: ({"describes": [True, False]}, ["2"], {"describes": [False, True]}),
}
"""By stage: the right answer of a question, what is typed, and the answer that it then has."""


@pytest.mark.parametrize("stage", CampaignStage)
def test_the_answer_of_a_question_of_a_campaign_is_corrected(reviewer: Client, stage: str) -> None:
    before, typed, after = ANSWERS[stage]
    project = make_project()
    question = VerificationQuestion.objects.create(
        project=project,
        image=make_image(project, [["man"]]),
        stage=stage,
        source="written",
        kind="made",
        mentions=[],
        captions=["A dog run ."] if stage == WRITING else ["a man", "a dog"],
        answer=before,
        content="made",
        created_at=NOW,
    )
    url = f"/admin/review/questions/{question.pk}/correct/"
    text(reviewer, url)
    reviewer.post(url, {"answer": typed, "note": "it was wrong", "explanation": ""})
    question.refresh_from_db()
    assert question.answer == after


def test_a_sentence_of_a_language_test_is_written_by_hand(reviewer: Client) -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    url = f"/admin/review/questions/write/?project={project.pk}&image={image.name}&stage={WRITING}"
    assert "The sentence with a mistake" in text(reviewer, url)


def test_a_flagged_caption_is_in_the_review_queue(reviewer: Client) -> None:
    batch = make_captions()
    for _ in range(2):
        answer_page(
            make_worker(batch.project),
            stage=WRITING,
            answering=lambda stage, question: {"caption": "A dog runs fast ."},
        )
    advance_pending(now=NOW)
    assert Case.objects.get().reason == "caption"
    assert "Captions" in text(reviewer, f"/admin/review/?project={batch.project_id}")
    closed = reviewer.post(f"/admin/review/case/{Case.objects.get().pk}/close/", {"note": "fine"})
    assert closed.status_code in (302, 422) and Case.objects.get().closed_at is None


def test_the_settings_of_a_campaign_have_no_settings_of_chains(manager: Client) -> None:
    batch = make_captions()
    said = text(manager, f"/admin/batches/{batch.pk}/settings/")
    assert "Captions an image" in said and "Caption check" in said
    assert "Link strategy" not in said and "How boxes are drawn" not in said and "Judges" not in said
    assert "Captions an image" not in text(manager, f"/admin/projects/{batch.project_id}/batches/new/")
