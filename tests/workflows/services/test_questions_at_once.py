"""Counters of verification questions under real concurrency, on SQLite and on PostgreSQL."""

from __future__ import annotations

import random
from functools import partial

import pytest

from annotation.models import Case, VerificationQuestion
from annotation.transactions import write_transaction
from tests.factories import NOW, make_image, make_project
from tests.workflows.tested import make_question
from tests.workflows.threads import at_once
from workflows.domain.control import Control
from workflows.services.questions import tally

pytestmark = pytest.mark.django_db(transaction=True)


def _submit(outcomes: dict[int, bool], control: Control) -> None:
    with write_transaction():
        tally(outcomes=outcomes, trusted=True, control=control, now=NOW)


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
