"""Finish a batch when its images are done and every page's judgments are known to count."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Assignment, Batch, ImageWork, Item
from annotation.row_changes import change_rows
from annotation.transactions import write_transaction
from workflows.assignments.leases import release_pages
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.models import Transition
from workflows.quality.page_scores import judge_rest

ENDED = (ImageWork.State.DONE, ImageWork.State.RESTING)
"""The states of an image of which a batch asks nothing more. It does not wait for researchers."""


def finish_if_done(*, batch_id: int, now: datetime) -> bool:
    """Finish a running batch if all its images, or as many as its target, are done. Return whether it did.

    Images that were withdrawn do not count. Images that rest do not hold it up: it goes on with them if a
    researcher decides that their photographs are usable.

    Sets of pages that are not full are judged first, since nothing will fill them any more. The batch goes on
    while pages are below the minimum score, or while images of such pages wait to be asked again.
    """
    batch = Batch.objects.get(pk=batch_id)
    if batch.state != Batch.State.RUNNING:
        return False
    target = settings_of(batch).target
    works = ImageWork.objects.filter(batch_id=batch_id, active=True)
    over = not works.exclude(state__in=ENDED).exists() or (
        target is not None
        and works.filter(state=ImageWork.State.DONE).count() >= target
        and not reopened_works(batch).exists()
    )
    if not over:
        return False
    judge_rest(batch=batch, now=now)
    with write_transaction():
        if _waits(batch_id):
            return False
        running = Batch.objects.filter(pk=batch_id, state=Batch.State.RUNNING).select_for_update(no_key=True)
        if not change_rows(running, state=Batch.State.FINISHED):
            return False
        wind_up_batch(batch, cancelled=False)
    return True


def _waits(batch_id: int) -> bool:
    """Return whether pages are unjudged or below the minimum, or done images wait to be replayed."""
    open_verdicts = (Assignment.Verdict.PENDING, Assignment.Verdict.FAILING)
    pages = Assignment.objects.filter(batch=batch_id, verdict__in=open_verdicts)
    done = Item.objects.unread().filter(work__batch=batch_id, work__state=ImageWork.State.DONE)
    return pages.exists() or done.filter(work__replayed=True).exists()


def wind_up_batch(batch: Batch, *, cancelled: bool) -> None:
    """Take back the pages of a batch that is over, and release the images it has not done.

    Images that are done stay with the batch and are exported. If the batch finished, reopened and resting
    images stay with it, too, because it may be resumed for them. A page that is taken back can still be
    submitted.
    """
    live = Assignment.objects.filter(batch=batch, state=Assignment.State.LIVE).order_by("pk")
    release_pages(list(live.select_for_update(no_key=True)), Assignment.State.EXPIRED)
    unfinished = ImageWork.objects.filter(batch=batch).exclude(state=ImageWork.State.DONE)
    if not cancelled:
        unfinished = unfinished.exclude(pk__in=reopened_works(batch)).exclude(state=ImageWork.State.RESTING)
    # In the order in which submissions and `advance` lock them.
    list(unfinished.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    unfinished.update(active=False)


def reopened_works(batch: Batch) -> QuerySet[ImageWork]:
    """Return the images that were done and are not any more.

    Judgments on them were set aside, or a researcher decided about them.
    """
    was_done = Transition.objects.filter(work=OuterRef("pk"), chain=None, source=ImageWork.State.DONE)
    works = ImageWork.objects.filter(Exists(was_done), batch=batch, active=True, replayed=True)
    return works.exclude(state__in=ENDED)
