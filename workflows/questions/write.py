"""Writes verification questions that a researcher makes by hand."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from annotation.models import Decision, Image, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.handwritten import check_caption_question, check_question
from workflows.questions.domain.known_images import QuestionError, caption_digest, content_digest
from workflows.questions.images import askable_mentions, lock_roles, roles_of

logger = logging.getLogger(__name__)


def write_question(
    *,
    project_id: int,
    image_id: int,
    stage: str,
    role: str,
    mentions: Sequence[int],
    boxes: Sequence[Sequence[int]],
    box: Sequence[int] | None,
    new_boxes: Sequence[Sequence[int]] = (),
    answer: Mapping[str, Any],
    explanation: str,
    by: str,
    now: datetime,
) -> VerificationQuestion:
    """Write one question with its right answer. In box drawing that is `{"boxes": […]}`, any one of them.
    In `boxes` it is all of them, or `{"none": …}`.

    Boxes are [left, top, right, bottom], edges in pixels. An image serves one role, even if the questions it
    has are retired, and another role is refused. Raise QuestionError naming the field.
    """
    image = Image.objects.filter(pk=image_id, project_id=project_id).first()
    if image is None:
        raise QuestionError("image", f"the project has no image {image_id}")
    if not (image.width and image.height):
        raise QuestionError(
            "image", f"the size of {image.name} is not known: import its picture with --images"
        )
    check_author(by=by, note="")
    known = askable_mentions([image_id])
    if strange := [pk for pk in mentions if pk not in known]:
        raise QuestionError("mentions", f"{image.name} has no mention {strange[0]} that can be asked about")
    question = check_question(
        stage=stage,
        role=role,
        mentions=[known[pk] for pk in mentions],
        boxes=boxes,
        box=box,
        new_boxes=new_boxes,
        answer=answer,
        explanation=explanation,
        size=(image.width, image.height),
        minimum_side=BatchSettings().minimum_side,
    )
    row = VerificationQuestion(
        project_id=project_id,
        image=image,
        stage=stage,
        role=role,
        source=VerificationQuestion.Source.WRITTEN,
        kind=question.kind,
        mentions=list(question.mentions),
        boxes=[list(one.edges) for one in question.boxes],
        box=list(question.box.edges) if question.box else None,
        new_boxes=[list(one.edges) for one in question.new_boxes],
        answer=dict(question.answer),
        explanation=question.explanation,
        content=content_digest(
            image_id, stage, question.mentions, question.boxes, question.box, question.new_boxes
        ),
        created_at=now,
    )
    return _write(row, by)


def write_caption_question(
    *,
    project_id: int,
    image_id: int,
    stage: str,
    role: str,
    captions: Sequence[str],
    answer: Mapping[str, Any],
    explanation: str,
    by: str,
    now: datetime,
) -> VerificationQuestion:
    """Write one question about whole captions, or a sentence of a language test beside the image.

    An image serves one role. Raise QuestionError naming the field.
    """
    image = Image.objects.in_use().filter(pk=image_id, project_id=project_id).first()
    if image is None:
        raise QuestionError("image", f"the project has no image {image_id}")
    if not image.file:
        raise QuestionError("image", f"{image.name} has no photograph: import it with --images")
    check_author(by=by, note="")
    question = check_caption_question(
        stage=stage, role=role, captions=captions, answer=answer, explanation=explanation
    )
    row = VerificationQuestion(
        project_id=project_id,
        image=image,
        stage=stage,
        role=role,
        source=VerificationQuestion.Source.WRITTEN,
        kind=question.kind,
        mentions=[],
        captions=list(question.captions),
        answer=dict(question.answer),
        explanation=question.explanation,
        content=caption_digest(image_id, stage, question.captions),
        created_at=now,
    )
    return _write(row, by)


def _write(row: VerificationQuestion, by: str) -> VerificationQuestion:
    """Save the question and the decision.

    Raise QuestionError if it is there already, or if its image has another role.
    """
    image, role = row.image, row.role
    with write_transaction():
        lock_roles(row.project_id)
        for_others = roles_of([image.pk]).get(image.pk, set()) - {role}
        there = VerificationQuestion.objects.filter(
            project_id=row.project_id, stage=row.stage, content=row.content
        )
        if before := there.first():
            raise QuestionError("", f"question {before.pk} ({before.state}) shows exactly this already")
        if for_others:
            raise QuestionError(
                "role",
                f"{image.name} has {' and '.join(sorted(for_others))} questions: an image serves one role, "
                "since who knows its answers from one would know them in the other",
            )
        row.save()
        record_decision(kind=Decision.Kind.WRITE, questions=[row], by=by, note="", now=row.created_at)
    logger.info("%s wrote verification question %d", by, row.pk)
    return row
