"""Undo a decision: a new decision says that it does not count, and the image is replayed without it.

Nothing is deleted. What the decision made is withdrawn, and what it withdrew is used again, with all
judgments on it. A decision can be undone as long as no later one rests on it: see `domain.undo_rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db.models import Q

from annotation.domain.chain_states import REVIEW, WITHDRAWN
from annotation.models import Case, Chain, Decision, ImageWork
from annotation.transactions import write_transaction
from workflows.cases.review_queue import keep_in_queue, reopen_case, reopen_cases
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.replay import release_works
from workflows.questions.known_answers import forget_known
from workflows.review.captions import undo_change
from workflows.review.decide import apply_decision, follow_up, lock_work
from workflows.review.domain.undo_rules import About
from workflows.review.rechunk import retire_recut, uncut
from workflows.review.selectors import decisions_of, why_not_undoable

OF_IMAGES = (Decision.Kind.CHAIN, Decision.Kind.REGROUP, Decision.Kind.ANNOTATE)
UNDOABLE = (*OF_IMAGES, Decision.Kind.CAPTION, Decision.Kind.CLOSE)
"""The kinds of decisions that can be undone. Others have an opposite, such as unblocking a worker."""


def undo_decision(
    *,
    decision_id: int,
    by: str,
    note: str,
    now: datetime,
    version: int | None = None,
    also: Callable[[], object] | None = None,
) -> Decision:
    """Undo the decision, and return the decision that does. `also` is called in its transaction.

    Raises DecisionError or CaseError if it cannot be undone, and StaleDecisionError if its image changed
    since `version`, unless the caller does not compare that (None).
    """
    decision = Decision.objects.filter(pk=decision_id, kind__in=UNDOABLE).first()
    if decision is None:
        raise DecisionError("decision", f"there is no decision {decision_id} that can be undone")
    if decision.kind == Decision.Kind.CLOSE:
        return reopen_case(decision_id=decision_id, by=by, note=note, now=now, also=also)
    if decision.kind == Decision.Kind.CAPTION:
        return undo_change(decision_id=decision_id, by=by, note=note, now=now, also=also)
    assert decision.work_id is not None
    with write_transaction():
        work = lock_work(decision.work_id, version)
        if why := why_not_undoable(decision.pk, work.image_id, work):
            raise DecisionError("decision", why)
        undone, ended = _undo(decision, work, by=by, note=note, now=now)
        if also is not None:
            also()
    follow_up(work.batch_id, ended, now=now)
    return undone


def _undo(
    decision: Decision, work: ImageWork, *, by: str, note: str, now: datetime
) -> tuple[Decision, list[int]]:
    """Write what follows, with the work locked. Return the new decision, and the works that are done now."""
    content = decision.content
    uncut(gone=content.get("gone", ()), new=content.get("new", ()))
    undone = Decision.objects.create(
        project_id=decision.project_id,
        kind=Decision.Kind.UNDO,
        by=by,
        note=note,
        content={"undoes": decision.pk, "kind": decision.kind},
        work=work,
        chain_id=decision.chain_id,
        created_at=now,
    )
    Transition.objects.create(work=work, rule="undone", source=work.state, target=work.state, created_at=now)
    # First, so that the replay finds the cases open and opens none a second time.
    reopen_cases(decision)
    ended = apply_decision(work, now=now)
    _forget_second_cases(work, now)
    if is_let_go(decision, work):
        release_works([work.pk])
        ended = []
    _settle_cases(decision, undone, work)
    retire_recut(work.image_id)
    if "known" in content:
        forget_known(image_id=work.image_id, decision=decision, before=content["known"])
    return undone, ended


def is_let_go(decision: Decision, work: ImageWork) -> bool:
    """Return whether the image belongs to no batch without the decision.

    This is so in the batch by hand, if nobody has annotated the image otherwise: nobody is asked there.
    """
    if not work.batch.by_hand:
        return False
    others = (one for one in decisions_of(work.image_id) if one.id != decision.pk and one.work == work.pk)
    return not any(one.about == About.IMAGE or one.chains for one in others)


def _forget_second_cases(work: ImageWork, now: datetime) -> None:
    """Take away the cases that the replay has just opened for chains in review that have a case already."""
    cases = Case.objects.filter(chain__work=work, closed_at=None)
    before = cases.exclude(reason=Case.Reason.CYCLE, opened_at=now).values_list("chain_id", flat=True)
    new = cases.filter(reason=Case.Reason.CYCLE, opened_at=now, chain__in=list(before))
    Case.objects.filter(pk__in=list(new.values_list("pk", flat=True))).delete()


def _settle_cases(decision: Decision, undone: Decision, work: ImageWork) -> None:
    """Close the cases that are open because of the decision alone, and keep chains in review in the queue."""
    since = Case.objects.filter(chain__work=work, closed_at=None, opened_at__gte=decision.created_at)
    kept = Q(
        reason=Case.Reason.FLAG,
        opened_at=decision.created_at,
        detail={"by": decision.by, "note": decision.note},
    )
    over = (Q(reason__in=(Case.Reason.CYCLE, Case.Reason.UNSURE)) | kept) & ~Q(chain__state=REVIEW)
    cases = since.filter(over | Q(chain__state=WITHDRAWN))
    cases.update(closed_at=undone.created_at, decision=undone)
    for chain in Chain.objects.filter(work=work, state=REVIEW).order_by("pk"):
        keep_in_queue(
            chain=chain,
            project_id=decision.project_id,
            by=undone.by,
            note=undone.note,
            now=undone.created_at,
        )
