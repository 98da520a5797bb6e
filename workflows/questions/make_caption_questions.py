"""Makes verification questions about whole captions from the captions of a project."""

from __future__ import annotations

import hashlib
import json
import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from random import Random

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Caption, Image, ImageWork, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.questions.domain.caption_questions import (
    MADE_STAGES,
    CaptionQuestion,
    make_caption_question,
)
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.supply import GOLD, TEST
from workflows.questions.images import lock_roles, roles_of

logger = logging.getLogger(__name__)

MOST_PER_IMAGE = 20
OTHER_IMAGES = 100
"""So many images are drawn, with replacement, whose captions may be wrong ones of a question."""
ROWS_AT_ONCE = 500


def free_for_questions(project: Project, *, without_pictures: bool = False) -> QuerySet[Image]:
    """Return the images with captions, and a picture if one is needed, that no batch judges captions of."""
    captions = Caption.objects.in_use().filter(image=OuterRef("pk"))
    works = ImageWork.objects.filter(image=OuterRef("pk"), active=True).exclude(
        campaign=ImageWork.Campaign.ENTITIES
    )
    images = Image.objects.in_use().filter(Exists(captions), ~Exists(works), project=project)
    return images if without_pictures else images.exclude(file="")


def make_caption_questions(
    *,
    project: Project,
    stage: str,
    images: Sequence[int] | int,
    now: datetime,
    per_image: int = 1,
    role: str = GOLD,
    seed: int = 0,
    without_pictures: bool = False,
) -> int:
    """Make up to `per_image` questions of the stage about each image. Return how many are new.

    `images` are ids, or how many to draw from those that are free. An image whose questions have another role
    is left out. The same images, captions and seed make the same questions, and none is made twice. Raises
    QuestionError naming the field.
    """
    if stage not in MADE_STAGES:
        raise QuestionError("stage", f"{stage!r} is not one of {', '.join(MADE_STAGES)}")
    if role not in (GOLD, TEST):
        raise QuestionError(
            "role", f"is not {GOLD} or {TEST}: training needs a reason, so it is written by hand"
        )
    if not 1 <= per_image <= MOST_PER_IMAGE:
        raise QuestionError("per_image", f"must be a number from 1 to {MOST_PER_IMAGE}")
    free = free_for_questions(project, without_pictures=without_pictures)
    rng = Random(f"caption questions/{stage}/{seed}")
    chosen = _chosen(free, images, rng)
    texts: dict[int, list[str]] = defaultdict(list)
    rows = Caption.objects.in_use().filter(image__project=project).order_by("image_id", "index")
    for image, text in rows.values_list("image_id", "text"):
        texts[image].append(text)
    everyone = sorted(texts)
    made: list[VerificationQuestion] = []
    for image in chosen:
        for _ in range(per_image):
            others = [
                text
                for other in rng.choices(everyone, k=OTHER_IMAGES)
                if other != image
                for text in texts[other]
            ]
            question = make_caption_question(stage, texts[image], others, rng)
            if question is not None:
                made.append(_row(project.pk, image, stage, role, question, now))
    with write_transaction():
        lock_roles(project.pk)
        roles = roles_of(chosen)
        fit = [row for row in made if roles.get(row.image_id, {role}) == {role}]
        there = VerificationQuestion.objects.filter(project=project, stage=stage)
        before = there.count()
        VerificationQuestion.objects.bulk_create(fit, batch_size=ROWS_AT_ONCE, ignore_conflicts=True)
        new = there.count() - before
    logger.info("made %d questions of %s in project %d", new, stage, project.pk)
    return new


def _chosen(free: QuerySet[Image], images: Sequence[int] | int, rng: Random) -> list[int]:
    ids = list(free.order_by("name").values_list("pk", flat=True))
    if not isinstance(images, int):
        if strange := sorted(set(images) - set(ids)):
            raise QuestionError(
                "images", f"image {strange[0]} has no captions or no picture, or a batch asks about it"
            )
        return list(images)
    if not 1 <= images <= len(ids):
        raise QuestionError(
            "images",
            f"ask for 1 to {len(ids):,}: so many have captions and a picture, and are in no such batch",
        )
    return rng.sample(ids, images)


def _row(
    project: int, image: int, stage: str, role: str, question: CaptionQuestion, now: datetime
) -> VerificationQuestion:
    told = json.dumps([image, stage, list(question.captions)])
    return VerificationQuestion(
        project_id=project,
        image_id=image,
        stage=stage,
        role=role,
        source=VerificationQuestion.Source.GOLD,
        kind=question.kind,
        mentions=[],
        captions=list(question.captions),
        answer=dict(question.answer),
        content=hashlib.sha256(told.encode()).hexdigest(),
        created_at=now,
    )
