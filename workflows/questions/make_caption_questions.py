"""Makes verification questions about whole captions from the captions of a project."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from math import ceil
from random import Random

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.answers import CampaignStage
from annotation.models import Batch, Caption, Image, ImageWork, Judgment, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions.domain.caption_questions import (
    MADE_STAGES,
    NOTHING_GRADED,
    CaptionQuestion,
    Graded,
    graded_captions,
    images_by_role,
    make_caption_question,
)
from workflows.questions.domain.known_images import QuestionError, caption_digest
from workflows.questions.domain.supply import GOLD, ROLES, TRAINING, question_share
from workflows.questions.exposure import stock_of
from workflows.questions.images import lock_roles, roles_of
from workflows.questions.make_language_test import make_language_test
from workflows.questions.supply import shortages

logger = logging.getLogger(__name__)

PER_IMAGE = 4
"""How many questions of a stage are made of one image, if there are images enough [ours]."""
MAX_PER_IMAGE = 20
TRIES = 3
"""How often it is drawn for each question of an image, since the same captions may be drawn again."""
ROUNDS = 3
OTHER_IMAGES = 100
"""So many images are drawn, with replacement, whose captions may be wrong ones of a question."""
ROWS_AT_ONCE = 500


def free_for_questions(
    project: Project, *, without_pictures: bool = False, but: Batch | None = None
) -> QuerySet[Image]:
    """Return the images with captions, and a picture if one is needed, whose captions no batch asks about.

    A batch that is over asks nothing any more. The batch `but` does not count.
    """
    captions = Caption.objects.in_use().filter(image=OuterRef("pk"))
    works = ImageWork.objects.filter(image=OuterRef("pk"), active=True).exclude(
        Q(campaign=ImageWork.Campaign.ENTITIES) | Q(batch__state__in=Batch.OVER)
    )
    if but is not None:
        works = works.exclude(batch=but)
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
    if role not in ROLES:
        raise QuestionError("role", f"{role!r} is not one of {', '.join(ROLES)}")
    if not 1 <= per_image <= MAX_PER_IMAGE:
        raise QuestionError("per_image", f"must be a number from 1 to {MAX_PER_IMAGE}")
    free = free_for_questions(project, without_pictures=without_pictures)
    rng = Random(f"caption questions/{stage}/{seed}")
    chosen = _chosen(free, images, rng)
    graded = _graded(chosen)
    texts: dict[int, list[str]] = defaultdict(list)
    rows = Caption.objects.in_use().filter(image__project=project).order_by("image_id", "index")
    for image, text in rows.values_list("image_id", "text"):
        texts[image].append(text)
    everyone = sorted(texts)
    made: list[VerificationQuestion] = []
    for image in chosen:
        drawn: set[tuple[str, ...]] = set()
        for _ in range(per_image * TRIES):
            others = [
                text
                for other in rng.choices(everyone, k=OTHER_IMAGES)
                if other != image
                for text in texts[other]
            ]
            question = make_caption_question(
                stage, texts[image], others, rng, graded.get(image, NOTHING_GRADED)
            )
            if question is not None and question.captions not in drawn:
                drawn.add(question.captions)
                made.append(_row(project.pk, image, stage, role, question, now))
            if len(drawn) == per_image:
                break
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


def make_missing_questions(*, project: Project, settings: BatchSettings, now: datetime) -> None:
    """Make what a campaign with these settings lacks: its language test, and questions of known captions.

    If too few images are free, fewer are made. Raises QuestionError if there is no language test in the
    project's language, or no photograph for it.
    """
    with write_transaction():
        lock_roles(project.pk)
        short = shortages(project, settings, stock_of(project.pk))
        if any(stage == CampaignStage.WRITING for stage, *_ in short):
            make_language_test(project=project, now=now)
        # What is missing depends on which images are reserved for entrances, so on what is made.
        for attempt in range(ROUNDS):
            if not _make_some(project, _missing(project, settings), now, attempt):
                break


def make_more_questions(*, project: Project, settings: BatchSettings, images: int, now: datetime) -> None:
    """Make gold of so many images without questions, so that workers of a campaign can go on longer.

    If there are fewer such images, all are used.
    """
    with write_transaction():
        lock_roles(project.pk)
        fresh = list(unasked(free_for_questions(project)).order_by("name").values_list("pk", flat=True))
        chosen = Random(f"more questions/{len(fresh)}").sample(fresh, min(images, len(fresh)))
        for stage in settings.stages:
            if chosen and stage in MADE_STAGES and question_share(settings, stage):
                make_caption_questions(
                    project=project, stage=stage, images=chosen, now=now, per_image=PER_IMAGE
                )


def unasked(images: QuerySet[Image]) -> QuerySet[Image]:
    """Return those of the images that no question is about, retired or not: workers have not seen them."""
    return images.filter(~Exists(VerificationQuestion.objects.filter(image=OuterRef("pk"))))


def images_lacking(project: Project, settings: BatchSettings) -> int:
    """Return how many more free images a campaign with these settings needs for its questions."""
    missing = _missing(project, settings)
    wanted = _images_wanted(missing)
    free = list(free_for_questions(project).values_list("pk", flat=True))
    by_role = images_by_role(free, roles_of(free), wanted)
    return sum(max(0, number - len(by_role[role])) for role, number in wanted.items())


def _missing(project: Project, settings: BatchSettings) -> dict[tuple[str, str], int]:
    """Return how many questions of known captions are missing, by stage and role."""
    return {
        (stage, role): needed - found
        for stage, role, found, needed in shortages(project, settings, stock_of(project.pk))
        if stage in MADE_STAGES
    }


def _images_wanted(missing: dict[tuple[str, str], int]) -> dict[str, int]:
    wanted: dict[str, int] = defaultdict(int)
    for (_, role), number in missing.items():
        wanted[role] = max(wanted[role], ceil(number / PER_IMAGE))
    return wanted


def _make_some(project: Project, missing: dict[tuple[str, str], int], now: datetime, attempt: int) -> int:
    """Make up to these numbers of questions, by stage and role. Return how many are new."""
    free = list(free_for_questions(project).order_by("name").values_list("pk", flat=True))
    Random(f"images for questions/{attempt}").shuffle(free)
    by_role = images_by_role(free, roles_of(free), _images_wanted(missing))
    made = 0
    for (stage, role), number in missing.items():
        if images := by_role[role]:
            each = min(MAX_PER_IMAGE, ceil(number / len(images)))
            made += make_caption_questions(
                project=project, stage=stage, images=images, now=now, per_image=each, role=role, seed=attempt
            )
    return made


def _graded(images: Collection[int]) -> dict[int, Graded]:
    """Return the experts' judgments of captions for these images."""
    rows = Judgment.objects.filter(
        item__work__image__in=images, item__stage=CampaignStage.GRADING, set_aside__isnull=True
    ).order_by("pk")
    found = list(rows.values_list("item__work__image_id", "item__captions", "answer__grade"))
    ids = {caption for _, captions, _ in found for caption in captions}
    texts = dict(Caption.objects.filter(pk__in=ids).values_list("pk", "text"))
    grades: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for image, captions, grade in found:
        grades[image] += [(texts[caption], grade) for caption in captions if caption in texts]
    return {image: graded_captions(given) for image, given in grades.items()}


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
        explanation=question.explanation if role == TRAINING else "",
        content=caption_digest(image, stage, question.captions),
        created_at=now,
    )
