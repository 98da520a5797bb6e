"""Answers that vote for nobody: *photograph unusable* and *cannot tell*.

A submission looks at photographs that are called unusable before it locks anything. Then it writes the
abstentions in its transaction, and marks what a replay has to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from time import monotonic
from uuid import UUID

from django.db.models import Count, F

from annotation.domain.answers import AbstentionKind
from annotation.domain.page_entries import ITEM, QUESTION
from annotation.models import Abstention, Assignment, Image, ImageWork, Item, Judgment
from workflows.assignments.replies import Given, One, Reply
from workflows.core.photographs import is_broken

LOOKING_SECONDS = 5.0
"""How long a submission looks whether photographs are broken. It takes 0.1 s for one of 12 megapixels."""


def look_at_photographs(worker_id: int, assignment_id: UUID, replies: Sequence[Reply]) -> Sequence[Reply]:
    """Return the replies; those that call a photograph unusable say whether the server finds it broken.

    Photographs are read before anything is locked, since that may take a while. Those that are still left
    after LOOKING_SECONDS are not said to be broken.
    """
    reported = {reply.item for reply in replies if reply.abstention is AbstentionKind.UNUSABLE}
    if not reported:
        return replies
    page = Assignment.objects.filter(pk=assignment_id, worker_id=worker_id, receipt__isnull=True).first()
    if page is None:
        return replies
    shown = {place: image for place, image in enumerate(page.images, start=1) if place in reported}
    files = dict(Image.objects.filter(pk__in=shown.values()).values_list("pk", "file"))
    until = monotonic() + LOOKING_SECONDS
    questioned = {place + 1 for place, _ in page.checks}
    # Those of verification questions come first, since a report of an item is not lost if nobody looks.
    images = dict.fromkeys(shown[place] for place in sorted(shown, key=lambda one: one not in questioned))
    broken = {image for image in images if monotonic() < until and is_broken(files[image])}
    return [replace(reply, broken=shown.get(reply.item) in broken) for reply in replies]


def is_vote(given: One) -> bool:
    """Return whether an answer becomes a judgment.

    An abstention becomes one if it answers a verification question, since it is a wrong answer: the answer is
    known. But nobody could see a photograph that is broken.
    """
    (kind, _), answer, reply = given
    return not isinstance(answer, AbstentionKind) or (kind == QUESTION and not reply.broken)


def write_abstentions(assignment: Assignment, given: Given, *, live: bool, now: datetime) -> None:
    """Write these answers as abstentions. Their items wait for somebody else, at the end of the queue."""
    items = [pk for (kind, pk), *_ in given if kind == ITEM]
    works = dict(Item.objects.filter(pk__in=items).values_list("pk", "work_id"))
    newest = Judgment.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    Abstention.objects.bulk_create(
        Abstention(
            kind=str(answer),
            item_id=pk if kind == ITEM else None,
            question_id=pk if kind == QUESTION else None,
            work_id=works[pk] if kind == ITEM else None,
            worker_id=assignment.worker_id,
            assignment=assignment,
            broken=reply.broken,
            after=newest,
            seconds=reply.seconds,
            comment=reply.comment,
            unrelated=list(reply.unrelated) or None,
            created_at=now,
        )
        for (kind, pk), answer, reply in given
    )
    Item.objects.filter(pk__in=items).update(leased=F("leased") - int(live), queued_at=now)
    reported = [pk for (kind, pk), said, _ in given if kind == ITEM and said is AbstentionKind.UNUSABLE]
    reported += _untold([pk for (kind, pk), said, _ in given if kind == ITEM and pk not in reported])
    # What follows for such an image follows from all that was said about it, so it is folded as a whole.
    Item.objects.filter(pk__in=reported).update(unread=True)
    ImageWork.objects.filter(pk__in={works[pk] for pk in reported}).update(replayed=True)


def _untold(items: Sequence[int]) -> list[int]:
    """Return which of these items several workers could not answer. A replay decides what follows."""
    if not items:
        return []
    unsure = Abstention.objects.filter(item__in=items, kind=Abstention.Kind.UNSURE).values_list("item_id")
    said = unsure.annotate(workers=Count("worker", distinct=True))
    return [pk for pk, workers in said if pk is not None and workers > 1]
