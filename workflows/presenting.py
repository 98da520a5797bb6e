"""What a worker sees of an item: everything the screen needs, and nothing that would give an answer away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.core.files.storage import default_storage

from annotation.domain.answers import Stage
from annotation.domain.tokens import align
from annotation.models import Assignment, Box, Item, Mention

SHOWS_BOXES = frozenset({Stage.DRAWING, Stage.QUALITY, Stage.COVERAGE})
"""Stages that show the boxes accepted for the chain so far (section 3.2)."""


_COLUMNS = (
    *("mention_a_id", "mention_b_id", "chain__members", "chain__representative_id"),
    *("box__left", "box__top", "box__right", "box__bottom"),
    *("work__image__file", "work__image__width", "work__image__height"),
)


def page(assignment: Assignment) -> dict[str, Any]:
    """The page as the API shows it. Items are named by their place: their ids would tell items apart."""
    return {
        "id": str(assignment.pk),
        "stage": assignment.stage,
        "expires_at": assignment.expires_at.isoformat(),
        "items": [
            {"item": place, "question": question}
            for place, question in enumerate(_questions(assignment.stage, assignment.items), start=1)
        ],
    }


def _questions(stage: str, ids: Sequence[int]) -> list[dict[str, Any]]:
    """The questions of these items, in their order: a fixed number of queries a page."""
    found = Item.objects.select_related("work__image", "chain", "box").only(*_COLUMNS).in_bulk(ids)
    items = [found[pk] for pk in ids]
    shown = {item.pk: _mentions(item) for item in items}
    captions = _captions({mention for mentions in shown.values() for mention in mentions})
    boxes = _accepted([item.chain_id for item in items]) if stage in SHOWS_BOXES else {}
    questions = []
    for item in items:
        image = item.work.image
        question: dict[str, Any] = {
            "image": {
                "id": image.pk,
                "url": default_storage.url(image.file.name) if image.file else None,
                "width": image.width,
                "height": image.height,
            },
            "captions": [captions[mention] for mention in shown[item.pk]],
        }
        if stage in SHOWS_BOXES:
            question["boxes"] = boxes.get(item.chain_id, [])
        if stage == Stage.QUALITY and item.box:
            question["box"] = _edges(item.box)
        questions.append(question)
    return questions


def _mentions(item: Item) -> list[int]:
    """The highlighted mentions: both of a link, all of a chain to verify, else the representative one."""
    if item.chain is None:
        return [pk for pk in (item.mention_a_id, item.mention_b_id) if pk is not None]
    if item.stage == Stage.VERIFICATION:
        return list(item.chain.members)
    return [item.chain.representative_id]


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


def _accepted(chains: Sequence[int | None]) -> dict[int | None, list[list[int]]]:
    boxes: dict[int | None, list[list[int]]] = defaultdict(list)
    for box in Box.objects.filter(chain__in=chains, state=Box.State.ACCEPTED).order_by("pk"):
        boxes[box.chain_id].append(_edges(box))
    return boxes


def _edges(box: Box) -> list[int]:
    return [box.left, box.top, box.right, box.bottom]
