"""Let an image go on that rests because workers abstained, once a researcher says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from annotation.domain.chain_states import REVIEW
from annotation.models import Case, Decision
from annotation.transactions import write_transaction
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.load_rows import reports_of
from workflows.review.decide import apply_decision, follow_up, lock_work


def let_go_on(
    *, work_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision:
    """Decide that the image is asked about again: reports so far do not count, and the image goes on.

    Its photograph can be seen, or the questions that workers could not answer can be answered. Its case is
    closed. If the batch has finished, it is resumed. `also` is called in the decision's
    transaction. Raise DecisionError if nobody has abstained, or the batch has released the image.
    """
    with write_transaction():
        work = lock_work(work_id, None)
        reports, dismissed = reports_of([work])
        said = [one.id for one in reports[work.pk]]
        if dismissed[work.pk].issuperset(said):
            raise DecisionError("work", "no worker says that it cannot be answered")
        decision = Decision.objects.create(
            project_id=work.batch.project_id,
            kind=Decision.Kind.USABLE,
            by=by,
            note=note,
            # With those that were set aside: they do not count again if they are reinstated.
            content={"reports": said},
            work=work,
            created_at=now,
        )
        ended = apply_decision(work, now=now)
        cases = Case.objects.filter(work=work, reason__in=Case.OF_RESTING_IMAGES, closed_at=None)
        # A researcher may have kept a chain in review: then this is the case by which it is found.
        cases.exclude(chain__state=REVIEW).update(closed_at=now, decision=decision)
        if also is not None:
            also()
    follow_up(work.batch_id, ended, now=now)
    return decision
