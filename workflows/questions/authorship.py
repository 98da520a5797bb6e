"""Keeps as decisions who made, retired or voided verification questions, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from annotation.models import Decision, VerificationQuestion
from workflows.questions.domain.known_images import QuestionError

MAX_NAME_LENGTH = 150
"""The most characters in the name of who decides: as many as a user name can have."""
MAX_NOTE_LENGTH = 2000


def record_decision(
    *,
    kind: Decision.Kind,
    questions: Sequence[VerificationQuestion],
    by: str,
    note: str,
    now: datetime,
    chains: Sequence[int] = (),
    more: Mapping[str, Any] | None = None,
) -> None:
    """Keep a decision about these saved questions of one project, inside the transaction that changes them.

    `chains` are the ids of the chains they were made from, and `more` is kept as well. Nothing is kept if
    there is no question. Raise QuestionError as `check_author` does.
    """
    check_author(by=by, note=note)
    if not questions:
        return
    stages = {question.stage for question in questions}
    content: dict[str, Any] = {"questions": [question.pk for question in questions]}
    Decision.objects.create(
        project_id=questions[0].project_id,
        kind=kind,
        by=by,
        note=note,
        content=content | ({"chains": list(chains)} if chains else {}) | dict(more or {}),
        stage=stages.pop() if len(stages) == 1 else "",
        created_at=now,
    )


def check_author(*, by: str, note: str) -> None:
    """Raise QuestionError, naming the field, for text that a decision cannot keep on every database."""
    if not 0 < len(by) <= MAX_NAME_LENGTH or "\0" in by:
        raise QuestionError("by", f"must be a name of up to {MAX_NAME_LENGTH} characters")
    if len(note) > MAX_NOTE_LENGTH or "\0" in note:
        raise QuestionError("note", f"must be text of up to {MAX_NOTE_LENGTH} characters")
