"""Find what two workers both judged, and whether they said the same. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Item, Judgment
from workflows.analysis.domain.same_answers import same_answer
from workflows.questions.domain.retirement import VOID

MAX_COMPARED = 5000
"""Items and questions that are compared: the newest."""


@dataclass(frozen=True, slots=True)
class Both:
    """The judgments (ids) of two workers on one item or verification question."""

    stage: str
    one: int
    other: int
    same: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """What both judged, the newest first; `cut` says whether there is more."""

    both: Sequence[Both]
    cut: bool


def judged_by_both(one: int, other: int) -> Compared:
    """Compare the judgments of two workers (ids) that count. Two queries.

    Two right answers to a verification question are the same: each may have drawn another one of its boxes.
    Withdrawn items and void questions are left out, and answers that cannot be compared.
    """
    own = Judgment.objects.filter(worker=one, set_aside=None)
    items = own.filter(item__judgments__worker=other, item__judgments__set_aside=None)
    questions = own.filter(question__judgments__worker=other).exclude(question__retired=VOID)
    found = [
        *_rows(items.exclude(item__state=Item.State.WITHDRAWN), "item"),
        *_rows(questions, "question"),
    ]
    both = []
    for pk, theirs, stage, answer, their_answer, right, their_right in sorted(found, key=lambda row: -row[0]):
        same = True if right and their_right else same_answer(stage, answer, their_answer)
        if same is not None:
            both.append(Both(stage, pk, theirs, same))
    return Compared(both[:MAX_COMPARED], len(found) > MAX_COMPARED)


def _rows(judgments: QuerySet[Judgment], about: str) -> list[tuple[Any, ...]]:
    theirs = f"{about}__judgments__"
    columns = (
        *("pk", f"{theirs}pk", "assignment__stage", "answer", f"{theirs}answer"),
        *(Coalesce("regraded", "correct"), Coalesce(f"{theirs}regraded", f"{theirs}correct")),
    )
    return list(judgments.order_by("-pk").values_list(*columns)[: MAX_COMPARED + 1])
