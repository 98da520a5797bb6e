"""When a batch is over: its images are done, and no page is left whose judgments may not count."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment, Batch, ImageWork, Item
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.quality.page_scores import judge_rest
from workflows.services.batches import reopened, wind_up


def finish_if_done(*, batch_id: int, now: datetime) -> bool:
    """Finish a running batch once its images, or its target of them, are done; True when it just was.

    First the sets of pages that are not full are judged, since nothing will fill them. While pages are below
    the minimum, or images of such pages wait to be asked again, the batch goes on.
    """
    batch = Batch.objects.get(pk=batch_id)
    if batch.state != Batch.State.RUNNING:
        return False
    target = settings_of(batch).target
    works = ImageWork.objects.filter(batch_id=batch_id)
    over = not works.exclude(state=ImageWork.State.DONE).exists() or (
        target is not None
        and works.filter(state=ImageWork.State.DONE).count() >= target
        and not reopened(batch).exists()
    )
    if not over:
        return False
    judge_rest(batch=batch, now=now)
    with write_transaction():
        if _waits(batch_id):
            return False
        running = Batch.objects.filter(pk=batch_id, state=Batch.State.RUNNING)
        if not running.update(state=Batch.State.FINISHED):
            return False
        wind_up(batch, cancelled=False)
    return True


def _waits(batch_id: int) -> bool:
    """Whether pages are not judged or below the minimum, or done images are to be replayed without them."""
    open_verdicts = (Assignment.Verdict.PENDING, Assignment.Verdict.FAILING)
    pages = Assignment.objects.filter(batch=batch_id, verdict__in=open_verdicts)
    works = Item.objects.filter(unread=True, work__batch=batch_id, work__state=ImageWork.State.DONE)
    return pages.exists() or works.filter(work__replayed=True).exists()
