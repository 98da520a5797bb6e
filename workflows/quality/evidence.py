"""Reads the judgments that a standing follows from, and computes the record they amount to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from annotation.domain.answers import DRAWS_BOXES
from annotation.models import (
    IS_RIGHT,
    Abstention,
    Assignment,
    Batch,
    Box,
    Case,
    Decision,
    ImageWork,
    Item,
    Judgment,
    Standing,
)
from workflows.batch_settings.domain.quality_control import MOST_ANSWERS, Regime
from workflows.batch_settings.domain.settings import MAX_ITEMS_A_PAGE, BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.quality.domain.trust import (
    Outcome,
    Page,
    Record,
    Terms,
    Trust,
    fold_entrance,
    fold_outcomes,
    fold_pages,
    stand,
)
from workflows.questions.domain.retirement import VOID

BAD = (Assignment.Verdict.FAILING, Assignment.Verdict.REJECTED)
_ANSWER = ("pk", Coalesce("regraded", "correct"), "assignment__batch_id", "assignment_id")
_Row = tuple[int, bool | None, int, Any]
"""The columns of `_ANSWER`."""
_IN_BATCH, _PAGE = "judgment__assignment__batch", "judgment__assignment_id"


def record_of(standing: Standing, project_id: int) -> tuple[Record, int | None]:
    """Return the record of all that counts now, and the id of the batch of the last answer or box."""
    if standing.batch is not None:
        return _in_batch(standing, settings_of(standing.batch)), standing.batch_id
    batches = {
        batch.pk: settings
        for batch in Batch.objects.filter(project_id=project_id).exclude(state=Batch.State.DRAFT)
        if (settings := settings_of(batch)).regime.get(standing.stage) == Regime.TRUSTED
    }
    answers = answers_of(
        worker_id=standing.worker_id, stage=standing.stage, after=standing.counted_from
    ).filter(assignment__batch__in=batches)
    if standing.stage in DRAWS_BOXES:
        return _with_boxes(standing, answers, batches)
    rows = _with_reports(answers.order_by("pk").values_list(*_ANSWER), _reports(standing, batches))
    return fold_outcomes(_outcomes(rows, batches, standing.stage)), rows[-1][2] if rows else None


def _outcomes(
    rows: Iterable[tuple[int, bool | None, int, Any]], batches: dict[int, BatchSettings], stage: str
) -> Iterator[Outcome]:
    """Yield outcomes in the order of `rows`, which have the columns of `_ANSWER`, one page after another."""
    for _, page in groupby(rows, key=lambda row: row[3]):
        given = list(page)
        terms = terms_of(batches[given[0][2]], stage)
        for before, (_, right, _, _) in enumerate(given):
            yield Outcome(bool(right), terms, before, ends=before + 1 == len(given))


def answers_of(*, worker_id: int, stage: str, after: int = 0) -> QuerySet[Judgment]:
    """Return the worker's answers to verification questions of a stage that count in a score."""
    return Judgment.objects.filter(
        worker_id=worker_id, question__isnull=False, assignment__stage=stage, pk__gt=after
    ).exclude(question__retired=VOID)


def wrong_reports(*, worker_id: int, stage: str, after: int = 0) -> QuerySet[Abstention]:
    """Return where the worker called a photograph unusable that others could judge: it counts as wrong.

    It does not if the image was withdrawn, rests for its photograph, or did so until a researcher said since
    that it is usable: then somebody else could not see it, either. An image that rests because nobody can
    tell the answer to a question, or did so, says nothing about its photograph.
    """
    resting = Q(closed_at=None, work__state=ImageWork.State.RESTING)
    usable = Q(decision__kind=Decision.Kind.USABLE, closed_at__gte=OuterRef("created_at"))
    unseen = Case.objects.filter(resting | usable, work=OuterRef("work"), reason=Case.Reason.PHOTOGRAPH)
    return Abstention.objects.filter(
        ~Exists(unseen),
        worker_id=worker_id,
        kind=Abstention.Kind.UNUSABLE,
        broken=False,
        item__stage=stage,
        item__state=Item.State.DONE,
        work__image__withdrawn_at=None,
        after__gt=after,
    )


def _reports(standing: Standing, batches: Collection[int]) -> QuerySet[Abstention]:
    found = wrong_reports(worker_id=standing.worker_id, stage=standing.stage, after=standing.counted_from)
    return found.filter(assignment__batch__in=batches)


def _with_reports(answers: Iterable[_Row], reports: QuerySet[Abstention]) -> list[_Row]:
    """Return the rows of the answers with those of the reports, in the order in which they were given."""
    wrong = reports.order_by("pk").values_list("after", Value(False), "assignment__batch_id", "assignment_id")
    return sorted([*answers, *wrong], key=lambda row: row[0])


def _boxes(standing: Standing, batches: Collection[int], after: int) -> QuerySet[Box]:
    """Return the worker's boxes of the stage that have been judged, if the judgment that drew them counts."""
    return Box.objects.filter(
        judgment__worker_id=standing.worker_id,
        judgment__assignment__stage=standing.stage,
        judgment__set_aside=None,
        judgment__pk__gt=after,
        state__in=(Box.State.ACCEPTED, Box.State.REJECTED),
        **{f"{_IN_BATCH}__in": batches},
    )


def _with_boxes(
    standing: Standing, answers: QuerySet[Judgment], batches: dict[int, BatchSettings]
) -> tuple[Record, int | None]:
    """Return the record in a stage in which boxes are drawn: they count as well once the entrance is over.

    Only the last boxes are read, and the database counts the totals, so that somebody with a hundred
    thousand boxes submits as fast as others.
    """
    # One page more than the longest entrance, which ends with the page that holds its last answer.
    reports = _reports(standing, batches)
    earliest = answers.order_by("pk").values_list(*_ANSWER)[: MOST_ANSWERS + MAX_ITEMS_A_PAGE]
    first = _with_reports(earliest, reports)
    entrance = fold_entrance(_outcomes(first, batches, standing.stage))
    if entrance.state == Trust.ENTERING:
        return entrance, first[-1][2] if first else None
    boxes = _boxes(standing, batches, after=first[entrance.asked - 1][0])
    totals = answers.aggregate(asked=Count("pk"), right=Count("pk", filter=IS_RIGHT))
    drawn = boxes.aggregate(asked=Count("pk"), right=Count("pk", filter=Q(state=Box.State.ACCEPTED)))
    wrong = reports.count()
    most = max(settings.control.recent for settings in batches.values())
    latest: list[tuple[int, bool, int]] = [
        (pk, bool(right), batch)
        for pk, right, batch, _ in answers.order_by("-pk").values_list(*_ANSWER)[:most]
    ]
    latest += reports.order_by("-pk").values_list("after", Value(False), "assignment__batch_id")[:most]
    newest = boxes.order_by("-judgment_id", "-pk").values_list("judgment_id", "state", f"{_IN_BATCH}_id")[
        :most
    ]
    latest += [(pk, state == Box.State.ACCEPTED, batch) for pk, state, batch in newest]
    latest.sort(key=lambda row: row[0])
    last = latest[-1][2]
    terms = terms_of(batches[last], standing.stage)
    record = stand(
        entrance,
        asked=totals["asked"] + wrong + drawn["asked"],
        right=totals["right"] + drawn["right"],
        recent=[right for _, right, _ in latest[-terms.recent :]],
        terms=terms,
    )
    return record, last


def _in_batch(standing: Standing, settings: BatchSettings) -> Record:
    """Return the record in one batch, from pages in the order of submission.

    Each page counts with its answers and, where boxes are drawn, its boxes. As soon as a set of pages fails,
    only its questions count: its boxes are withdrawn and drawn again, so good ones among them must not raise
    the score, and bad ones must not count twice.
    """
    assert standing.batch_id is not None
    answers = answers_of(
        worker_id=standing.worker_id, stage=standing.stage, after=standing.counted_from
    ).filter(assignment__batch=standing.batch_id)
    found: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    order: dict[Any, int] = {}
    rows = answers.order_by().values_list("assignment_id")
    for page, asked, right, first in rows.annotate(
        n=Count("pk"), good=Count("pk", filter=IS_RIGHT), first=Min("pk")
    ):
        found[page][:2] = asked, right
        order[page] = first
    reports = _reports(standing, (standing.batch_id,)).order_by().values_list("assignment_id")
    for page, wrong, first in reports.annotate(n=Count("pk"), first=Min("after")):
        found[page][0] += wrong
        order[page] = min(first, order.get(page, first))
    if standing.stage in DRAWS_BOXES:
        boxes = _boxes(standing, (standing.batch_id,), standing.counted_from)
        drawn = boxes.exclude(judgment__assignment__verdict__in=BAD).order_by().values_list(_PAGE)
        for page, judged, good, first in drawn.annotate(
            n=Count("pk"), good=Count("pk", filter=Q(state=Box.State.ACCEPTED)), first=Min("judgment_id")
        ):
            found[page][2:] = judged, good
            order[page] = min(first, order.get(page, first))
    waiting = Assignment.objects.filter(
        worker_id=standing.worker_id,
        batch_id=standing.batch_id,
        stage=standing.stage,
        verdict=Assignment.Verdict.PENDING,
    )
    return fold_pages(
        (Page(*found[page]) for page in sorted(order, key=order.__getitem__)),
        size=settings.control.set_questions,
        minimum=settings.minimum_score[standing.stage],
        over=not waiting.exists(),
    )


def terms_of(settings: BatchSettings, stage: str) -> Terms:
    """Return what these settings ask of a worker of the stage under the regime `trusted`."""
    return Terms(
        minimum=settings.minimum_score[stage],
        entrance=settings.control.entrance,
        recent=settings.control.recent,
    )
