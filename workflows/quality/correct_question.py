"""Corrects the right answer of a verification question, and grades again what was judged by the old one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from annotation.domain.answers import abstention_of, parse_answer
from annotation.models import Assignment, Decision, Judgment, QualificationTry, VerificationQuestion
from annotation.row_changes import changing
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.quality.admission import box_iou_of
from workflows.quality.domain.admission import passed
from workflows.quality.void_questions import lock_with_workers
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.handwritten import check_answer, check_explanation
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.retirement import DOUBTFUL, VOID
from workflows.questions.domain.right_answers import is_right

logger = logging.getLogger(__name__)

KIND = "corrected"
"""What `VerificationQuestion.kind` says of a question whose answer was corrected."""
_BAD = (Assignment.Verdict.FAILING, Assignment.Verdict.REJECTED)


@dataclass(frozen=True, slots=True)
class Correction:
    """What followed from a new right answer."""

    question: VerificationQuestion
    workers: int  # who were shown the question, whose scores are computed again
    became_right: int  # answers, on pages and in tests
    became_wrong: int
    passed: int  # tests that had failed
    rejected: int  # pages with an answer that became right; they stay rejected


def correct_question(
    *,
    question_id: int,
    answer: object,
    explanation: str,
    by: str,
    note: str,
    now: datetime,
    also: Callable[[Correction], object] | None = None,
) -> Correction:
    """Give a verification question another right answer, and grade all answers to it again.

    The decision keeps the answer before and the answer after, so each version stays recorded, and so does
    how a judgment was scored when it was given. Standings of all who were shown the question are recomputed
    by the sweep or at their next page. A failed test that passes now is passed; no test that was passed
    fails. Rejected pages stay rejected: a researcher can let them count. A question that was void, or that
    was retired because good workers failed it, is asked again. `note` says what was wrong. `also` is called
    in the transaction. Raise QuestionError naming the field.
    """
    if not note.strip():
        raise QuestionError("note", "must say what was wrong with the answer")
    check_author(by=by, note=note)
    found = None
    while found is None:  # a worker was shown the question meanwhile: lock that worker, too
        found = _correct(question_id, answer, explanation.strip(), by, note.strip(), now, also)
    logger.info("%s corrected verification question %d: %s", by, question_id, note)
    return found


def _correct(
    question_id: int,
    answer: object,
    explanation: str,
    by: str,
    note: str,
    now: datetime,
    also: Callable[[Correction], object] | None,
) -> Correction | None:
    """Correct the question, or return None and change nothing if it cannot be locked yet."""
    with write_transaction():
        question, workers = lock_with_workers(question_id)
        if question is None:
            return None
        image = question.image
        right = check_answer(
            stage=question.stage,
            answer=answer,
            shown=question.boxes,
            size=(image.width or 0, image.height or 0),
            minimum_side=BatchSettings().minimum_side,
            new_boxes=len(question.new_boxes),
            captions=len(question.captions),
        )
        check_explanation(explanation, role=question.role)
        if dict(right) == question.answer:
            raise QuestionError("answer", "is the question's right answer already")
        before = {"answer": question.answer, "explanation": question.explanation, "kind": question.kind}
        before |= {"state": question.state, "retired": question.retired}
        question.answer, question.explanation, question.kind = dict(right), explanation, KIND
        if question.retired in (DOUBTFUL, VOID):
            question.state, question.retired = VerificationQuestion.State.ACTIVE, ""
        became = _grade_again(question)
        tests = _grade_tests(question, workers)
        question.right = max(0, min(question.asked, question.right + sum(became.values()) + tests.change))
        # Nobody knows any more which of the answers were given by workers who were trusted then.
        question.good_asked = question.good_right = 0
        with changing(question, "answer", "explanation", "kind", "state", "retired"):
            question.save()
        better = [pk for pk, change in became.items() if change > 0]
        correction = Correction(
            question,
            workers=len(workers),
            became_right=len(better) + tests.right,
            became_wrong=len(became) - len(better) + tests.right - tests.change,
            passed=len(tests.passed),
            rejected=Assignment.objects.filter(judgments__in=better, verdict__in=_BAD).count(),
        )
        record_decision(
            kind=Decision.Kind.CORRECT,
            questions=[question],
            by=by,
            note=note,
            now=now,
            more={
                "before": before,
                "answer": question.answer,
                "explanation": explanation,
                "regraded": sorted(became),
                "passed": tests.passed,
            },
        )
        if also is not None:
            also(correction)
    return correction


def _grade_again(question: VerificationQuestion) -> dict[int, int]:
    """Grade the judgments on the question by its answer; return 1 or -1 for each that changed, by id."""
    changed: dict[int, int] = {}
    for judgment, right in _graded(question):
        if right != judgment.is_right:
            changed[judgment.pk] = 1 if right else -1
            judgment.regraded = None if right == judgment.correct else right
            judgment.save(update_fields=["regraded"])
    return changed


def _graded(question: VerificationQuestion) -> Iterator[tuple[Judgment, bool]]:
    """Yield each judgment on the question with whether it is right by the question's answer."""
    rows = Judgment.objects.filter(question=question).select_related("assignment__batch").order_by("pk")
    for judgment in rows:
        if abstention_of(judgment.answer):
            yield judgment, False
            continue
        box_iou = settings_of(judgment.assignment.batch).control.box_iou
        given = parse_answer(question.stage, judgment.answer)
        yield judgment, is_right(question.stage, question.answer, given, box_iou=box_iou)


@dataclass(frozen=True, slots=True)
class _Tests:
    """What became of the qualification tests with the question."""

    right: int  # answers that became right
    change: int  # these less those that became wrong
    passed: list[int]  # tries (ids) that had failed


def _grade_tests(question: VerificationQuestion, workers: Collection[int]) -> _Tests:
    """Grade the answers to the question in qualification tests again, and pass those that pass now."""
    key, better, change, now_passed = str(question.pk), 0, 0, []
    State = QualificationTry.State
    tries = QualificationTry.objects.filter(worker__in=workers, stage=question.stage).order_by("pk")
    for one in tries.select_related("batch").select_for_update(of=("self",), no_key=True):
        if question.pk not in one.test or key not in one.answers:
            continue
        given = one.answers[key]
        if abstention_of(given["answer"]):
            continue
        answer = parse_answer(question.stage, given["answer"])
        right = is_right(question.stage, question.answer, answer, box_iou=box_iou_of(one))
        if right == given["right"]:
            continue
        one.answers[key] = given | {"right": right}
        better, change = better + right, change + (1 if right else -1)
        if one.ended_at is not None:
            one.right += 1 if right else -1
            enough = passed(right=one.right, asked=one.asked, mark=one.pass_mark)
            if one.state == State.FAILED and enough:
                one.state, one.owed = State.PASSED, one.bonus > 0
                now_passed.append(one.pk)
        one.save(update_fields=["answers", "right", "state", "owed"])
    return _Tests(better, change, now_passed)


def ungraded(project_id: int | None = None) -> Iterator[str]:
    """Yield a line for each judgment whose grade does not follow from its question's corrected answer."""
    questions = VerificationQuestion.objects.filter(kind=KIND).order_by("pk")
    if project_id is not None:
        questions = questions.filter(project=project_id)
    for question in questions:
        for judgment, right in _graded(question):
            if judgment.is_right != right:
                yield (
                    f"judgment {judgment.pk} on question {question.pk}: stored as "
                    f"{'right' if judgment.is_right else 'wrong'}, but it is {'right' if right else 'wrong'}"
                )
