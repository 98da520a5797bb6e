"""Withdraw an image from the data set, and bring it back. Its judgments are kept in both cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from django.db.models import Q, QuerySet

from annotation.models import Batch, Case, Decision, Image, ImageWork, VerificationQuestion
from annotation.row_changes import changing
from annotation.transactions import write_transaction
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.replay import release_works, replay, resume_batches
from workflows.questions.retire import mark_retired

WITHDRAWN_IMAGE = "image withdrawn"
"""Why these verification questions are retired: `VerificationQuestion.retired`."""


def withdraw_image(
    *, image_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision | None:
    """Take the image out of the data set: nobody is asked about it, and no export has it.

    Its batches release it, its verification questions are retired, and its open cases are closed. A page in
    somebody's hands can still be submitted, and is paid. `also` is called in the same transaction. Returns
    None, without a change, if the image is withdrawn already. Raises DecisionError if there is no such image.
    """
    with write_transaction():
        image = _locked(image_id)
        if image.withdrawn_at is not None:
            return None
        active = ImageWork.objects.filter(image=image, active=True).order_by("pk")
        works = list(active.select_for_update(no_key=True))
        release_works([work.pk for work in works])
        work = _grounding(works)
        with changing(image, "withdrawn_at"):
            image.withdrawn_at = now
            image.save(update_fields=["withdrawn_at"])
        # Questions are locked last.
        questions = VerificationQuestion.objects.filter(image=image)
        questions = questions.exclude(state=VerificationQuestion.State.RETIRED)
        retired = list(questions.order_by("pk").select_for_update(no_key=True))
        for question in retired:
            mark_retired(question, WITHDRAWN_IMAGE)
        content = {"image": image.pk, "questions": [question.pk for question in retired]}
        if others := [one.pk for one in works if one != work]:
            content["works"] = others
        decision = _decision(Decision.Kind.WITHDRAW, image, work, content, by=by, note=note, now=now)
        cases = Case.objects.filter(Q(work__in=works) | Q(chain__work__in=works), closed_at__isnull=True)
        cases.update(closed_at=now, decision=decision)
        if also is not None:
            also()
    _finish(works, now)
    return decision


def bring_back_image(
    *, image_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision | None:
    """Let a withdrawn image belong to the data set again.

    A batch that released it takes it back where it stood if the image was done there or the batch goes on;
    otherwise another batch may take it. Cases that its withdrawal closed are open again, if its batch has it.
    Verification questions stay retired. `also` is called in the same
    transaction. Returns None, without a change, if the image is not withdrawn. Raises DecisionError if there
    is no such image.
    """
    with write_transaction():
        image = _locked(image_id)
        if image.withdrawn_at is None:
            return None
        with changing(image, "withdrawn_at"):
            image.withdrawn_at = None
            image.save(update_fields=["withdrawn_at"])
        works = _works_to_take_back(image)
        ImageWork.objects.filter(pk__in=[work.pk for work in works]).update(active=True, replayed=True)
        for work in works:
            work.active = work.replayed = True
        # First, so that the replay finds the cases open and opens none a second time.
        closed = Q(work__in=works) | Q(chain__work__in=works)
        withdrawals = _withdrawals(image)
        Case.objects.filter(closed, decision__in=withdrawals).update(closed_at=None, decision=None)
        replay([work for work in works if work.state != ImageWork.State.QUEUED], now=now)
        content = {"image": image.pk}
        decision = _decision(
            Decision.Kind.BRING_BACK, image, _grounding(works), content, by=by, note=note, now=now
        )
        if also is not None:
            also()
    if works:
        resume_batches(now=now)
    _finish(works, now)
    return decision


def _grounding(works: Iterable[ImageWork]) -> ImageWork | None:
    """Return the one of an image's works that makes chains of it, if there is one."""
    return next((work for work in works if work.campaign == ImageWork.Campaign.ENTITIES), None)


def _finish(works: Iterable[ImageWork], now: datetime) -> None:
    for batch in sorted({work.batch_id for work in works}):
        finish_if_done(batch_id=batch, now=now)


def _locked(image_id: int) -> Image:
    # A batch that is taking the image holds its key, and is waited for.
    image = Image.objects.select_for_update().filter(pk=image_id).first()
    if image is None:
        raise DecisionError("image", f"there is no image {image_id}")
    return image


def _withdrawals(image: Image) -> QuerySet[Decision]:
    """Return the withdrawals that released works of the image, the newest first."""
    of_project = Decision.objects.filter(kind=Decision.Kind.WITHDRAW, project=image.project_id)
    of_others = Q(content__image=image.pk, content__has_key="works")
    return of_project.filter(Q(work__image=image) | of_others).order_by("-pk")


def _works_to_take_back(image: Image) -> list[ImageWork]:
    """Lock and return the works that the last withdrawal released, if their batches have a use for them."""
    last = _withdrawals(image).first()
    released = [] if last is None else [last.work_id, *last.content.get("works", ())]
    works = ImageWork.objects.select_for_update(no_key=True, of=("self",)).select_related("batch")
    found = works.filter(pk__in=[pk for pk in released if pk is not None]).order_by("pk")
    return [
        work for work in found if work.state == ImageWork.State.DONE or work.batch.state in Batch.UNDER_WAY
    ]


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
        image=image,
        created_at=now,
    )
