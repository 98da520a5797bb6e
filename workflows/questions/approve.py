"""Approve or refuse verification questions that were made of crowd work, before anybody is asked them."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Decision, VerificationQuestion
from annotation.row_changes import change_rows
from annotation.transactions import write_transaction
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.retirement import REFUSED
from workflows.questions.images import lock_roles, settled

logger = logging.getLogger(__name__)

State = VerificationQuestion.State
MAX_AT_ONCE = 500
"""The most questions that one call decides about."""


@dataclass(frozen=True, slots=True)
class Decided:
    """How many questions were decided about. The others had been decided before, or were not settled."""

    approved: int
    refused: int


def decide_proposals(
    *,
    project_id: int,
    approve: Collection[int] = (),
    refuse: Collection[int] = (),
    by: str,
    note: str = "",
    now: datetime,
) -> Decided:
    """Approve some of a project's proposed questions, and refuse others; return how many of each.

    A question that was decided before stays as it is. One is not approved while the work that it was made of
    is not finished any more. A refused question is never asked, and not proposed again. Raise QuestionError.
    """
    check_author(by=by, note=note)
    if both := sorted(set(approve) & set(refuse)):
        raise QuestionError("refuse", f"question {both[0]} cannot be approved and refused at once")
    if len(approve) + len(refuse) > MAX_AT_ONCE:
        raise QuestionError("approve", f"decide about at most {MAX_AT_ONCE} questions at once")
    with write_transaction():
        lock_roles(project_id)
        of_project = VerificationQuestion.objects.filter(project=project_id, state=State.PROPOSED)
        locked = of_project.filter(pk__in=[*approve, *refuse]).order_by("pk").select_for_update(no_key=True)
        rows = list(locked)
        settled_now = set(settled(of_project.filter(pk__in=approve)).values_list("pk", flat=True))
        good = [row for row in rows if row.pk in settled_now and row.pk in approve]
        bad = [row for row in rows if row.pk in refuse]
        _mark(good, State.ACTIVE, "")
        _mark(bad, State.RETIRED, REFUSED)
        for kind, questions in ((Decision.Kind.APPROVE, good), (Decision.Kind.REFUSE, bad)):
            record_decision(kind=kind, questions=questions, by=by, note=note, now=now)
    logger.info("%s approved %d verification questions and refused %d", by, len(good), len(bad))
    return Decided(len(good), len(bad))


def _mark(questions: Sequence[VerificationQuestion], state: str, retired: str) -> None:
    ids = [question.pk for question in questions]
    change_rows(VerificationQuestion.objects.filter(pk__in=ids), state=state, retired=retired)
