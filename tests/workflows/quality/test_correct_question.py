"""A wrong answer of a question is corrected: all who were judged by it are judged again, and told."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Assignment, Decision, Judgment, QualificationTry, Standing, VerificationQuestion
from tests.factories import (
    LATER,
    NOW,
    claim_page,
    make_controlled,
    make_image,
    make_project,
    make_worker,
    submit_page,
)
from tests.workflows.qualification.tested_workers import make_question
from tests.workflows.quality.answered_pages import answer
from tests.workflows.threads import at_once
from workflows.quality.correct_question import Correction, correct_question, ungraded
from workflows.quality.standings import reassess_stale
from workflows.quality.void_questions import void_question
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.retire import mark_retired

pytestmark = pytest.mark.django_db

CONTROL = {"entrance": 5, "retire_after": 100}


def correct(question: VerificationQuestion, right: object, **more: Any) -> Correction:
    given: dict[str, Any] = {"explanation": "It is one dog.", "by": "ada", "note": "two dogs", "now": NOW}
    return correct_question(question_id=question.pk, answer=right, **(given | more))


def answered() -> tuple[VerificationQuestion, Assignment, Assignment]:
    """Return a question, a page on which it was answered right, and one on which it was answered wrong."""
    batch = make_controlled(
        "link", "trusted", questions=5, items_a_page={"link": 5, "drawing": 5}, control=CONTROL
    )
    pages = [claim_page(make_worker(batch.project), stage="link") for _ in range(2)]
    submit_page(pages[0])
    answer(pages[1], wrong=len(pages[1].checks))
    shared = {pk for _, pk in pages[0].checks} & {pk for _, pk in pages[1].checks}
    return VerificationQuestion.objects.get(pk=min(shared)), pages[0], pages[1]


def test_answers_are_graded_again_and_scores_follow() -> None:
    question, good, bad = answered()
    before = {row.worker_id: (row.asked, row.right) for row in Standing.objects.all()}
    found = correct(question, {"same": False})
    assert (found.workers, found.became_right, found.became_wrong) == (2, 1, 1)
    assert Standing.objects.filter(stale=True).count() == 2
    reassess_stale(now=LATER)
    for page, change in ((good, -1), (bad, 1)):
        row = Standing.objects.get(worker=page.worker_id)
        assert (row.asked, row.right) == (before[page.worker_id][0], before[page.worker_id][1] + change)
    assert not list(ungraded())


def test_what_was_asked_and_judged_by_stays_recorded() -> None:
    question, good, _ = answered()
    correct(question, {"same": False})
    judgment = Judgment.objects.get(question=question, worker=good.worker_id)
    assert (judgment.correct, judgment.regraded, judgment.is_right) == (True, False, False)
    decision = Decision.objects.get(kind="correct")
    assert decision.content["before"]["answer"] == {"same": True}
    assert decision.content["answer"] == {"same": False}
    assert (decision.by, decision.note) == ("ada", "two dogs")
    question.refresh_from_db()
    assert (question.asked, question.right) == (2, 1)
    assert (question.good_asked, question.good_right, question.kind) == (0, 0, "corrected")


def test_correcting_it_back_grades_as_at_first() -> None:
    question, *_ = answered()
    rows = Judgment.objects.filter(question=question).order_by("pk")
    before = [row.is_right for row in rows]
    correct(question, {"same": False})
    assert [row.is_right for row in rows.all()] == [not right for right in before]
    correct(question, {"same": True})
    assert [(row.is_right, row.regraded) for row in rows.all()] == [(right, None) for right in before]
    assert Decision.objects.filter(kind="correct").count() == 2
    with pytest.raises(QuestionError, match="is the question's right answer already"):
        correct(question, {"same": True})


@pytest.mark.parametrize(("reason", "state"), [("good workers fail", "active"), ("recut", "retired")])
def test_a_question_that_good_workers_failed_is_asked_again(reason: str, state: str) -> None:
    question = make_question(make_image(make_project(), [["man"], ["man"]]), "link", "gold")
    mark_retired(question, reason)
    correct(question, {"same": False})
    question.refresh_from_db()
    assert question.state == state


def test_answers_to_a_void_question_count_again() -> None:
    question, good, _ = answered()
    void_question(question_id=question.pk, by="ada", note="wrong", now=NOW)
    reassess_stale(now=LATER)
    asked = Standing.objects.get(worker=good.worker_id).asked
    correct(question, {"same": False})
    reassess_stale(now=LATER)
    assert Standing.objects.get(worker=good.worker_id).asked == asked + 1


def test_a_failed_test_that_passes_now_is_passed() -> None:
    question = make_question(make_image(make_project(), [["man"], ["man"]]), "link", "test")
    worker = make_worker(question.project)
    question.shown_to.create(worker=worker, created_at=NOW)
    given = {"answer": {"same": False}, "right": False}
    held = QualificationTry.objects.create(
        worker=worker, stage="link", number=1, state="failed", test=[question.pk, 10**6], pass_mark=0.5,
        answers={str(question.pk): given}, asked=2, right=0, started_at=NOW, ended_at=NOW,
    )  # fmt: skip
    assert correct(question, {"same": False}).passed == 1
    held.refresh_from_db()
    assert (held.state, held.right, held.answers[str(question.pk)]["right"]) == ("passed", 1, True)
    assert correct(question, {"same": True}).became_wrong == 1
    held.refresh_from_db()
    assert (held.state, held.right) == ("passed", 0), "nobody loses a test by our mistake"


def test_boxes_are_graded_by_their_iou() -> None:
    batch = make_controlled(
        "drawing", "trusted", questions=5, items_a_page={"link": 5, "drawing": 5}, control=CONTROL
    )
    page = claim_page(make_worker(batch.project), stage="drawing")
    submit_page(page)
    question = VerificationQuestion.objects.get(pk=page.checks[0][1])
    assert correct(question, {"boxes": [[12, 20, 110, 220]]}).became_wrong == 0
    assert correct(question, {"boxes": [[300, 20, 400, 220]]}).became_wrong == 1
    assert correct(question, {"boxes": []}).became_right == 0


@pytest.mark.parametrize(("box_iou", "right"), [(0.5, True), (0.9, False)])
def test_boxes_of_a_test_are_graded_by_the_iou_of_its_batch(box_iou: float, right: bool) -> None:
    """The IoU of the two boxes is .8: a changed answer flips no grade that the batch's own IoU had given."""
    batch = make_controlled("drawing", "trusted", questions=5, control={**CONTROL, "box_iou": box_iou})
    question = VerificationQuestion.objects.filter(stage="drawing")[0]
    drawn = {"answer": {"box": [0, 0, 100, 80]}, "right": right}
    held = QualificationTry.objects.create(
        worker=make_worker(batch.project), stage="drawing", number=1, state="failed", test=[question.pk],
        pass_mark=1, answers={str(question.pk): drawn}, asked=1, right=0, batch=batch, started_at=NOW,
        ended_at=NOW,
    )  # fmt: skip
    question.shown_to.create(worker=held.worker, created_at=NOW)
    correct(question, {"boxes": [[0, 0, 100, 100]]})
    held.refresh_from_db()
    assert held.answers[str(question.pk)]["right"] is right


@pytest.mark.parametrize(
    ("right", "more", "field"),
    [
        ({"same": 1}, {}, "answer"),
        ({"good": True}, {}, "answer"),
        ({"same": False}, {"note": " "}, "note"),
        ({"same": False}, {"explanation": "x" * 1001}, "explanation"),
        ({"same": False}, {"by": ""}, "by"),
    ],
)
def test_what_cannot_be_the_answer_is_refused(right: object, more: dict[str, Any], field: str) -> None:
    question = make_question(make_image(make_project(), [["man"], ["man"]]), "link", "gold")
    with pytest.raises(QuestionError) as caught:
        correct(question, right, **more)
    assert caught.value.field.startswith(field)
    assert not Decision.objects.exists()


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(QuestionError, match="no question 7"):
        correct_question(question_id=7, answer={}, explanation="", by="ada", note="wrong", now=NOW)


def test_verify_state_finds_a_grade_that_does_not_follow() -> None:
    question, good, _ = answered()
    correct(question, {"same": False})
    call_command("verify_state", project=question.project.name)
    Judgment.objects.filter(question=question, worker=good.worker_id).update(regraded=None)
    with pytest.raises(CommandError, match="1 difference"):
        call_command("verify_state", project=question.project.name)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_question_corrected_during_submissions_grades_everybody_by_the_new_answer() -> None:
    batch = make_controlled(
        "link", "trusted", questions=5, items_a_page={"link": 5, "drawing": 5}, control=CONTROL
    )
    pages = [claim_page(make_worker(batch.project), stage="link") for _ in range(5)]
    question = VerificationQuestion.objects.get(pk=pages[0].checks[0][1])
    calls: list[Any] = [partial(submit_page, page) for page in pages]
    calls.insert(2, partial(correct, question, {"same": False}))
    at_once(calls)
    reassess_stale(now=LATER)
    given = Judgment.objects.filter(question=question)
    assert given.count() == 5
    assert not any(row.is_right for row in given), "all of them said: the same"
    assert not list(ungraded())
    for row in Standing.objects.all():
        assert (row.asked, row.right) == (5, 4)
