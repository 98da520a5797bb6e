"""Switch suggestions off where they do harm, and let them be shown again if a researcher decides so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db.models import Q

from annotation.domain.answers import DRAWS_BOXES
from annotation.domain.field_errors import NamedFieldError
from annotation.domain.records import TEST_SPLIT
from annotation.domain.suggested import gets_suggestions, is_copied
from annotation.models import Batch, Box, Case, Decision, JudgeRecord, Judgment, SuggestionStop
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import close_cases
from workflows.judges.records import newest_record
from workflows.judges.versions import find_model
from workflows.limits.domain import (
    Finding,
    Judged,
    about_checks,
    about_crowd,
    about_judge,
    about_worker,
    say,
)
from workflows.quality.standings import begin_anew
from workflows.suggestions.batch_effects import BadSuggestions, bad_suggestions, by_worker
from workflows.suggestions.selectors import completed
from workflows.workers.enrolment import lock_worker

MAX_BOXES = 20_000
"""The newest judged boxes of a batch that its checks are read from."""
MAX_NOTE = 2000


class ResumeError(NamedFieldError):
    """Suggestions cannot be shown again as it was asked. `field` names what is wrong."""


def look_at_suggestions(*, now: datetime) -> int:
    """Switch suggestions off for workers and batches by the rules of `domain`; return how many.

    Each stop opens a case. A second call, also one at the same time, stops nothing twice. What was answered
    before a researcher let suggestions be shown again is not held against them once more.
    """
    running = Batch.objects.filter(state=Batch.State.RUNNING).order_by("pk")
    projects = {batch.project_id for batch in running if _number(batch) is not None}
    return sum(_look_at_project(project, now) for project in sorted(projects))


def _number(batch: Batch) -> int | None:
    return settings_of(batch).suggestions.set


def _look_at_project(project: int, now: datetime) -> int:
    launched = Batch.objects.filter(project=project).exclude(state=Batch.State.DRAFT).order_by("pk")
    shown = {batch: bad_suggestions(batch) for batch in launched if _number(batch) is not None}
    stops = SuggestionStop.objects.filter(Q(worker__project=project) | Q(batch__project=project))
    off_workers = set(stops.filter(resumed=None, worker__isnull=False).values_list("worker_id", flat=True))
    off_batches = set(stops.filter(resumed=None, batch__isnull=False).values_list("batch_id", flat=True))
    since = dict(
        stops.filter(resumed__isnull=False, worker__isnull=False)
        .order_by("pk")
        .values_list("worker_id", "resumed__content__after")
    )
    number = 0
    everything = [one for some in shown.values() for one in some if one.judgment > since.get(one.worker, 0)]
    for worker, (seen, accepted) in sorted(by_worker(everything).items()):
        if worker not in off_workers and (found := about_worker(seen, accepted)):
            off_workers.add(worker)
            number += _stop(project, found, now, worker_id=worker)
    for batch, some in shown.items():
        if batch.state != Batch.State.RUNNING or batch.pk in off_batches:
            continue
        left = [one for one in some if one.worker not in off_workers]
        if found := _about_batch(batch, left):
            number += _stop(project, found, now, batch_id=batch.pk)
    return number


def _about_batch(batch: Batch, shown: Iterable[BadSuggestions]) -> Finding | None:
    """Return why the batch should show no suggestions any more, or None."""
    resumed = SuggestionStop.objects.filter(batch=batch, resumed__isnull=False).order_by("-pk")
    decided = list(resumed.values_list("reason", "resumed__content__after"))
    after = decided[0][1] if decided else 0
    if found := about_crowd(by_worker(one for one in shown if one.judgment > after).values()):
        return found
    if not settings_of(batch).judge.model:
        return about_checks(*_judged_boxes(batch, after))
    # A record is about everything up to now. So once a researcher has decided against it, it stays decided.
    if SuggestionStop.Reason.JUDGE in {reason for reason, _ in decided}:
        return None
    return _by_judge(batch)


def _by_judge(batch: Batch) -> Finding | None:
    model = find_model(project_id=batch.project_id, named=settings_of(batch).judge.model)
    record: JudgeRecord | None = newest_record(model) if model else None
    shown = completed(batch.project_id, _number(batch) or 0)
    if record is None or shown is None:
        return None
    # Only here, because it takes a second to import, and the web service reads this module.
    from workflows.judges.domain.gate import parse_record

    return about_judge(parse_record(record.content).rates, shown.model.family)


def _judged_boxes(batch: Batch, after: int) -> tuple[list[Judged], list[Judged]]:
    """Return what checks said by image: of suggestions that were not moved, and of boxes drawn without any.

    Photographs of the split `test` have none by their split and not by chance, so they are left out, and so
    are answers after suggestions were switched off. One query.
    """
    rows = Box.objects.filter(
        judgment__item__batch=batch,
        judgment__item__stage__in=DRAWS_BOXES,
        judgment__item__shown=[],
        judgment__set_aside=None,
        judgment__assignment__unaided=False,
        judgment__gt=after,
        state__in=(Box.State.ACCEPTED, Box.State.REJECTED),
    ).exclude(judgment__item__work__image__split=TEST_SPLIT)
    columns = ("judgment__item__work__image_id", "ordinal", "state")
    settings = settings_of(batch)
    both: tuple[dict[int, list[int]], ...] = (defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0]))
    for suggested, copied, image, ordinal, state in rows.order_by("-judgment").values_list(
        "judgment__suggested", "judgment__copied", *columns
    )[:MAX_BOXES]:
        unmoved = is_copied(copied, ordinal)
        # Where none could be shown, chance did not choose the photograph.
        drawn_alone = suggested is None and not gets_suggestions(
            seed=settings.seed, image=image, without=settings.suggestions.without
        )
        if unmoved or drawn_alone:
            counts = both[0 if unmoved else 1][image]
            counts[0] += state == Box.State.ACCEPTED
            counts[1] += 1
    taken, drawn = (
        [(image, good, judged) for image, (good, judged) in sorted(some.items())] for some in both
    )
    return taken, drawn


def _stop(
    project: int, found: Finding, now: datetime, *, worker_id: int | None = None, batch_id: int | None = None
) -> bool:
    """Write the stop and its case. Return False if suggestions are off already."""
    with write_transaction():
        # Of two processes, the second waits here, and finds that it is done.
        if worker_id is not None:
            lock_worker(worker_id, may_be_blocked=True)
        if batch_id is not None:
            Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
        if SuggestionStop.objects.filter(worker=worker_id, batch=batch_id, resumed=None).exists():
            return False
        case = Case.objects.create(
            project_id=project,
            reason=Case.Reason.SUGGESTIONS,
            worker_id=worker_id,
            stage="" if batch_id is None else _stage_of(batch_id),
            detail={"note": _note(found, batch_id), **({"batch": batch_id} if batch_id else {})},
            opened_at=now,
        )
        SuggestionStop.objects.create(
            reason=found.reason,
            worker_id=worker_id,
            batch_id=batch_id,
            figures=dict(found.figures),
            case=case,
            created_at=now,
        )
        if worker_id is not None:  # a detector that is often right has earned the trust, not the worker
            for stage in sorted(DRAWS_BOXES):
                begin_anew(worker_id=worker_id, stage=stage, now=now)
    return True


def _stage_of(batch_id: int) -> str:
    """Return the stage in which the batch's workers draw boxes."""
    (stage,) = DRAWS_BOXES.intersection(settings_of(Batch.objects.get(pk=batch_id)).items_a_page)
    return str(stage)


def _note(found: Finding, batch_id: int | None) -> str:
    """Say what happened, and what the researcher can do."""
    why = say(found.reason, found.figures)
    if batch_id is None:
        return (
            f"suggestions are switched off for this worker: {why}. The worker earns trust in drawing anew, "
            "without them. Look at the boxes that the worker accepted, and set the answers aside if many are "
            "bad. Close this case to leave suggestions off, or show them again with `manage.py "
            "resume_suggestions`"
        )
    name = Batch.objects.values_list("name", flat=True).get(pk=batch_id)
    return (
        f"batch {name} shows no suggestions any more: {why}. Look at some of the accepted boxes. Close this "
        "case to leave suggestions off, or show them again with `manage.py resume_suggestions`"
    )


def resume_suggestions(
    *, stop_id: int, by: str, note: str, now: datetime, also: Callable[[Decision], object] = lambda made: None
) -> Decision | None:
    """Let suggestions be shown again on pages that are claimed from now on, and close the stop's case.

    Return the decision, or None if it was decided before. Raises ResumeError without a note.
    """
    if not note.strip():
        raise ResumeError("note", "must say why suggestions are shown again")
    if len(note) > MAX_NOTE:
        raise ResumeError("note", f"must have at most {MAX_NOTE:,} characters")
    with write_transaction():
        stop = SuggestionStop.objects.select_for_update(no_key=True).filter(pk=stop_id).first()
        if stop is None:
            raise ResumeError("stop", f"there is no stop {stop_id}")
        if stop.resumed_id is not None:
            return None
        newest = Judgment.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        case = Case.objects.get(pk=stop.case_id)
        decision = Decision.objects.create(
            project_id=case.project_id,
            kind=Decision.Kind.RESUME,
            by=by,
            note=note,
            content={"stop": stop.pk, "after": newest},
            worker_id=stop.worker_id,
            batch_id=stop.batch_id,
            stage=case.stage,
            created_at=now,
        )
        stop.resumed = decision
        stop.save(update_fields=["resumed"])
        close_cases(cases=[case.pk], by=by, now=now, decision=decision)
        also(decision)
    return decision
