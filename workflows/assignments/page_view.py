"""Shows items and pages to workers: all that the screen needs, and nothing that would give an answer away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.domain.answers import Stage
from annotation.domain.page_entries import ITEM, QUESTION, merge_entries
from annotation.domain.tokens import align
from annotation.image_names import alias_of
from annotation.models import Assignment, Box, Item, Mention, VerificationQuestion
from workflows.batch_settings.selectors import settings_of
from workflows.core.photographs import address_for

SHOWS_BOXES = frozenset({Stage.DRAWING, Stage.QUALITY, Stage.COVERAGE})
"""The stages that show the boxes accepted for the chain so far (section 3.2)."""


def shown_page(assignment: Assignment, *, now: datetime) -> dict[str, Any]:
    """Return the page as the API shows it. Items are named by place: ids would tell them from questions.

    The assignment's batch is read: select it along with the assignment.
    """
    settings = settings_of(assignment.batch)
    return {
        "id": str(assignment.pk),
        "stage": assignment.stage,
        "state": assignment.state if assignment.held is None else Assignment.State.SUBMITTED,
        **lease(assignment.expires_at, now=now),
        "reward": money(assignment.reward, assignment.currency),
        "drawing": {"method": settings.drawing, "minimum_side": settings.minimum_side},
        "items": [
            {"item": place, "question": question}
            for place, question in enumerate(_questions(assignment, now), start=1)
        ],
    }


def lease(end: datetime, *, now: datetime) -> dict[str, Any]:
    """Return the end of a lease, as a time and in seconds from now, since the clocks of phones are wrong."""
    return {"expires_at": end.isoformat(), "expires_in": (end - now).total_seconds()}


def money(amount: int, currency: str) -> dict[str, Any] | None:
    """Return an amount in the currency's smallest unit as the API shows it, or None for 0."""
    return {"amount": amount, "currency": currency} if amount else None


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a screen shows of an item or question. `boxes` are edges in pixels, `box_ids` ids of boxes."""

    image: tuple[int, str, int | None, int | None]  # id, file, width, height
    mentions: Sequence[int]
    boxes: Sequence[list[int]] = ()
    box_ids: Sequence[int] = ()
    box: Sequence[int] | None = None


_ITEM = (
    *("pk", "mention_a_id", "mention_b_id", "chain__members", "chain__representative_id", "shown"),
    *("box__left", "box__top", "box__right", "box__bottom"),
    *("work__image_id", "work__image__file", "work__image__width", "work__image__height"),
)
_QUESTION = (
    *("pk", "mentions", "boxes", "box"),
    *("image_id", "image__file", "image__width", "image__height"),
)
NONE = 0
"""The id of no row. Django sends no query for an empty list, and the time would tell that it was empty."""


def _questions(assignment: Assignment, now: datetime) -> list[dict[str, Any]]:
    """Return what is asked at each place of the page, items and verification questions in the same way.

    A page with verification questions takes as many queries as one without.
    """
    stage = assignment.stage
    shown: dict[tuple[str, int], _Shown] = {}
    for pk, a, b, members, representative, boxes, *more in Item.objects.filter(
        pk__in=assignment.items or [NONE]
    ).values_list(*_ITEM):
        shown[ITEM, pk] = _Shown(
            image=tuple(more[4:]),
            mentions=_mentions(stage, a, b, members, representative),
            box_ids=boxes,
            box=more[:4],
        )
    for pk, mentions, edges, box, *image in VerificationQuestion.objects.filter(
        pk__in=[question for _, question in assignment.checks] or [NONE]
    ).values_list(*_QUESTION):
        shown[QUESTION, pk] = _Shown(image=tuple(image), mentions=mentions, boxes=edges, box=box)
    entries = [shown[entry] for entry in merge_entries(assignment.items, assignment.checks)]
    return render(stage, entries, worker_id=assignment.worker_id, now=now)


def questions_shown(stage: str, ids: Sequence[int], *, worker_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return the verification questions of these ids, all of one stage, as this worker sees them."""
    rows = VerificationQuestion.objects.filter(pk__in=ids).values_list(*_QUESTION)
    shown = {
        pk: _Shown(image=tuple(image), mentions=mentions, boxes=edges, box=box)
        for pk, mentions, edges, box, *image in rows
    }
    return render(stage, [shown[pk] for pk in ids], worker_id=worker_id, now=now)


def render(stage: str, shown: Sequence[_Shown], *, worker_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return what the API shows of each to this worker; items and questions are both shown in this way."""
    captions = _captions({mention for one in shown for mention in one.mentions})
    boxes = _edges({box for one in shown for box in one.box_ids}) if stage in SHOWS_BOXES else {}
    questions = []
    for one in shown:
        image, file, width, height = one.image
        question: dict[str, Any] = {
            "image": {
                "id": alias_of(image, worker_id=worker_id),
                "url": address_for(file, worker_id=worker_id, now=now),
                "width": width,
                "height": height,
            },
            "captions": [captions[mention] for mention in one.mentions],
        }
        if stage in SHOWS_BOXES:
            question["boxes"] = [*one.boxes, *(boxes[box] for box in one.box_ids)]
        if stage == Stage.QUALITY:
            question["box"] = list(one.box or ())
        questions.append(question)
    return questions


def _mentions(stage: str, a: int, b: int, members: list[int], representative: int) -> list[int]:
    """Return the highlighted mentions: both of a link, all of a chain to verify, else the representative."""
    if stage == Stage.LINK:
        return [a, b]
    return members if stage == Stage.VERIFICATION else [representative]


def _captions(mentions: set[int]) -> dict[int, dict[str, Any]]:
    """Return each mention's caption, cut into pieces at the mention.

    Offsets would not do: browsers count in UTF-16 units, and Python does not.
    """
    rows = Mention.objects.filter(pk__in=mentions).values_list(
        "pk", "start", "end", "caption__index", "caption__text", "caption__tokens"
    )
    captions = {}
    for pk, start, end, index, text, tokens in rows:
        spans = align(text, tokens.split(" "))
        left, right = spans[start][0], spans[end - 1][1]
        pieces = ((text[:left], False), (text[left:right], True), (text[right:], False))
        captions[pk] = {
            "index": index,
            "segments": [{"text": piece, "mention": marked} for piece, marked in pieces if piece],
        }
    return captions


def _edges(boxes: set[int]) -> dict[int, list[int]]:
    """Return the edges (left, top, right, bottom) of these boxes, by id."""
    rows = Box.objects.filter(pk__in=boxes or [NONE]).values_list("pk", "left", "top", "right", "bottom")
    return {pk: edges for pk, *edges in rows}
