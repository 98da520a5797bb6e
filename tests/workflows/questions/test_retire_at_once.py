"""Counters of verification questions under real concurrency, on SQLite and on PostgreSQL."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from annotation.domain.answers import Stage
from annotation.models import Case, Image, Judgment, Standing, VerificationQuestion
from annotation.transactions import write_transaction
from tests.factories import (
    LATER,
    NOW,
    claim_page,
    make_batch,
    make_image,
    make_project,
    make_worker,
    submit_page,
)
from tests.workflows.gold import make_known
from tests.workflows.qualification.tested_workers import make_question
from tests.workflows.threads import at_once
from workflows.batch_settings.domain.quality_control import Control
from workflows.quality.standings import reassess_stale
from workflows.quality.void_questions import void_question
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.make import make_from_gold
from workflows.questions.retire import tally_answers
from workflows.questions.write import write_question

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def _submit(outcomes: dict[int, bool], control: Control) -> None:
    with write_transaction():
        tally_answers(outcomes=outcomes, trusted=True, control=control, now=NOW)


def test_pages_counted_at_once_are_counted_exactly() -> None:
    image = make_image(make_project(), [["man"], ["man"]])
    ids = [make_question(image, "link", "gold").pk for _ in range(6)]
    rng = random.Random(3)
    pages = [{pk: rng.random() < 0.8 for pk in rng.sample(ids, 4)} for _ in range(24)]
    control = Control(retire_after=1000)
    at_once([partial(_submit, page, control) for page in pages])
    for question in VerificationQuestion.objects.all():
        answers = [page[question.pk] for page in pages if question.pk in page]
        assert (question.asked, question.right) == (len(answers), sum(answers))
        assert (question.good_asked, question.good_right) == (len(answers), sum(answers))


def test_a_question_failed_at_once_is_reported_once() -> None:
    image = make_image(make_project(), [["man"], ["man"]])
    question = make_question(image, "link", "gold")
    at_once([partial(_submit, {question.pk: False}, Control(retire_after=3))] * 8)
    question.refresh_from_db()
    assert (question.state, question.good_asked) == ("retired", 8)
    assert Case.objects.filter(question=question).count() == 1


def test_a_question_voided_during_submissions_counts_for_nobody() -> None:
    """Workers are scored before, while and after it is voided. Their standings come out the same."""
    project = make_project()
    for _ in range(3):
        make_image(project, [["man"], ["man"]])
    known = make_image(project, [["man"], ["man"]])
    questions = [make_question(known, "link", "gold") for _ in range(15)]
    spare = make_image(project, [["man"], ["man"]])
    questions += [make_question(spare, "link", "gold") for _ in range(15)]
    regime = {str(stage): "trusted" if stage == Stage.LINK else "open" for stage in Stage}
    control = {"entrance": 5, "retire_after": 1000}
    make_batch(project, regime=regime, control=control, screening={"test": False}, items_a_page={"link": 5})
    pages = [claim_page(make_worker(project), stage="link") for _ in range(8)]
    bad = max(questions, key=lambda question: sum(question.pk in [pk for _, pk in p.checks] for p in pages))
    calls: list[Callable[[], object]] = [partial(submit_page, page) for page in pages]
    calls.insert(4, partial(void_question, question_id=bad.pk, by="ada", note="wrong", now=NOW))
    at_once(calls)
    assert Judgment.objects.filter(question=bad).exists(), "its answers are kept"
    reassess_stale(now=LATER)
    for page in pages:
        answers = Judgment.objects.filter(worker=page.worker_id, question__isnull=False).exclude(question=bad)
        standing = Standing.objects.get(worker=page.worker_id)
        assert (standing.asked, standing.right) == (answers.count(), answers.filter(correct=True).count())


def test_the_same_questions_made_at_once_are_there_once() -> None:
    project = make_project()
    images = [make_known(project).pk for _ in range(3)]
    made = at_once([partial(make_from_gold, project=project, images=images, role="gold", now=NOW)] * 4)
    assert sum(counts.total() for counts in made) == VerificationQuestion.objects.count() > 0


def test_an_image_gets_one_role_from_all_who_add_questions_at_once() -> None:
    project = make_project()
    images = [make_known(project) for _ in range(4)]
    ids = [image.pk for image in images]

    def by_hand(image: Image, role: str) -> None:
        mention = image.mentions.order_by("pk").values_list("pk", flat=True)[0]
        with suppress(QuestionError):
            write_question(
                project_id=project.pk,
                image_id=image.pk,
                stage="requirement",
                role=role,
                mentions=[mention],
                boxes=[],
                box=None,
                answer={"requirement": "box"},
                explanation="",
                by="ada",
                now=NOW,
            )

    def from_gold(role: str) -> None:
        with suppress(QuestionError):  # all images were taken before it chose
            make_from_gold(project=project, images=4, role=role, now=NOW)

    calls: list[Callable[[], object]] = [partial(from_gold, role) for role in ("gold", "test", "training")]
    calls += [partial(by_hand, image, role) for image in images for role in ("gold", "test")]
    at_once(calls)
    for image in ids:
        questions = VerificationQuestion.objects.filter(image=image)
        assert questions.values("role").distinct().count() == 1
