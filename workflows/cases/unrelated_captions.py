"""Cases of captions that workers say are about another photograph: one for each caption."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from annotation.domain.answers import CampaignStage
from annotation.domain.page_entries import ITEM, QUESTION
from annotation.models import Assignment, Caption, Case, Item, VerificationQuestion
from workflows.cases.review_queue import open_cases

Entry = tuple[str, int]
"""(ITEM, id) or (QUESTION, id)."""


def captions_that_can_be_unrelated(assignment: Assignment) -> dict[Entry, set[int]]:
    """Return the indexes of the image's captions for each entry of a page that asks about mentions.

    They include captions that were withdrawn while the worker held the page. In campaigns there are none:
    whether a caption describes the photograph is what these ask, and their captions are numbered by place.
    """
    if assignment.stage in set(CampaignStage):
        return {}
    images = _images(assignment.items, [question for _, question in assignment.checks])
    indexes: defaultdict[int, set[int]] = defaultdict(set)
    rows = Caption.objects.filter(image__in=set(images.values()))
    for image, index in rows.values_list("image_id", "index"):
        indexes[image].add(index)
    return {entry: indexes[image] for entry, image in images.items()}


def open_unrelated(
    *,
    named: Sequence[tuple[Entry, Collection[int]]],
    assignment: Assignment,
    project_id: int,
    now: datetime,
) -> None:
    """Open a case for each caption that a worker named, inside the transaction that submits the page.

    `named` has the indexes of the captions, by the entry that showed them. A caption that has had a case
    gets no other one, whether that is open or closed, and a withdrawn caption gets none. Makes no query if
    no caption is named.
    """
    if not named:
        return
    images = _images(*([pk for (kind, pk), _ in named if kind == wanted] for wanted in (ITEM, QUESTION)))
    works = dict(
        Item.objects.filter(pk__in=[pk for (kind, pk), _ in named if kind == ITEM]).values_list(
            "work__image", "work"
        )
    )
    wanted = {(images[entry], index) for entry, indexes in named for index in indexes}
    in_use = Caption.objects.in_use().filter(image__in={image for image, _ in wanted}).order_by("pk")
    open_cases(
        Case(
            project_id=project_id,
            reason=Case.Reason.UNRELATED,
            work_id=works.get(caption.image_id),
            caption=caption,
            worker_id=assignment.worker_id,
            stage=assignment.stage,
            opened_at=now,
        )
        for caption in in_use
        if (caption.image_id, caption.index) in wanted
    )


def open_unrelated_of(image_id: int) -> list[Case]:
    """Return the open cases of the image's captions in use, in the order of the captions. One query."""
    cases = Case.objects.filter(reason=Case.Reason.UNRELATED, closed_at=None)
    of_image = cases.filter(caption__image=image_id, caption__superseded=False)
    return list(of_image.select_related("caption").order_by("caption__index"))


def close_unrelated(*, image_id: int, index: int, decision_id: int, now: datetime) -> None:
    """Close the case of a caption that is withdrawn or edited, inside the transaction that does it."""
    cases = Case.objects.filter(reason=Case.Reason.UNRELATED, closed_at=None)
    cases.filter(caption__image=image_id, caption__index=index).update(closed_at=now, decision_id=decision_id)


def _images(items: Collection[int], questions: Collection[int]) -> Mapping[Entry, int]:
    """Return the id of the image that each of these items and verification questions is about."""
    of_items = Item.objects.filter(pk__in=items).values_list("pk", "work__image")
    of_questions = VerificationQuestion.objects.filter(pk__in=questions).values_list("pk", "image")
    return {(ITEM, pk): image for pk, image in of_items} | {
        (QUESTION, pk): image for pk, image in of_questions
    }
