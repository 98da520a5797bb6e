from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Case, Exposure, Standing, VerificationQuestion
from tests.factories import NOW, make_image, make_project, make_worker
from tests.workflows.qualification.tested_workers import make_question
from workflows.batch_settings.domain.quality_control import Control
from workflows.quality.void_questions import void_question
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.retirement import DOUBTFUL, VOID, WORN_OUT
from workflows.questions.retire import retire_question, tally_answers

CONTROL = Control(exposures=100, retire_after=4, retire_below=0.5)

pytestmark = pytest.mark.django_db


def _questions(count: int = 1) -> list[VerificationQuestion]:
    image = make_image(make_project(), [["man"], ["man"]])
    return [make_question(image, "link", "gold") for _ in range(count)]


def _tally(outcomes: dict[int, bool], *, trusted: bool = True) -> None:
    tally_answers(outcomes=outcomes, trusted=trusted, control=CONTROL, now=NOW)


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


@pytest.mark.parametrize("answers", [[], [True], [False], [True, False] * 5])
def test_a_tally_costs_the_same_for_every_page(answers: list[bool], django_assert_num_queries: Any) -> None:
    """Issue 4: timing must not tell a verification question from another item either."""
    questions = _questions(len(answers))
    with django_assert_num_queries(3):
        _tally({question.pk: right for question, right in zip(questions, answers, strict=True)})


def test_a_question_retired_by_hand_keeps_its_first_reason() -> None:
    (question,) = _questions()
    retire_question(question_id=question.pk, reason=" too hard ", by="ada", now=NOW)
    assert (
        retire_question(question_id=question.pk, reason="too easy", by="ada", now=NOW).retired == "too hard"
    )
    question.refresh_from_db()
    assert (question.state, question.retired) == ("retired", "too hard")
    assert not Case.objects.exists(), "who retired it knows"


@pytest.mark.parametrize("reason", ["", "  ", "x" * 41, VOID])
def test_a_reason_is_needed_that_says_something(reason: str) -> None:
    (question,) = _questions()
    with pytest.raises(QuestionError, match="reason: "):
        retire_question(question_id=question.pk, reason=reason, by="ada", now=NOW)
    question.refresh_from_db()
    assert question.state == "active"


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(QuestionError, match="no question 7"):
        retire_question(question_id=7, reason="too hard", by="ada", now=NOW)
    with pytest.raises(QuestionError, match="no question 7"):
        void_question(question_id=7, by="ada", note="wrong", now=NOW)


def test_voiding_changes_all_standings_that_may_rest_on_the_question() -> None:
    question, other = _questions(2)
    worker, stranger = make_worker(question.project), make_worker(question.project)
    for one in (worker, stranger):
        Standing.objects.create(worker=one, stage="link", changed_at=NOW)
    elsewhere = Standing.objects.create(worker=worker, stage="drawing", changed_at=NOW)
    Exposure.objects.create(question=question, worker=worker, created_at=NOW)
    Exposure.objects.create(question=other, worker=stranger, created_at=NOW)
    for _ in range(2):
        void_question(question_id=question.pk, by="ada", note="wrong", now=NOW)
    question.refresh_from_db()
    assert (question.state, question.retired) == ("retired", VOID)
    assert list(Standing.objects.filter(stale=True).values_list("worker", "stage")) == [(worker.pk, "link")]
    assert not Standing.objects.get(pk=elsewhere.pk).stale


def test_a_retired_question_can_still_be_voided() -> None:
    (question,) = _questions()
    retire_question(question_id=question.pk, reason="too hard", by="ada", now=NOW)
    assert void_question(question_id=question.pk, by="ada", note="wrong", now=NOW).retired == VOID
    assert retire_question(question_id=question.pk, reason="too hard", by="ada", now=NOW).retired == VOID
