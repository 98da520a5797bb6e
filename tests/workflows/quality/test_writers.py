"""Workers who write captions: they pass a test, and others say how good their captions are."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Assignment, Batch, Judgment, Standing, VerificationQuestion, Worker
from tests.campaigns import CHECK, WRITING, make_captions
from tests.factories import NOW, answer_page, claim_maybe, make_images, make_project, make_worker
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import create_batch
from workflows.pipeline.advance import advance_pending
from workflows.questions.domain.supply import entrance_length, question_share, questions_needed
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db

TRUSTED = {"writing": "trusted", "caption_check": "open"}


def running(images: int, **more: Any) -> Batch:
    settings = {"regime": TRUSTED, "screening": {"test": False}, "captions": {"wanted": 1}, **more}
    return make_captions(images=images, **settings)


def write(worker: Worker, number: int) -> None:
    """Let the worker write so many captions, page by page."""
    for _ in range(number):
        answer_page(worker, stage=WRITING)
    advance_pending(now=NOW)


def check(batch: Batch, said: list[str]) -> None:
    """Let one worker say this of the captions that wait."""
    judge = make_worker(batch.project)
    for one in said:
        answer_page(judge, stage=CHECK, answering=lambda stage, question, one=one: {"caption": one})  # type: ignore[misc]
    advance_pending(now=NOW)


def standing(worker: Worker) -> tuple[str, int, int]:
    row = Standing.objects.get(worker=worker, stage=WRITING)
    return row.state, row.right, row.asked


def test_questions_of_writing_are_asked_in_tests_alone() -> None:
    settings = parse_settings({"protocol": "captions"})
    assert question_share(settings, WRITING) == entrance_length(settings, WRITING) == 0
    assert set(questions_needed(settings, WRITING)) == {"training", "test"}
    assert set(questions_needed(settings, CHECK)) == {"gold", "training", "test"}
    project = make_project()
    make_images(project, [], 1)
    batch = create_batch(project=project, name="a", settings=settings)
    short = {(one.stage, one.role) for one in readiness_of(batch).shortages}
    assert (WRITING, "test") in short and (WRITING, "gold") not in short


def test_a_page_of_writing_has_no_verification_question() -> None:
    batch = running(2)
    image = make_images(batch.project, [], 1)[0]
    VerificationQuestion.objects.create(
        project=batch.project,
        image=image,
        stage=WRITING,
        role="gold",
        source="written",
        kind="made",
        mentions=[],
        captions=["A man ride a horse."],
        answer={"captions": ["A man rides a horse."]},
        content="made",
        created_at=NOW,
    )
    answer_page(make_worker(batch.project), stage=WRITING)
    page = Assignment.objects.get()
    assert page.checks == [] and len(page.items) == 2


def test_writers_are_scored_by_what_others_say_of_their_captions() -> None:
    batch = running(4, items_a_page={"writing": 1, "caption_check": 1})
    writer = make_worker(batch.project)
    write(writer, 2)
    assert standing(writer) == ("trusted", 0, 0)
    check(batch, ["right", "minor"])
    assert standing(writer) == ("trusted", 2, 2)
    write(writer, 1)
    check(batch, ["wrong"])
    assert standing(writer) == ("trusted", 2, 3), "two of three are enough of so few"
    assert claim_maybe(writer, stage=WRITING) is not None


def test_a_writer_whose_captions_are_wrong_loses_trust_and_gets_it_back_with_them() -> None:
    batch = running(3, items_a_page={"writing": 1, "caption_check": 1})
    writer = make_worker(batch.project)
    write(writer, 2)
    check(batch, ["wrong", "wrong"])
    assert standing(writer) == ("lost", 0, 2)
    careless = Judgment.objects.filter(item__stage=CHECK).values_list("worker", flat=True)[0]
    set_aside_worker(worker_id=careless, stage=CHECK, by="rita", note="", now=NOW)
    advance_pending(now=NOW)
    assert standing(writer) == ("trusted", 0, 0)


def test_what_was_set_aside_of_a_writer_counts_neither_for_nor_against_them() -> None:
    batch = running(2, items_a_page={"writing": 1, "caption_check": 1})
    writer = make_worker(batch.project)
    write(writer, 1)
    check(batch, ["right"])
    assert standing(writer) == ("trusted", 1, 1)
    set_aside_worker(worker_id=writer.pk, stage=WRITING, by="rita", note="", now=NOW)
    advance_pending(now=NOW)
    assert standing(writer) == ("trusted", 0, 0)


def test_under_verification_the_captions_of_a_page_count_with_it() -> None:
    batch = running(2, regime={"writing": "verification", "caption_check": "open"})
    writer = make_worker(batch.project)
    write(writer, 1)
    check(batch, ["right"])
    assert Standing.objects.get(worker=writer).batch == batch
