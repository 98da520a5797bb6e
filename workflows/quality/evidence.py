"""Reads the judgments that a standing follows from, and computes the record they amount to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Coalesce, Least

from annotation.domain.answers import DRAWS_BOXES, CampaignStage
from annotation.domain.suggested import LAST_BIT
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
from workflows.batch_settings.domain.quality_control import MAX_ANSWERS, Regime
from workflows.batch_settings.domain.settings import MAX_ITEMS_PER_PAGE, BatchSettings, shows_suggestions
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
from workflows.questions.domain.supply import IN_TESTS_ALONE

BAD = (Assignment.Verdict.FAILING, Assignment.Verdict.REJECTED)
_ANSWER = ("pk", Coalesce("regraded", "correct"), "assignment__batch_id", "assignment_id")
_Row = tuple[int, bool | None, int, Any]
"""The columns of `_ANSWER`."""


class _Work(NamedTuple):
    """What others judge of a worker's answers in a stage, as columns: boxes or captions, good if accepted."""

    model: type[Box] | type[Judgment]
    judgment: str  # the path to the judgment that drew or wrote it
    state: str  # accepted or rejected; refused, of a caption

    def path(self, name: str) -> str:
        """Return the path of a column of the judgment."""
        return f"{self.judgment}__{name}" if self.judgment else name


_BOXES = _Work(Box, "judgment", "state")
_WORKS: Mapping[str, _Work] = {
    **dict.fromkeys(map(str, DRAWS_BOXES), _BOXES),
    # A caption's row is of the pipeline, which knows this room.
    CampaignStage.WRITING: _Work(Judgment, "", "written__state"),
}
ACCEPTED = "accepted"
_JUDGED = (ACCEPTED, "rejected", "refused")


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
    if standing.stage in _WORKS:
        return _with_work(standing, answers, batches)
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
    return counted_answers().filter(worker_id=worker_id, assignment__stage=stage, pk__gt=after)


def counted_answers() -> QuerySet[Judgment]:
    """Return all answers to verification questions that count in a score: those to void questions do not."""
    return Judgment.objects.filter(question__isnull=False).exclude(question__retired=VOID)


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


def _judged(standing: Standing, batches: Mapping[int, BatchSettings], after: int) -> QuerySet[Any]:
    """Return the worker's boxes or captions of the stage that workers have judged.

    The judgment that drew or wrote them must count. Boxes that a model alone has judged say nothing of a
    worker: a model might like what another one of its kind has drawn. Nor do boxes that a model suggested and
    the worker left as they were: else whoever accepts everything would earn trust by a good model.
    """
    work = _WORKS[standing.stage]
    conditions = {
        work.path("worker_id"): standing.worker_id,
        work.path("assignment__stage"): standing.stage,
        work.path("set_aside"): None,
        work.path("pk__gt"): after,
        work.path("assignment__batch__in"): batches,
        f"{work.state}__in": _JUDGED,
    }
    found = work.model._default_manager.filter(**conditions)
    if work is _BOXES and any(settings.judge.model for settings in batches.values()):
        by_workers = Item.objects.filter(
            box__judgment=OuterRef("judgment"), state=Item.State.DONE, judged__gt=0
        )
        found = found.filter(Exists(by_workers))
    if work is _BOXES and any(settings.suggestions.set for settings in batches.values()):
        place = Least(F("ordinal"), Value(LAST_BIT))
        bit = F("judgment__copied").bitrightshift(place).bitand(1)  # type: ignore[arg-type]
        found = found.alias(unmoved=ExpressionWrapper(bit, BigIntegerField())).filter(unmoved=0)
    return found


def _by_oneself(
    stage: str, answers: QuerySet[Judgment], batches: Mapping[int, BatchSettings]
) -> QuerySet[Judgment]:
    """Leave out answers with a box that a model suggested and the worker left as it was, right or wrong.

    Whoever accepts everything would earn trust, and keep it, by what a good model is right about. If only the
    wrong ones counted, workers who are as good with suggestions as without would fail. The limits of
    suggestions are about bad ones that are accepted.
    """
    if not any(shows_suggestions(stage, settings) for settings in batches.values()):
        return answers
    return answers.filter(copied=0)


def _with_work(
    standing: Standing, answers: QuerySet[Judgment], batches: dict[int, BatchSettings]
) -> tuple[Record, int | None]:
    """Return the record in a stage in which boxes are drawn, or captions written.

    They count as well once the entrance is over, if there is one. Only the last ones are read, and the
    database counts the totals, so that somebody with a hundred thousand boxes submits as fast as others.
    """
    work = _WORKS[standing.stage]
    answers = _by_oneself(standing.stage, answers, batches)
    # One page more than the longest entrance, which ends with the page that holds its last answer.
    reports = _reports(standing, batches)
    earliest = answers.order_by("pk").values_list(*_ANSWER)[: MAX_ANSWERS + MAX_ITEMS_PER_PAGE]
    first = _with_reports(earliest, reports)
    if standing.stage in IN_TESTS_ALONE:
        entrance, since = Record(Trust.TRUSTED), standing.counted_from
    else:
        entrance = fold_entrance(_outcomes(first, batches, standing.stage))
        if entrance.state == Trust.ENTERING:
            return entrance, first[-1][2] if first else None
        since = first[entrance.asked - 1][0]
    given = _judged(standing, batches, after=since)
    totals = answers.aggregate(asked=Count("pk"), right=Count("pk", filter=IS_RIGHT))
    good = Q(**{work.state: ACCEPTED})
    judged = given.aggregate(asked=Count("pk"), right=Count("pk", filter=good))
    wrong = reports.count()
    most = max(settings.control.recent for settings in batches.values())
    latest: list[tuple[int, bool, int]] = [
        (pk, bool(right), batch)
        for pk, right, batch, _ in answers.order_by("-pk").values_list(*_ANSWER)[:most]
    ]
    latest += reports.order_by("-pk").values_list("after", Value(False), "assignment__batch_id")[:most]
    columns = (work.path("pk"), work.state, work.path("assignment__batch_id"))
    newest = given.order_by(f"-{work.path('pk')}", "-pk").values_list(*columns)[:most]
    latest += [(pk, state == ACCEPTED, batch) for pk, state, batch in newest]
    if not latest:
        return entrance, None
    latest.sort(key=lambda row: row[0])
    last = latest[-1][2]
    terms = terms_of(batches[last], standing.stage)
    record = stand(
        entrance,
        asked=totals["asked"] + wrong + judged["asked"],
        right=totals["right"] + judged["right"],
        recent=[right for _, right, _ in latest[-terms.recent :]],
        terms=terms,
    )
    return record, last


def _in_batch(standing: Standing, settings: BatchSettings) -> Record:
    """Return the record in one batch, from pages in the order of submission.

    Each page counts with its answers and, where others judge what was drawn or written, with that. As soon as
    a set of pages fails, only its questions count: its boxes are withdrawn and drawn again, so good ones
    among them must not raise the score, and bad ones must not count twice.
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
    if standing.stage in _WORKS:
        work = _WORKS[standing.stage]
        given = _judged(standing, {standing.batch_id: settings}, standing.counted_from)
        given = given.exclude(**{work.path("assignment__verdict__in"): BAD}).order_by()
        by_page = given.values_list(work.path("assignment_id")).annotate(
            n=Count("pk"),
            good=Count("pk", filter=Q(**{work.state: ACCEPTED})),
            first=Min(work.path("pk")),
        )
        for page, judged, good, first in by_page:
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
