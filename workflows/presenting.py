"""What a worker sees of an item: everything the screen needs, and nothing that would give an answer away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.files.storage import default_storage

from annotation.domain.answers import Stage
from annotation.domain.tokens import align
from annotation.models import Assignment, Box, Item, Mention
from workflows.services.batches import settings_of

SHOWS_BOXES = frozenset({Stage.DRAWING, Stage.QUALITY, Stage.COVERAGE})
"""Stages that show the boxes accepted for the chain so far (section 3.2)."""


def page(assignment: Assignment, *, now: datetime) -> dict[str, Any]:
    """The page as the API shows it. Items are named by their place: their ids would tell items apart.

    Reads the assignment's batch: select it along with the assignment.
    """
    settings = settings_of(assignment.batch)
    return {
        "id": str(assignment.pk),
        "stage": assignment.stage,
        "state": assignment.state,
        **lease(assignment.expires_at, now=now),
        "reward": money(assignment.reward, assignment.currency),
        "drawing": {"method": settings.drawing, "minimum_side": settings.minimum_side},
        "items": [
            {"item": place, "question": question}
            for place, question in enumerate(_questions(assignment.stage, assignment.items), start=1)
        ],
    }


def lease(end: datetime, *, now: datetime) -> dict[str, Any]:
    """Until when a page is held; also in seconds from now, since clocks of phones are wrong."""
    return {"expires_at": end.isoformat(), "expires_in": (end - now).total_seconds()}


def money(amount: int, currency: str) -> dict[str, Any] | None:
    """An amount in the currency's smallest unit; None for nothing."""
    return {"amount": amount, "currency": currency} if amount else None


_COLUMNS = (
    *("pk", "chain_id", "mention_a_id", "mention_b_id", "chain__members", "chain__representative_id"),
    *("box__left", "box__top", "box__right", "box__bottom"),
    *("work__image_id", "work__image__file", "work__image__width", "work__image__height"),
    *("visit", "box_id"),
)


def _questions(stage: str, ids: Sequence[int]) -> list[dict[str, Any]]:
    """The questions of these items, in their order: a fixed number of queries a page."""
    rows = {row[0]: row for row in Item.objects.filter(pk__in=ids).values_list(*_COLUMNS)}
    shown = {pk: _mentions(stage, *row[2:6]) for pk, row in rows.items()}
    captions = _captions({mention for mentions in shown.values() for mention in mentions})
    boxes = _accepted([row[1] for row in rows.values()]) if stage in SHOWS_BOXES else {}
    questions = []
    for pk in ids:
        image, file, width, height, visit, new = rows[pk][10:]
        question: dict[str, Any] = {
            "image": {
                "id": image,
                "url": default_storage.url(file) if file else None,
                "width": width,
                "height": height,
            },
            "captions": [captions[mention] for mention in shown[pk]],
        }
        if stage in SHOWS_BOXES:
            # As it was when the item was opened: an old page must not tell what became of its answers.
            earlier = (b for b in boxes.get(rows[pk][1], ()) if b[0] != new and b[1] < visit)
            question["boxes"] = [edges for _, _, edges in earlier]
        if stage == Stage.QUALITY:
            question["box"] = list(rows[pk][6:10])
        questions.append(question)
    return questions


def _mentions(stage: str, a: int, b: int, members: list[int], representative: int) -> list[int]:
    """The highlighted mentions: both of a link, all of a chain to verify, else the representative one."""
    if stage == Stage.LINK:
        return [a, b]
    return members if stage == Stage.VERIFICATION else [representative]


def _captions(mentions: set[int]) -> dict[int, dict[str, Any]]:
    """Each mention's caption, cut at the mention. Pieces, not offsets: browsers count UTF-16, we do not."""
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


def _accepted(chains: Sequence[int]) -> dict[int, list[tuple[int, int, list[int]]]]:
    """By chain: each accepted box's id, the visit that drew it, and its edges."""
    boxes: dict[int, list[tuple[int, int, list[int]]]] = defaultdict(list)
    accepted = Box.objects.filter(chain__in=chains, state=Box.State.ACCEPTED).order_by("pk")
    columns = ("chain_id", "pk", "judgment__item__visit", "left", "top", "right", "bottom")
    for chain, pk, visit, *edges in accepted.values_list(*columns):
        boxes[chain].append((pk, visit, edges))
    return boxes
