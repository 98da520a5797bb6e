"""Counts the answers to verification questions, and retires questions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from django.db.models import F

from annotation.models import Case, Decision, Exposure, VerificationQuestion
from annotation.row_changes import changing
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.quality_control import Control
from workflows.cases.review_queue import open_case
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.retirement import BROKEN, VOID, Record, retired_for

logger = logging.getLogger(__name__)

State = VerificationQuestion.State

MAX_REASON_LENGTH = 40
NONE = 0
"""The id of no row."""


def tally_answers(
    *,
    outcomes: Mapping[int, bool],
    trusted: bool,
    control: Control,
    now: datetime,
    broken: Collection[int] = (),
) -> None:
    """Count the answers to these questions (id -> whether it was right), in the caller's transaction.

    `trusted` says whether the worker was trusted at that moment. A question that too many have seen, or that
    trusted workers fail, is retired, and a case is opened in the review queue. The questions are locked in
    the order of their ids: call this last. A page without questions takes as many statements, so that their
    time tells nothing. The photographs of the questions `broken` (ids) are missing or damaged: these are
    retired, too.
    """
    questions = VerificationQuestion.objects.filter(pk__in=[*outcomes, *broken] or [NONE])
    locked = list(questions.order_by("pk").select_for_update(no_key=True))
    for right in (False, True):
        counts = {"asked": F("asked") + 1, "right": F("right") + int(right)}
        if trusted:
            counts |= {"good_asked": F("good_asked") + 1, "good_right": F("good_right") + int(right)}
        these = [question.pk for question in locked if outcomes.get(question.pk) == right]
        VerificationQuestion.objects.filter(pk__in=these or [NONE]).update(**counts)
    for question in locked:
        counts_here = trusted and question.pk in outcomes
        record = Record(
            exposures=question.exposures,
            good_asked=question.good_asked + counts_here,
            good_right=question.good_right + (counts_here and outcomes[question.pk]),
        )
        reason = BROKEN if question.pk in broken else retired_for(record, control)
        if reason and question.state == State.ACTIVE:
            mark_retired(question, reason)
            open_case(
                project_id=question.project_id,
                reason=Case.Reason.QUESTION,
                now=now,
                question_id=question.pk,
                stage=question.stage,
                detail={"retired": reason},
            )


def retire_question(
    *, question_id: int, reason: str, by: str, now: datetime, also: Callable[[], object] | None = None
) -> VerificationQuestion:
    """Retire a question: it is not asked again, and its answers still count.

    A question that is retired already keeps its first reason. `reason` is a text for people of up to 40
    characters, and becomes the decision's note. `also` is called in the transaction that retires the
    question, unless it was retired before. Raise QuestionError.
    """
    if not 0 < len(reason.strip()) <= MAX_REASON_LENGTH:
        raise QuestionError("reason", f"must say why, in up to {MAX_REASON_LENGTH} characters")
    check_author(by=by, note=reason)
    if reason == VOID:
        raise QuestionError("reason", "a question that is wrong is voided, which also changes scores")
    with write_transaction():
        question = lock_question(question_id)
        if question.state != State.RETIRED:
            mark_retired(question, reason.strip())
            kind = Decision.Kind.RETIRE
            record_decision(kind=kind, questions=[question], by=by, note=reason.strip(), now=now)
            if also is not None:
                also()
    logger.info("verification question %d was retired by %s: %s", question_id, by, reason)
    return question


def shown_to(question_id: int) -> list[int]:
    """Return the ids of the workers who were shown the question, in ascending order."""
    shown = Exposure.objects.filter(question=question_id).order_by("worker")
    return list(shown.values_list("worker", flat=True))


def lock_question(question_id: int) -> VerificationQuestion:
    """Lock the question and return it. Raise QuestionError if there is none of this id."""
    question = VerificationQuestion.objects.select_for_update(no_key=True).filter(pk=question_id).first()
    if question is None:
        raise QuestionError("question", f"there is no question {question_id}")
    return question


def mark_retired(question: VerificationQuestion, reason: str) -> None:
    """Write that the question is retired, for this reason. It must be locked."""
    with changing(question, "state", "retired"):
        question.state, question.retired = State.RETIRED, reason
        question.save(update_fields=["state", "retired"])
