"""Withdraw an image from the data set, and bring it back. Its judgments are kept in both cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db.models import Q

from annotation.models import Batch, Case, Decision, Image, ImageWork, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.replay import release_works, replay, resume_batches
from workflows.questions.retire import mark_retired

WITHDRAWN_IMAGE = "image withdrawn"
"""Why these verification questions are retired: `VerificationQuestion.retired`."""
_OPEN = (Batch.State.RUNNING, Batch.State.PAUSED)


def withdraw_image(
    *, image_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision | None:
    """Take the image out of the data set: nobody is asked about it, and no export has it.

    Its batch releases it, its verification questions are retired, and its open cases are closed. A page in
    somebody's hands can still be submitted, and is paid. `also` is called in the same transaction. Returns
    None, without a change, if the image is withdrawn already. Raises DecisionError if there is no such image.
    """
    with write_transaction():
        image = _locked(image_id)
        if image.withdrawn_at is not None:
            return None
        works = ImageWork.objects.filter(image=image, active=True).order_by("pk")
        work = works.select_for_update(no_key=True).first()
        if work is not None:
            release_works([work.pk])
        image.withdrawn_at = now
        image.save(update_fields=["withdrawn_at"])
        # Questions are locked last.
        questions = VerificationQuestion.objects.filter(image=image)
        questions = questions.exclude(state=VerificationQuestion.State.RETIRED)
        retired = list(questions.order_by("pk").select_for_update(no_key=True))
        for question in retired:
            mark_retired(question, WITHDRAWN_IMAGE)
        content = {"image": image.pk, "questions": [question.pk for question in retired]}
        decision = _decision(Decision.Kind.WITHDRAW, image, work, content, by=by, note=note, now=now)
        cases = Case.objects.filter(Q(work=work) | Q(chain__work=work), closed_at__isnull=True)
        if work is not None:
            cases.update(closed_at=now, decision=decision)
        if also is not None:
            also()
    if work is not None:
        finish_if_done(batch_id=work.batch_id, now=now)
    return decision


def bring_back_image(
    *, image_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision | None:
    """Let a withdrawn image belong to the data set again.

    The batch that released it takes it back where it stood if the image was done there or the batch goes on;
    otherwise another batch may take it. Cases that its withdrawal closed are open again, if its batch has it.
    Verification questions stay retired. `also` is called in the same
    transaction. Returns None, without a change, if the image is not withdrawn. Raises DecisionError if there
    is no such image.
    """
    with write_transaction():
        image = _locked(image_id)
        if image.withdrawn_at is None:
            return None
        image.withdrawn_at = None
        image.save(update_fields=["withdrawn_at"])
        work = _work_to_take_back(image)
        if work is not None:
            work.active = work.replayed = True
            work.save(update_fields=["active", "replayed"])
            # First, so that the replay finds the cases open and opens none a second time.
            withdrawals = Decision.objects.filter(kind=Decision.Kind.WITHDRAW, work=work)
            Case.objects.filter(decision__in=withdrawals).update(closed_at=None, decision=None)
            if work.state != ImageWork.State.QUEUED:
                replay([work], now=now)
        content = {"image": image.pk}
        decision = _decision(Decision.Kind.BRING_BACK, image, work, content, by=by, note=note, now=now)
        if also is not None:
            also()
    if work is not None:
        resume_batches(now=now)
        finish_if_done(batch_id=work.batch_id, now=now)
    return decision


def _locked(image_id: int) -> Image:
    # A batch that is taking the image holds its key, and is waited for.
    image = Image.objects.select_for_update().filter(pk=image_id).first()
    if image is None:
        raise DecisionError("image", f"there is no image {image_id}")
    return image


def _work_to_take_back(image: Image) -> ImageWork | None:
    """Lock and return the work that the last withdrawal released, if its batch has a use for it."""
    withdrawn = Decision.objects.filter(
        kind=Decision.Kind.WITHDRAW, project=image.project_id, work__image=image
    )
    last = withdrawn.order_by("-pk").values_list("work", flat=True).first()
    works = ImageWork.objects.select_for_update(no_key=True, of=("self",)).select_related("batch")
    work = works.filter(pk=last).first() if last is not None else None
    if work is None or not (work.state == ImageWork.State.DONE or work.batch.state in _OPEN):
        return None
    return work


def _decision(
    kind: Decision.Kind,
    image: Image,
    work: ImageWork | None,
    content: Mapping[str, object],
    *,
    by: str,
    note: str,
    now: datetime,
) -> Decision:
    return Decision.objects.create(
        project_id=image.project_id,
        kind=kind,
        by=by,
        note=note,
        content=dict(content),
        work=work,
        created_at=now,
    )
