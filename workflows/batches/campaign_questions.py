"""Makes the verification questions that a draft of a campaign lacks, of images that it does not ask about."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from random import Random

from django.db.models import Count, QuerySet

from annotation.domain.protocols import Campaign
from annotation.models import Batch, ImageWork, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.batches.question_reach import reach_of
from workflows.pipeline.models import JudgedPair
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.exposure import stock_of
from workflows.questions.images import lock_roles
from workflows.questions.make_caption_questions import (
    free_for_questions,
    images_lacking,
    make_missing_questions,
    make_more_questions,
    unasked,
)

MAX_IMAGES = 500
"""The most images of which one call makes questions besides what is missing."""


def make_campaign_questions(*, batch: Batch, now: datetime) -> tuple[Counter[tuple[str, str]], int]:
    """Make the questions that the batch lacks to be launched, and for its workers to go on to the end.

    If too few images are free, some are taken out of a draft that judges captions: nobody is asked about them
    then, but their captions are still judged for other images. Return how many questions are new by stage and
    role, and how many images were taken out. Raises QuestionError.
    """
    settings, project = settings_of(batch), batch.project
    if settings.campaign is Campaign.ENTITIES:
        raise QuestionError("batch", "this batch asks about chains, not about captions")
    with write_transaction():
        lock_roles(project.pk)
        before = _counts(project)
        taken = _take_out(batch)
        make_missing_questions(project=project, settings=settings, now=now)
        reach = reach_of(batch, stock_of(project.pk))
        if reach and not reach.enough:
            more = min(reach.more_images, MAX_IMAGES)
            make_more_questions(project=project, settings=settings, images=more, now=now)
        return _counts(project) - before, taken


def _counts(project: Project) -> Counter[tuple[str, str]]:
    rows = VerificationQuestion.objects.filter(project=project).values_list("stage", "role").order_by()
    return Counter({(stage, role): count for stage, role, count in rows.annotate(Count("pk"))})


def images_to_take_out(batch: Batch) -> int:
    """Return how many images come out of the draft if its questions are made now: half of them at most."""
    settings = settings_of(batch)
    if batch.state != Batch.State.DRAFT or settings.campaign is not Campaign.RELEVANCE:
        return 0
    lacking = images_lacking(batch.project, settings)
    return min(lacking, batch.works.count() // 2, _that_would_serve(batch).count()) if lacking else 0


def _that_would_serve(batch: Batch) -> QuerySet[ImageWork]:
    """Return the works whose images questions could be made of, if they were not in this batch."""
    serving = unasked(free_for_questions(batch.project, but=batch))
    return batch.works.filter(image__in=serving.values("pk"))


def _take_out(batch: Batch) -> int:
    current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if not (number := images_to_take_out(current)):
        return 0
    ids = list(_that_would_serve(current).order_by("image__name").values_list("pk", flat=True))
    drawn = Random(f"questions/{settings_of(current).seed}").sample(ids, number)
    JudgedPair.objects.filter(work__in=drawn).delete()
    current.works.filter(pk__in=drawn).delete()
    return len(drawn)
