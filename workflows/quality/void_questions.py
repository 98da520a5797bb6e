"""Voids verification questions that were found to be wrong: no answer to them counts in any score."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from annotation.models import Decision, VerificationQuestion, Worker
from annotation.transactions import write_transaction
from workflows.quality.standings import mark_stale
from workflows.questions.authorship import record_decision
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.retirement import VOID
from workflows.questions.retire import lock_question, mark_retired, shown_to

logger = logging.getLogger(__name__)


def void_question(
    *, question_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> VerificationQuestion:
    """Retire a question that was found to be wrong, and let no answer to it count in any score.

    The judgments stay as they are. The standings of all who may have answered are recomputed by the sweep or
    at their next page. `note` says what is wrong with the question. `also` is called in the transaction that
    voids the question, unless it was void before. Raise QuestionError.
    """
    if not note.strip():
        raise QuestionError("note", "must say what is wrong with the question")
    while (question := _voided(question_id, by, note.strip(), now, also)) is None:
        pass  # a worker was shown it meanwhile: lock that worker, too
    logger.info("verification question %d was voided by %s: %s", question_id, by, note)
    return question


def _voided(
    question_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None
) -> VerificationQuestion | None:
    """Void the question and return it, or return None and change nothing if it cannot be locked yet."""
    with write_transaction():
        question, _ = lock_with_workers(question_id)
        if question is None:
            return None
        if question.retired != VOID:
            mark_retired(question, VOID)
            record_decision(kind=Decision.Kind.VOID, questions=[question], by=by, note=note, now=now)
            if also is not None:
                also()
    return question


def lock_with_workers(question_id: int) -> tuple[VerificationQuestion | None, list[int]]:
    """Lock a question and the workers who were shown it, and let their standings be recomputed.

    While the workers are locked no page and no test of theirs is scored, so whatever is scored afterwards
    finds the question as it is changed now. Return both; no question if another worker was shown it before
    it was locked: then try again. Raise QuestionError if there is no such question.
    """
    stage = VerificationQuestion.objects.filter(pk=question_id).values_list("stage", flat=True).first()
    if stage is None:
        raise QuestionError("question", f"there is no question {question_id}")
    workers = shown_to(question_id)
    locked = Worker.objects.filter(pk__in=workers).order_by("pk").select_for_update(no_key=True)
    list(locked.values_list("pk", flat=True))
    mark_stale(worker_ids=workers, stages=(stage,))
    question = lock_question(question_id)
    return (question if shown_to(question_id) == workers else None), workers
