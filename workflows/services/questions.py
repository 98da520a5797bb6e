"""What becomes of verification questions once they are asked: counted, retired, voided."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db.models import F

from annotation.models import Case, VerificationQuestion
from workflows.domain.control import Control
from workflows.domain.retirement import Record, retired_for
from workflows.services.cases import open_case


def tally(*, outcomes: Mapping[int, bool], trusted: bool, control: Control, now: datetime) -> None:
    """Count the answers to these questions (id -> whether it was right), in the caller's transaction.

    `trusted` says that the worker was trusted at that moment. Retires what too many have seen or good workers
    fail, with a case for the review queue. Locks the questions in the order of their ids: call it last.
    """
    questions = VerificationQuestion.objects.filter(pk__in=outcomes)
    locked = list(questions.order_by("pk").select_for_update(no_key=True))
    for right in (False, True):
        counts = {"asked": F("asked") + 1, "right": F("right") + int(right)}
        if trusted:
            counts |= {"good_asked": F("good_asked") + 1, "good_right": F("good_right") + int(right)}
        VerificationQuestion.objects.filter(
            pk__in=[question.pk for question in locked if outcomes[question.pk] == right]
        ).update(**counts)
    for question in locked:
        record = Record(
            exposures=question.exposures,
            good_asked=question.good_asked + trusted,
            good_right=question.good_right + (trusted and outcomes[question.pk]),
        )
        reason = retired_for(record, control)
        if reason and question.state == VerificationQuestion.State.ACTIVE:
            retire_one(question, reason, now)


def retire_one(question: VerificationQuestion, reason: str, now: datetime) -> None:
    """Retire a locked question and tell the researchers, in the caller's transaction."""
    question.state, question.retired = VerificationQuestion.State.RETIRED, reason
    question.save(update_fields=["state", "retired"])
    open_case(
        project_id=question.project_id,
        reason=Case.Reason.QUESTION,
        now=now,
        question_id=question.pk,
        stage=question.stage,
        detail={"retired": reason},
    )
