"""Pages of campaigns: what they show, and that a control looks like any other question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.domain.answers import CampaignStage
from annotation.models import Assignment, Batch, Caption, Item, Judgment, VerificationQuestion, Worker
from tests.campaigns import CHECK, GRADING, RELEVANCE, WRITING, make_campaign_at, make_judged
from tests.factories import NOW, answer_page, claim_page, make_images, make_worker, submit_page
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import SubmissionError, submit
from workflows.assignments.worker_account import stages_with_work
from workflows.batch_settings.domain.settings import parse_settings
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def questions_of(page: Assignment) -> list[dict[str, Any]]:
    return [one["question"] for one in shown_page(page, now=NOW)["items"]]


def texts(question: Mapping[str, Any]) -> list[str]:
    return [segment["text"] for caption in question["captions"] for segment in caption["segments"]]


def controls(batch: Batch, number: int) -> None:
    """Make controls with two captions each, of which the first describes the image."""
    VerificationQuestion.objects.bulk_create(
        VerificationQuestion(
            project=batch.project,
            image=image,
            stage=RELEVANCE,
            source="written",
            kind="control",
            mentions=[],
            captions=["a man", "a red kite"],
            answer={"describes": [True, False]},
            content=f"control-{image.pk}",
            created_at=NOW,
        )
        for image in make_images(batch.project, [], number)
    )


def make_controlled() -> Batch:
    """Make a running batch whose pages have a control each."""
    batch = make_judged(RELEVANCE, images=30)
    controls(batch, 30)
    settings = {**batch.settings, "regime": {"relevance": "verification"}, "screening": {"test": False}}
    batch.settings = parse_settings(settings).to_json()
    batch.save()
    return batch


def test_captions_are_shown_whole_and_numbered_by_place() -> None:
    batch = make_judged(RELEVANCE, groups=1, each=4, images=2)
    (question, _) = questions_of(claim_page(make_worker(batch.project)))
    assert [caption["index"] for caption in question["captions"]] == [0, 1, 2, 3]
    assert {caption["language"] for caption in question["captions"]} == {"en"}
    assert texts(question) == list(
        Caption.objects.filter(pk__in=Item.objects.order_by("pk")[0].captions)
        .order_by("pk")
        .values_list("text", flat=True)
    )
    assert not any(s["mention"] for caption in question["captions"] for s in caption["segments"])


def test_writing_shows_no_caption_and_a_check_the_one_that_was_written() -> None:
    batch = make_campaign_at(CHECK)
    (writing,) = questions_of(claim_page(make_worker(batch.project), stage=WRITING))
    assert (writing["captions"], writing["correct"], writing["language"]) == ([], None, "en")
    (check,) = questions_of(claim_page(make_worker(batch.project), stage=CHECK))
    assert texts(check) == [Judgment.objects.get().answer["caption"]]
    assert "correct" not in check


def test_a_control_on_each_page_looks_like_the_other_questions() -> None:
    page = claim_page(make_worker(make_controlled().project))
    assert (len(page.items), len(page.checks)) == (5, 1)
    shapes = {str(sorted(question)) for question in questions_of(page)}
    assert len(shapes) == 1
    assert {len(question["captions"]) for question in questions_of(page)} == {2}
    submit_page(
        page,
        answering=lambda stage, question: {"describes": [text == "a man" for text in texts(question)]},
    )
    (judgment,) = Judgment.objects.filter(question__isnull=False)
    assert judgment.correct is True


def test_every_caption_of_an_item_and_of_a_control_has_to_be_judged() -> None:
    page = claim_page(make_worker(make_controlled().project))
    replies = [Reply(item=place, answer={"describes": [True]}) for place in range(1, 7)]
    with pytest.raises(SubmissionError) as caught:
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=replies, now=NOW)
    assert [pointer for pointer, _ in caught.value.errors] == [
        f"/answers/{place}/answer/describes" for place in range(6)
    ]
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("stage", CampaignStage)
def test_a_page_with_controls_takes_as_many_queries_as_one_without(
    stage: str, django_assert_max_num_queries: Any
) -> None:
    page = claim_page(make_worker(make_campaign_at(stage).project), stage=stage)
    with django_assert_max_num_queries(6):
        questions_of(Assignment.objects.select_related("batch").get(pk=page.pk))


def test_a_worker_is_not_told_of_work_that_waits_for_others() -> None:
    batch = make_campaign_at(WRITING)
    writer, other = make_worker(batch.project), make_worker(batch.project)
    answer_page(writer, stage=WRITING)
    advance_pending(now=NOW)

    def waiting(worker: Worker) -> dict[str, bool]:
        return {one["stage"]: one["waiting"] for one in stages_with_work(worker_id=worker.pk, now=NOW)}

    assert waiting(writer) == {WRITING: False, CHECK: False}
    assert waiting(other) == {WRITING: True, CHECK: True}


def test_grading_is_about_one_caption() -> None:
    batch = make_judged(GRADING, groups=2)
    shown = questions_of(claim_page(make_worker(batch.project)))
    assert [len(question["captions"]) for question in shown] == [1, 1]
