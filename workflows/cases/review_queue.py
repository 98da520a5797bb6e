"""Open, sample and close the cases of the review queue."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW, SPLIT, WITHDRAWN
from annotation.domain.field_errors import NamedFieldError
from annotation.domain.page_entries import ITEM, QUESTION
from annotation.models import (
    Assignment,
    Batch,
    Case,
    Chain,
    Decision,
    ImageWork,
    Item,
    Judgment,
    SuggestionStop,
    Worker,
)
from annotation.transactions import write_transaction
from workflows.cases.worker_cases import about_worker, together

SAMPLED = (DONE, NONVISUAL)
"""The states of chains that samples are drawn from: annotation has ended with an answer."""
AT_ONCE = 1000


class CaseError(NamedFieldError):
    """The queue cannot do what was asked. `field` names the wrong part of the request."""


def open_case(
    *,
    project_id: int,
    reason: str,
    now: datetime,
    work_id: int | None = None,
    chain_id: int | None = None,
    judgment_id: int | None = None,
    worker_id: int | None = None,
    question_id: int | None = None,
    stage: str = "",
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Open one case inside the caller's transaction. A case that is open already stays as it is.

    A further stage of a worker's open case is assigned to the same researcher.
    """
    waiting = Case.objects.none()
    if worker_id is not None and reason in Case.ABOUT_WORKERS:
        waiting = Case.objects.filter(worker=worker_id, reason=reason, closed_at=None).order_by("pk")
    open_cases(
        [
            Case(
                project_id=project_id,
                reason=reason,
                work_id=work_id,
                chain_id=chain_id,
                judgment_id=judgment_id,
                worker_id=worker_id,
                question_id=question_id,
                stage=stage,
                detail=dict(detail or {}),
                assigned_to=waiting.values_list("assigned_to", flat=True).first() or "",
                opened_at=now,
            )
        ]
    )


def open_cases(cases: Iterable[Case]) -> None:
    """Open these unsaved cases in one statement, inside the caller's transaction.

    Constraints on `Case` keep a case from being opened twice. A conflict is ignored.
    """
    Case.objects.bulk_create(cases, batch_size=AT_ONCE, ignore_conflicts=True)


def open_remarks(*, judgments: Sequence[Judgment], project_id: int, now: datetime) -> None:
    """Open a case for every saved judgment with a remark, inside the transaction that saved them.

    If a judgment has a flagged chunk and a comment, the case is about the chunk and shows both. Makes no
    query if there is no remark.
    """
    remarked = [judgment for judgment in judgments if judgment.chunk_flag or judgment.comment.strip()]
    if not remarked:
        return
    items = Item.objects.in_bulk([j.item_id for j in remarked if j.item_id is not None])
    cases = []
    for judgment in remarked:
        item = items.get(judgment.item_id) if judgment.item_id is not None else None
        cases.append(
            Case(
                project_id=project_id,
                reason=Case.Reason.CHUNK if judgment.chunk_flag else Case.Reason.COMMENT,
                work_id=item.work_id if item else None,
                chain_id=item.chain_id if item else None,
                judgment_id=judgment.pk,
                worker_id=judgment.worker_id,
                question_id=judgment.question_id,
                stage=judgment.assignment.stage,
                opened_at=now,
            )
        )
    open_cases(cases)


def open_late_remarks(*, assignment: Assignment, project_id: int, now: datetime) -> None:
    """Open a case for every remark of this page whose answer came too late to be a judgment.

    Call it inside the transaction that submits the page, with its image works locked: a page is submitted
    once, so its remarks get into the queue once. If a chain has such a case open already, the next case is
    about the image only, because `Case` allows one case of a reason for each chain. Makes no query if there
    is no remark.
    """
    remarked = [one for one in assignment.late or () if one["chunk_flag"] or one["comment"].strip()]
    if not remarked:
        return
    of_page = Case.objects.filter(worker=assignment.worker_id, detail__assignment=str(assignment.pk))
    if of_page.exists():
        return
    items = Item.objects.in_bulk([one[ITEM] for one in remarked if ITEM in one])
    chains = [item.chain_id for item in items.values() if item.chain_id is not None]
    waiting = Case.objects.filter(chain__in=chains, judgment=None, closed_at=None)
    taken: set[tuple[str, int | None]] = set(waiting.values_list("reason", "chain_id"))
    cases = []
    for one in remarked:
        item = items.get(one.get(ITEM, 0))
        reason = Case.Reason.CHUNK if one["chunk_flag"] else Case.Reason.COMMENT
        about = item.chain_id if item and (reason, item.chain_id) not in taken else None
        taken.add((reason, about))
        cases.append(
            Case(
                project_id=project_id,
                reason=reason,
                work_id=item.work_id if item else None,
                chain_id=about,
                worker_id=assignment.worker_id,
                question_id=one.get(QUESTION),
                stage=assignment.stage,
                detail={"note": one["comment"], "assignment": str(assignment.pk)},
                opened_at=now,
            )
        )
    open_cases(cases)


def close_case(*, case_id: int, by: str, note: str, now: datetime, decision: Decision | None = None) -> bool:
    """Close a case by `decision`, or without one by a new decision that nothing has to change.

    Returns False for a case that was closed before: it keeps its decision, and the note is not stored. Locks
    the image work of the case and then the case, after all that the caller has locked. Raises CaseError
    if the case does not exist, if `decision` was undone meanwhile, or if it is the last case of a chain in
    review, or the case of an image that rests or of a caption that is flagged, which nobody would find again.
    """
    with write_transaction():
        work = Case.objects.filter(pk=case_id).values("work_id")
        # With the lock, two cases of a chain are closed one after the other, and none while it goes into
        # review or the decision is undone.
        list(ImageWork.objects.filter(pk__in=work).select_for_update(no_key=True).values_list("pk"))
        # Not joined with its decision: after waiting for a lock, the row is read again but joined rows are
        # not.
        case = Case.objects.select_for_update(no_key=True).filter(pk=case_id).first()
        if case is None:
            raise CaseError("case", f"there is no case {case_id}")
        if case.closed_at is not None and case.decision is not None:
            return False
        if why := why_not_closed(case):
            raise CaseError("case", why)
        if decision is not None and _is_undone(decision):
            raise CaseError("case", "stays open: the decision that closes it was undone just now")
        if decision is None:
            decision = _decide_to_close([case], by=by, note=note, now=now)
        case.decision, case.closed_at = decision, now
        case.save(update_fields=["decision", "closed_at"])
    return True


def close_of_worker(*, cases: Collection[int], by: str, note: str, now: datetime) -> Decision | None:
    """Close these cases (ids) about one worker for one reason, without a change, by one new decision.

    Those that were closed before keep their decision. Returns None if all were: the note is not stored then.
    Locks the worker, as everybody who opens a case on a worker, and then the cases. Raises CaseError if the
    cases are not about one worker for one reason.
    """
    with write_transaction():
        found = Case.objects.filter(pk__in=list(cases))
        groups = together(found.order_by("pk"))
        if len(groups) != 1 or not about_worker(groups[0][0]):
            raise CaseError("case", "choose stages of one case about a worker")
        workers = Worker.objects.filter(pk__in=found.values("worker_id"))
        list(workers.select_for_update(no_key=True).values_list("pk"))
        waiting = list(found.filter(closed_at=None).order_by("pk").select_for_update(no_key=True))
        if not waiting:
            return None
        decision = _decide_to_close(waiting, by=by, note=note, now=now)
        found.filter(pk__in=[case.pk for case in waiting]).update(decision=decision, closed_at=now)
    return decision


def _decide_to_close(cases: Sequence[Case], *, by: str, note: str, now: datetime) -> Decision:
    """Write the decision that closes a case, or several about one worker, without a change."""
    case = cases[0]
    several = len(cases) > 1
    return Decision.objects.create(
        project_id=case.project_id,
        kind=Decision.Kind.CLOSE,
        by=by,
        note=note,
        content={"case": case.pk, "reason": case.reason} | _stages(cases),
        work_id=case.work_id,
        chain_id=case.chain_id,
        worker_id=case.worker_id,
        stage="" if several else case.stage,
        created_at=now,
    )


def _stages(cases: Sequence[Case]) -> dict[str, list[str]]:
    """What a decision about several cases of a worker says of them."""
    return {"stages": [case.stage for case in cases]} if len(cases) > 1 else {}


def why_not_closed(case: Case) -> str:
    """Return why the open case cannot be closed without a change, or "" if it can."""
    if _is_of_resting_image(case):
        return "the image rests until you decide: let it go on, annotate it yourself, or withdraw it"
    if _is_of_flagged_caption(case):
        return "the caption waits until you decide: accept, edit or refuse it"
    if _is_last_of_review(case):
        return (
            "the chain is left with the researchers, and this is its last case: decide where the chain "
            "continues, or that it is done"
        )
    return ""


def _is_undone(decision: Decision) -> bool:
    if decision.work_id is None:
        return False
    undone = Decision.objects.filter(work=decision.work_id, kind=Decision.Kind.UNDO)
    return undone.filter(content__undoes=decision.pk).exists()


def _is_of_resting_image(case: Case) -> bool:
    if case.reason not in Case.OF_RESTING_IMAGES:
        return False
    if case.work_id is None or case.chain_id is not None:
        return False
    return ImageWork.objects.filter(pk=case.work_id, state=ImageWork.State.RESTING, active=True).exists()


def _is_of_flagged_caption(case: Case) -> bool:
    if case.reason != Case.Reason.CAPTION or case.judgment_id is None:
        return False
    flagged = Judgment.objects.filter(pk=case.judgment_id, written__state="flagged")
    return flagged.filter(item__work__active=True).exists()


def _is_last_of_review(case: Case) -> bool:
    if case.chain_id is None:
        return False
    waits = Chain.objects.filter(pk=case.chain_id, state=REVIEW, work__active=True).exists()
    others = Case.objects.filter(chain=case.chain_id, closed_at=None).exclude(pk=case.pk)
    return waits and not others.exists()


def close_cases(*, cases: Iterable[int], by: str, now: datetime, decision: Decision) -> int:
    """Close these cases (ids) by `decision`; return how many stay open: their chain is in review again."""
    kept = 0
    for case in cases:
        try:
            close_case(case_id=case, by=by, note="", now=now, decision=decision)
        except CaseError:
            kept += 1
    return kept


def reopen_cases(decision: Decision) -> None:
    """Open the cases again that the decision closed, in the caller's transaction.

    A case stays closed if the same is in the queue again. The works of the cases must be locked.
    """
    for pk in Case.objects.filter(decision=decision).order_by("pk").values_list("pk", flat=True):
        _reopen(pk)


def _reopen(case_id: int) -> bool:
    """Open the case again. Return False if the same is in the queue already."""
    try:
        with transaction.atomic():
            Case.objects.filter(pk=case_id).update(closed_at=None, decision=None)
    except IntegrityError:
        return False
    return True


def reopen_case(
    *, decision_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision:
    """Open the case again that this decision closed without a change, a worker's in all stages that can be.

    Return the decision that undoes it. `also` is called in the same transaction. Raises CaseError if nothing
    can be opened: see `why_not_reopened`.
    """
    with write_transaction():
        found = Case.objects.filter(decision=decision_id, decision__kind=Decision.Kind.CLOSE)
        # As in `close_case` and `close_of_worker`. Nothing moves the chain, sets off the image, or opens
        # cases about the worker, meanwhile.
        works = ImageWork.objects.filter(pk__in=found.values("work_id")).order_by("pk")
        list(works.select_for_update(no_key=True).values_list("pk"))
        about = found.filter(reason__in=Case.ABOUT_WORKERS).values("worker_id")
        list(Worker.objects.filter(pk__in=about).select_for_update(no_key=True).values_list("pk"))
        locked = Case.objects.select_for_update(no_key=True).filter(decision=decision_id)
        cases = list(locked.filter(pk__in=list(found.values_list("pk", flat=True))).order_by("pk"))
        if not cases:
            raise CaseError("case", "is open again already")
        decision = Decision.objects.get(pk=decision_id)
        whys = [why_not_reopened(case, decision) for case in cases]
        again = [case for case, why in zip(cases, whys, strict=True) if not why and _reopen(case.pk)]
        if not again:
            raise CaseError("case", next(filter(None, whys), AGAIN))
        undone = Decision.objects.create(
            project_id=decision.project_id,
            kind=Decision.Kind.UNDO,
            by=by,
            note=note,
            content={"undoes": decision.pk, "case": again[0].pk, "reason": again[0].reason} | _stages(again),
            work_id=decision.work_id,
            chain_id=decision.chain_id,
            worker_id=decision.worker_id,
            stage=decision.stage,
            created_at=now,
        )
        if also is not None:
            also()
    return undone


AGAIN = "is in the queue again already: the same was reported since"


def why_not_reopened(case: Case, closed: Decision) -> str:
    """Return why a case that this decision closed without a change cannot be opened again, or ""."""
    if closed.by.startswith("policy:"):
        return "was closed by a setting of the batch, which would close it again"
    if case.caption is not None and case.caption.superseded:
        return "is about a caption that was changed since"
    if case.chain is not None and case.chain.state in (SPLIT, WITHDRAWN):
        return "is about a chain that is not in use any more"
    if case.work is not None and case.work.image.withdrawn_at is not None:
        return "is about an image that was withdrawn: bring the image back first"
    if SuggestionStop.objects.filter(case=case, resumed__isnull=False).exists():
        return "is settled: suggestions are shown again"
    if case.worker is not None and case.reason in Case.ABOUT_WORKERS:
        if case.worker.blocked:
            return "is about a worker who is blocked: unblock the worker first"
        restored = Decision.objects.filter(
            kind=Decision.Kind.RESTORE, worker=case.worker_id, pk__gt=closed.pk
        )
        if case.reason == Case.Reason.TRUST and restored.filter(stage=case.stage).exists():
            return "is settled: the worker was restored since"
        same = Case.objects.filter(reason=case.reason, worker=case.worker_id, stage=case.stage)
        if same.filter(closed_at=None).exists():
            return AGAIN
    return ""


def close_several(*, cases: Iterable[int], by: str, note: str, now: datetime) -> tuple[int, int]:
    """Close these cases (ids) without a change, each by a decision of its own, those of a worker as one.

    Return how many were closed, and how many stay open because their chain is left with the researchers.
    Cases that were closed before, or do not exist, count as neither.
    """
    closed = kept = 0
    for group in together(Case.objects.filter(pk__in=list(cases), closed_at=None).order_by("pk")):
        try:
            if about_worker(group[0]):
                ids = [case.pk for case in group]
                closed += close_of_worker(cases=ids, by=by, note=note, now=now) is not None
            else:
                closed += close_case(case_id=group[0].pk, by=by, note=note, now=now)
        except CaseError:
            kept += 1
    return closed, kept


def assign_cases(*, cases: Iterable[int], to: str) -> int:
    """Assign these open cases (ids) to a researcher, or to nobody if `to` is empty.

    Return how many changed; a worker's cases for one reason count as one.
    """
    with write_transaction():
        open_now = Case.objects.filter(pk__in=list(cases), closed_at=None).exclude(assigned_to=to)
        changed = together(open_now.order_by("pk"))
        open_now.update(assigned_to=to)
    return len(changed)


def keep_in_queue(*, chain: Chain, project_id: int, by: str, note: str, now: datetime) -> None:
    """Make sure that a chain in review has an open case.

    Call it inside a transaction that has locked the chain's image work.
    """
    if not Case.objects.filter(chain=chain, closed_at=None).exists():
        open_case(
            project_id=project_id,
            reason=Case.Reason.FLAG,
            now=now,
            work_id=chain.work_id,
            chain_id=chain.pk,
            detail={"by": by, "note": note},
        )


def flag_chain(*, chain_id: int, by: str, note: str, now: datetime) -> None:
    """Put a chain into the queue for a later look. Raises CaseError if the chain does not exist."""
    with write_transaction():
        chain = Chain.objects.filter(pk=chain_id).select_related("work__batch").first()
        if chain is None:
            raise CaseError("chain", f"there is no chain {chain_id}")
        open_case(
            project_id=chain.work.batch.project_id,
            reason=Case.Reason.FLAG,
            now=now,
            work_id=chain.work_id,
            chain_id=chain.pk,
            detail={"by": by, "note": note},
        )


def sample_chains(
    *, batch_id: int, seed: int, now: datetime, share: float | None = None, number: int | None = None
) -> int:
    """Draw finished chains of a batch at random until `number` of them, or the `share` (0 to 1), are drawn.

    Chains that were drawn before count, whether their cases are open or closed. So asking again draws nothing
    twice, and later adds chains that have finished since. Returns how many were drawn now. Raises CaseError.
    """
    if (share is None) == (number is None):
        raise CaseError("share", "give either a share of the finished chains or a number of them")
    if share is not None and not 0 <= share <= 1:
        raise CaseError("share", "must be a share from 0 to 1")
    if number is not None and number < 0:
        raise CaseError("number", "must be a whole number from 0")
    with write_transaction():
        # Without the lock, two samples of one batch at the same time would not see each other.
        batch = Batch.objects.select_for_update(no_key=True).filter(pk=batch_id).first()
        if batch is None:
            raise CaseError("batch", f"there is no batch {batch_id}")
        finished = Chain.objects.filter(work__batch=batch, state__in=SAMPLED)
        before = Case.objects.filter(reason=Case.Reason.SAMPLE, chain__in=finished).values("chain_id")
        works = dict(finished.exclude(pk__in=before).order_by("pk").values_list("pk", "work_id"))
        drawn = before.distinct().count()
        wanted = number if number is not None else round((share or 0) * (len(works) + drawn))
        rng = random.Random(f"{seed}/{drawn}")
        chains = rng.sample(list(works), min(max(wanted - drawn, 0), len(works)))
        open_cases(
            Case(
                project_id=batch.project_id,
                reason=Case.Reason.SAMPLE,
                work_id=works[chain],
                chain_id=chain,
                opened_at=now,
            )
            for chain in sorted(chains)
        )
    return len(chains)
