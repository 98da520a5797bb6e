"""Erase what a deleted project has left: its photographs, captions, annotation and exported versions.

Rows of money, workers, pages and the audit log stay, and so do batches, since the ledger refers to them. The
database refuses to delete judgments, decisions and transitions, unless a row of `Erasure` says in the same
transaction that a project is being erased.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import Q, QuerySet

from annotation.models import (
    Abstention,
    Box,
    Caption,
    Case,
    Chain,
    Decision,
    EntranceImage,
    Exposure,
    GoldChain,
    Image,
    ImageWork,
    Item,
    JudgeRecord,
    Judgment,
    Mention,
    ModelAnswer,
    ModelVersion,
    PairScores,
    Project,
    RowChange,
    Suggestion,
    SuggestionSet,
    SuggestionStop,
    TypesVersion,
    VerificationQuestion,
)
from annotation.renditions import delete_photograph
from annotation.transactions import write_transaction
from workflows.analysis.counts.selectors import kept
from workflows.analysis.models import KeptCounts, WorkerCounts
from workflows.core.models import Erasure
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.reports import REPORTED, forget_reports
from workflows.members.models import MemberLink, Membership
from workflows.pipeline.models import JudgedPair, Transition, WrittenCaption
from workflows.priors.models import PriorVersion
from workflows.review.models import AnnotationQueue, SavedFilter, SpotCheck, SpotCheckVerdict

IMAGES_AT_ONCE = 50
"""Images erased in one transaction, so that others wait for moments only."""


@dataclass(frozen=True, slots=True)
class Content:
    """How much a project holds that its deletion erases. Judgments were counted at `judgments_at`."""

    images: int
    judgments: int | None  # None: they were not counted yet
    judgments_at: datetime | None
    decisions: int
    questions: int
    versions: int


def content_of(project: Project) -> Content:
    """Return what deleting the project would erase. Five queries.

    Millions of judgments take seconds to count, so the number is the one that is kept for the dashboards.
    """
    figures = kept(project=project)
    counted = figures.judgments
    return Content(
        images=Image.objects.filter(project=project).count(),
        judgments=sum(stage.judgments for stage in counted.stages.values()) if counted else None,
        judgments_at=figures.times.get("judgments"),
        decisions=Decision.objects.filter(project=project).count(),
        questions=VerificationQuestion.objects.filter(project=project).count(),
        versions=Snapshot.objects.filter(project=project).count(),
    )


def erase_deleted_projects(*, now: datetime) -> int:
    """Erase what deleted projects have left, and return the number of images erased.

    If it is stopped halfway, the next call goes on.
    """
    erased = 0
    for project in Project.everything.filter(deleted_at__isnull=False, erased_at__isnull=True).order_by("pk"):
        while images := _some_images(project):
            # Files go first: while a row names a file, the next call still finds it.
            for image in images:
                if image.file:
                    delete_photograph(str(image.file))
            _erase_images([image.pk for image in images], now=now)
            erased += len(images)
        _erase_rest(project, now=now)
    return erased


def _some_images(project: Project) -> list[Image]:
    """Return some of the project's images, once nobody stores renditions of their photographs any more.

    Whoever stores them has locked the image, and has seen under this lock that the project is not deleted.
    """
    with write_transaction():
        rows = Image.objects.filter(project=project).order_by("pk").select_for_update(no_key=True)
        return list(rows[:IMAGES_AT_ONCE])


def _erase_images(images: list[int], *, now: datetime) -> None:
    with _erasing(now):
        works = ImageWork.objects.filter(image__in=images).order_by("pk")
        works = ImageWork.objects.filter(pk__in=list(works.select_for_update().values_list("pk", flat=True)))
        questions = VerificationQuestion.objects.filter(image__in=images)
        about_image = Q(item__work__in=works) | Q(question__in=questions)
        judgments = list(Judgment.objects.filter(about_image).values_list("pk", flat=True))
        # Foreign keys are checked at the end of the transaction, so that rows may name each other.
        for rows in (
            Case.objects.filter(Q(work__in=works) | Q(chain__work__in=works) | Q(question__in=questions)),
            Case.objects.filter(Q(judgment__in=judgments) | Q(caption__image__in=images)),
            Transition.objects.filter(work__in=works),
            WrittenCaption.objects.filter(work__in=works),
            JudgedPair.objects.filter(Q(work__in=works) | Q(caption__image__in=images)),
            Box.objects.filter(chain__work__in=works),
            Judgment.objects.filter(pk__in=judgments),
            ModelAnswer.objects.filter(Q(item__work__in=works) | Q(question__in=questions)),
            Abstention.objects.filter(Q(work__in=works) | Q(question__in=questions)),
            Item.objects.filter(work__in=works),
            Decision.objects.filter(Q(work__in=works) | Q(image__in=images)),
            Exposure.objects.filter(question__in=questions),
            questions,
            EntranceImage.objects.filter(image__in=images),
            Chain.objects.filter(work__in=works),
            works,
            GoldChain.objects.filter(image__in=images),
            Suggestion.objects.filter(mention__image__in=images),
            PairScores.objects.filter(image__in=images),
            Mention.objects.filter(image__in=images),
            Caption.objects.filter(image__in=images),
            Image.objects.filter(pk__in=images),
        ):
            _delete(rows)


def _erase_rest(project: Project, *, now: datetime) -> None:
    """Erase what belongs to no image, once all images are gone."""
    for file, digests in Snapshot.objects.filter(project=project).values_list("file", "digests"):
        _forget_file(file)
        _forget_file(digests.get("file", ""))
    for job in Job.objects.filter(project=project, kind__in=REPORTED).values_list("pk", flat=True):
        forget_reports(job)
    with _erasing(now):
        for rows in (
            SuggestionStop.objects.filter(case__project=project),
            Case.objects.filter(project=project),
            Decision.objects.filter(project=project),
            AnnotationQueue.objects.filter(project=project),
            SavedFilter.objects.filter(project=project),
            Membership.objects.filter(project=project),
            MemberLink.objects.filter(project=project),
            SpotCheckVerdict.objects.filter(spot_check__project=project),
            SpotCheck.objects.filter(project=project),
            Snapshot.objects.filter(project=project),
            PriorVersion.objects.filter(project=project),
            JudgeRecord.objects.filter(model__project=project),
            SuggestionSet.objects.filter(project=project),
            ModelVersion.objects.filter(project=project),
            TypesVersion.objects.filter(project=project),
            RowChange.objects.filter(project=project),
            KeptCounts.objects.filter(project=project),
            WorkerCounts.objects.filter(project=project),
        ):
            _delete(rows)
        Project.everything.filter(pk=project.pk).update(erased_at=now)


@contextmanager
def _erasing(now: datetime) -> Iterator[None]:
    """Open a transaction in which the database lets evidence go. Nobody else ever sees the mark."""
    with write_transaction():
        mark = Erasure.objects.create(began_at=now)
        yield
        mark.delete()


def _delete(rows: QuerySet[Any]) -> None:
    """Delete the rows in one statement. `delete` would look for rows that refer to each of them."""
    rows.order_by()._raw_delete(rows.db)


def _forget_file(name: str) -> None:
    if name:
        with suppress(FileNotFoundError):
            default_storage.delete(name)
