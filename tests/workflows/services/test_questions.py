from __future__ import annotations

import pytest

from annotation.models import Case, VerificationQuestion
from tests.factories import NOW, make_image, make_project
from tests.workflows.tested import make_question
from workflows.domain.control import Control
from workflows.domain.retirement import DOUBTFUL, WORN_OUT
from workflows.services.questions import tally

CONTROL = Control(exposures=100, retire_after=4, retire_below=0.5)

pytestmark = pytest.mark.django_db


def _questions(count: int = 1) -> list[VerificationQuestion]:
    image = make_image(make_project(), [["man"], ["man"]])
    return [make_question(image, "link", "gold") for _ in range(count)]


def _tally(outcomes: dict[int, bool], *, trusted: bool = True) -> None:
    tally(outcomes=outcomes, trusted=trusted, control=CONTROL, now=NOW)


def _counts(question: VerificationQuestion) -> tuple[int, int, int, int]:
    question.refresh_from_db()
    return question.asked, question.right, question.good_asked, question.good_right


def test_answers_of_trusted_workers_are_counted_twice_over() -> None:
    first, second, other = _questions(3)
    _tally({first.pk: True, second.pk: False})
    _tally({first.pk: False, second.pk: False}, trusted=False)
    assert _counts(first) == (2, 1, 1, 1)
    assert _counts(second) == (2, 0, 1, 0)
    assert _counts(other) == (0, 0, 0, 0)


def test_a_question_that_good_workers_fail_is_retired_and_reported() -> None:
    """Protocol, issue 4: a question that good workers keep failing is retired and reported."""
    (question,) = _questions()
    for right in (True, False, False):
        _tally({question.pk: right})
        question.refresh_from_db()
        assert question.state == "active"
    _tally({question.pk: False})
    question.refresh_from_db()
    assert (question.state, question.retired) == ("retired", DOUBTFUL)
    case = Case.objects.get()
    assert (case.reason, case.question, case.stage) == ("question", question, "link")
    assert case.detail == {"retired": DOUBTFUL}


def test_workers_who_are_not_trusted_retire_nothing() -> None:
    (question,) = _questions()
    for _ in range(10):
        _tally({question.pk: False}, trusted=False)
    assert _counts(question) == (10, 0, 0, 0)
    assert question.state == "active"


def test_a_question_that_too_many_saw_is_retired_and_reported() -> None:
    (question,) = _questions()
    question.exposures = 99
    question.save()
    _tally({question.pk: True})
    question.refresh_from_db()
    assert question.state == "active"
    VerificationQuestion.objects.update(exposures=100)
    _tally({question.pk: True})
    question.refresh_from_db()
    assert (question.state, question.retired) == ("retired", WORN_OUT)
    assert Case.objects.get().question == question


def test_a_question_retired_before_keeps_its_reason_and_is_still_counted() -> None:
    (question,) = _questions()
    VerificationQuestion.objects.update(state="retired", retired="by hand", exposures=100)
    _tally({question.pk: False})
    assert _counts(question) == (1, 0, 1, 0)
    assert question.retired == "by hand"
    assert not Case.objects.exists()


def test_a_tally_costs_the_same_for_a_whole_page(django_assert_num_queries: object) -> None:
    questions = _questions(10)
    with django_assert_num_queries(3):  # type: ignore[operator]  # a fixture without a type
        _tally({question.pk: question.pk % 2 == 0 for question in questions})
