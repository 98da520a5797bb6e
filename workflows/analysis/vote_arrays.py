"""Load the judgments of a stage as arrays, and the verdicts of the rules. Reads only.

Judgments that were set aside are left out everywhere. A drawing judgment may count as *no box needed* at box
requirement. It is part of the verdict there, but not a vote, since it answered another question.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotation.domain.answer_labels import NAMES, label_of
from annotation.domain.answers import JointStage, Stage, abstention_of
from annotation.domain.geometry import Box
from annotation.models import Judgment, VerificationQuestion
from evaluation.agreement import Votes, from_ids
from workflows.analysis.domain.aggregation.box_consensus import around_known
from workflows.analysis.outcomes import AT_ONCE, judgments_of, outcomes_of
from workflows.questions.domain.retirement import VOID

Drawn = list[tuple[int, Box | None]]
"""Workers and what each drew. None means that no further box is needed."""
DrawnAtOnce = list[tuple[int, tuple[Box, ...]]]
"""Workers and all boxes that each drew in one answer."""
LISTED = 100_000
"""The most drawing judgments that are read: unlike labels, boxes are objects in memory."""


def votes_of(
    *,
    project_id: int,
    stage: str,
    batch_id: int | None = None,
    questions: bool = False,
    items: bool = True,
) -> Votes:
    """Return the labels that workers gave. A verification question has its negated id as item id.

    The rows are streamed into three arrays of 8 bytes a judgment each.
    """
    ids, workers, labels = array("q"), array("q"), array("q")
    for wanted, sign, column in ((items, 1, "item_id"), (questions, -1, "question_id")):
        if not wanted:
            continue
        rows = judgments_of(
            project_id=project_id, stage=stage, batch_id=batch_id, questions=column == "question_id"
        )
        columns = rows.values_list(column, "worker_id", "answer")
        for subject, worker, answer in columns.iterator(chunk_size=AT_ONCE):
            if abstention_of(answer):  # wrong for a verification question, but no label
                continue
            ids.append(sign * subject)
            workers.append(worker)
            labels.append(label_of(stage, answer))
    a, b, c = (np.array(column, dtype=np.int64) for column in (ids, workers, labels))
    return from_ids(a, b, c, NAMES[stage])


def known_answers(*, project_id: int, stage: str) -> dict[int, int]:
    """Return the right label of each verification question, by its negated id as in `votes_of`."""
    rows = VerificationQuestion.objects.filter(project=project_id, stage=stage).exclude(retired=VOID)
    answers = rows.values_list("pk", "answer").iterator(chunk_size=AT_ONCE)
    return {-pk: label_of(stage, answer) for pk, answer in answers}


def verdicts_of(
    *, project_id: int, stage: str, batch_id: int | None = None
) -> Iterator[tuple[int, int, int | None]]:
    """Yield (item, chain or 0, the rules' label) for every judged item that is not withdrawn.

    The label is None while the rules ask for more judgments. Items come in the order of their ids; one is in
    memory at a time.
    """
    judgments = judgments_of(project_id=project_id, stage=stage, batch_id=batch_id)
    return ((one.item, one.chain, one.label) for one in outcomes_of(judgments, stage=stage))


def drawn_by_question(*, project_id: int, batch_id: int | None = None) -> dict[int, Drawn]:
    """Return the boxes that workers drew on each drawing question, by id (newest LISTED answers)."""
    rows = judgments_of(project_id=project_id, stage=Stage.DRAWING, batch_id=batch_id, questions=True)
    return _drawn(rows, "question_id")


def drawn_at_once(*, project_id: int, batch_id: int | None = None) -> dict[int, DrawnAtOnce]:
    """Return the boxes of workers on each question of joint drawing, by id (newest LISTED answers)."""
    rows = judgments_of(project_id=project_id, stage=JointStage.BOXES, batch_id=batch_id, questions=True)
    found: dict[int, DrawnAtOnce] = defaultdict(list)
    newest = rows.order_by("-pk").values_list("question_id", "worker_id", "answer")[:LISTED]
    for question, worker, answer in newest:
        if abstention_of(answer):
            continue
        boxes = tuple(Box(*one["box"]) for one in answer.get("boxes", ()))
        found[question].append((worker, boxes))
    return dict(found)


def drawn_of_one(*, project_id: int, stage: str, batch_id: int | None = None) -> list[Drawn]:
    """Return the boxes that workers drew around each thing of a verification question.

    In box drawing, a question is about one thing. In joint drawing, each of its known boxes is one.
    """
    if stage == Stage.DRAWING:
        return list(drawn_by_question(project_id=project_id, batch_id=batch_id).values())
    known = gold_boxes(project_id=project_id, stage=stage)
    answers = drawn_at_once(project_id=project_id, batch_id=batch_id)
    return [one for question, given in answers.items() for one in around_known(given, known[question])]


def drawn_by_item(*, project_id: int, batch_id: int | None = None) -> dict[int, Drawn]:
    """Return the boxes on each drawing item that several workers answered (newest LISTED answers)."""
    rows = judgments_of(project_id=project_id, stage=Stage.DRAWING, batch_id=batch_id)
    return _drawn(rows.filter(item__judged__gt=1), "item_id")


def drawn_by_chain(*, project_id: int, batch_id: int | None = None) -> dict[int, list[tuple[int, Box]]]:
    """Return the boxes of workers, accepted or not, for each chain with several (newest LISTED answers)."""
    rows = judgments_of(project_id=project_id, stage=Stage.DRAWING, batch_id=batch_id)
    found = {
        chain: [(worker, box) for worker, box in drawn if box is not None]
        for chain, drawn in _drawn(rows, "item__chain_id").items()
    }
    return {chain: boxes for chain, boxes in found.items() if len(boxes) > 1}


def gold_boxes(*, project_id: int, stage: str = Stage.DRAWING) -> dict[int, list[Box]]:
    """Return the right boxes of each question of a stage that draws boxes, by question id."""
    rows = VerificationQuestion.objects.filter(project=project_id, stage=stage)
    return {
        pk: [Box(*edges) for edges in answer.get("boxes", ())]
        for pk, answer in rows.values_list("pk", "answer").iterator(chunk_size=AT_ONCE)
    }


def _drawn(rows: QuerySet[Judgment], column: str) -> dict[int, Drawn]:
    found: dict[int, Drawn] = defaultdict(list)
    newest: Iterator[tuple[int, int, dict[str, Any]]] = iter(
        rows.order_by("-pk").values_list(column, "worker_id", "answer")[:LISTED]
    )
    for subject, worker, answer in newest:
        found[subject].append((worker, Box(*answer["box"]) if answer["box"] else None))
    return dict(found)
