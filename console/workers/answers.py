"""A worker's latest judgments as small pictures, each with its question and outcome."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse

from annotation.domain.answer_labels import label_of
from annotation.domain.answers import DRAWS_BOXES, JointStage, Stage
from annotation.models import Assignment, Box, Caption, Item, Judgment, Mention, VerificationQuestion
from console.common.keyset import first_rows
from console.common.labels import STAGES, say_answer, say_right_answer
from console.common.pictures import Picture, Piece, Shape, cut, picture, shape_of, shapes_of
from workflows.analysis.domain.same_answers import agrees
from workflows.analysis.outcomes import outcomes_of

ENOUGH = 24
"""Judgments to show at once: pages are added until there are this many."""
MAX_PAGES = 12

_RELATED = (
    *("assignment__instructions", "item__work__image", "item__chain__representative__caption", "item__box"),
    *("item__mention_a__caption", "item__mention_b__caption", "item__written", "question__image"),
)


@dataclass(frozen=True, slots=True)
class Tile:
    """One judgment. `outcome` is right, wrong, agreed or not agreed, or '' if it is not known."""

    judgment: Judgment
    stage: str
    picture: Picture
    captions: list[list[Piece]]
    answer: str
    outcome: str
    good: bool
    right_answer: str
    link: str


@dataclass(frozen=True, slots=True)
class Given:
    """Judgments, the newest first; `more` is the id of the page to continue before, or ''."""

    tiles: list[Tile]
    more: str


def given(worker: int, *, before: str = "") -> Given:
    """Return the judgments of the worker's newest pages, or of those before the page `before`.

    They are found by page, which has an index. At most eleven queries. An unknown id starts at the newest.
    """
    pages = Assignment.objects.filter(worker=worker, state=Assignment.State.SUBMITTED)
    if (last := _page(worker, before)) is not None:
        earlier = Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, pk__lt=last.pk)
        pages = pages.filter(earlier, created_at__lte=last.created_at)
    newest, more = first_rows(pages.order_by("-created_at", "-pk"), MAX_PAGES)
    chosen: list[Assignment] = []
    total = 0
    for page in newest:
        chosen.append(page)
        total += len(page.items) + len(page.checks)
        if total >= ENOUGH:
            break
    tiles = tiles_of(Judgment.objects.filter(assignment__in=chosen).order_by("-created_at", "-pk"))
    return Given(tiles, str(chosen[-1].pk) if more or len(chosen) < len(newest) else "")


def _page(worker: int, pk: str) -> Assignment | None:
    try:
        return Assignment.objects.filter(worker=worker, pk=UUID(pk)).first()
    except ValueError:
        return None


def tiles_of(judgments: QuerySet[Judgment]) -> list[Tile]:
    """Return a tile for each of these few judgments, in their order. At most nine queries."""
    rows = list(judgments.select_related(*_RELATED))
    drawn: dict[int | None, list[Box]] = defaultdict(list)
    judged = {row.item.box.judgment_id for row in rows if row.item and row.item.box}
    for box in Box.objects.filter(judgment__in={row.pk for row in rows} | judged).order_by("pk"):
        drawn[box.judgment_id].append(box)
    shown = Box.objects.in_bulk({pk for row in rows if row.item for pk in row.item.shown})
    asked = {pk for row in rows for pk in (row.question.mentions if row.question else _members(row.item))}
    mentions = Mention.objects.select_related("caption").in_bulk(asked)
    judged_captions = {pk for row in rows if row.item for pk in row.item.captions}
    texts = {caption.pk: caption.text for caption in Caption.objects.filter(pk__in=judged_captions)}
    agreed = _agreed(rows, drawn)
    tiles = []
    for row in rows:
        if row.item is not None:
            tile = _of_item(row, row.item, drawn, shown, mentions, agreed.get(row.pk))
            tile.captions.extend([Piece(text)] for text in _whole(row.item, texts))
            tiles.append(tile)
        elif row.question is not None:
            tiles.append(_of_question(row, row.question, mentions))
    return tiles


def _members(item: Item | None) -> list[int]:
    """The mentions that its question was about: of a link the pair, of a chain its verification shows all."""
    if item is None:
        return []
    if item.stage == Stage.LINK:
        return [pk for pk in (item.mention_a_id, item.mention_b_id) if pk is not None]
    if item.chain is None:
        return []
    return list(item.chain.members) if item.stage == Stage.VERIFICATION else [item.chain.representative_id]


def _whole(item: Item, texts: Mapping[int, str]) -> list[str]:
    """The captions that the item of a campaign shows."""
    written = [item.written.answer["caption"]] if item.written is not None else []
    return [*written, *(texts[pk] for pk in item.captions if pk in texts)]


def _of_item(
    row: Judgment,
    item: Item,
    drawn: Mapping[int | None, Sequence[Box]],
    shown: Mapping[int, Box],
    mentions: Mapping[int, Mention],
    agreed: bool | None,
) -> Tile:
    before = (shown[pk] for pk in item.shown if pk in shown)
    shapes = shapes_of(([box.left, box.top, box.right, box.bottom] for box in before), "accepted")
    if item.stage == JointStage.CHECK and item.box is not None:
        of_chain = (box for box in drawn[item.box.judgment_id] if box.chain_id == item.chain_id)
        shapes += [shape_of(box, str(number)) for number, box in enumerate(of_chain, start=1)]
    elif item.box is not None:
        shapes.append(shape_of(item.box, "?"))
    shapes += [shape_of(box, "+") for box in drawn.get(row.pk, ())]
    chain = item.chain_id
    return Tile(
        judgment=row,
        stage=STAGES[item.stage],
        picture=picture(item.work.image, shapes),
        captions=_marked(_members(item), mentions),
        answer=say_answer(item.stage, row.answer),
        outcome="" if agreed is None else "agreed" if agreed else "not agreed",
        good=bool(agreed),
        right_answer="",
        link=reverse("review:chain", args=[chain]) if chain else reverse("review:work", args=[item.work_id]),
    )


def _of_question(row: Judgment, question: VerificationQuestion, mentions: Mapping[int, Mention]) -> Tile:
    stage, shapes = question.stage, shapes_of(question.boxes, "accepted")
    if question.box:
        shapes += _edged(question.box, "proposed", "?")
    shapes += shapes_of(question.new_boxes, "proposed")
    if stage in DRAWS_BOXES:
        shapes += shapes_of(question.answer.get("boxes") or [], "right")
        for one in row.answer.get("boxes", [row.answer]):
            shapes += _edged(one["box"], "new", "+") if one.get("box") else []
    return Tile(
        judgment=row,
        stage=STAGES[stage],
        picture=picture(question.image, shapes),
        captions=[*_marked(question.mentions, mentions), *([Piece(text)] for text in question.captions)],
        answer=say_answer(stage, row.answer),
        outcome="right" if row.is_right else "wrong",
        good=bool(row.is_right),
        right_answer="" if row.is_right else say_right_answer(stage, question.answer),
        link=reverse("questions:question", args=[question.pk]),
    )


def _edged(box: Sequence[int], kind: str, label: str) -> list[Shape]:
    left, top, right, bottom = box
    return [Shape(kind, label, left, top, right, bottom)]


def _marked(ids: Iterable[int], mentions: Mapping[int, Mention]) -> list[list[Piece]]:
    """The captions of these mentions, in pieces; a caption with several of them once."""
    by_caption: dict[int, list[Mention]] = defaultdict(list)
    for pk in ids:
        if pk in mentions:
            by_caption[mentions[pk].caption_id].append(mentions[pk])
    found = []
    for own in by_caption.values():
        caption = own[0].caption
        marks = [(one.start, one.end, Piece("", "own", one.pk)) for one in own]
        found.append(cut(caption.text, caption.tokens, marks))
    return found


def _agreed(rows: Sequence[Judgment], drawn: Mapping[int | None, Sequence[Box]]) -> dict[int, bool]:
    """Of those judgments on which there is more than their own word: whether the outcome was theirs."""
    found = {}
    several: dict[str, list[Judgment]] = defaultdict(list)
    for row in rows:
        if row.item is None or row.set_aside_id is not None:
            continue
        if row.item.stage not in DRAWS_BOXES:
            several[row.item.stage].append(row)
            continue
        states = {box.state for box in drawn.get(row.pk, ())}
        if states and states <= {Box.State.ACCEPTED, Box.State.REJECTED}:
            found[row.pk] = states == {Box.State.ACCEPTED}
    for stage, own in several.items():
        everybody = Judgment.objects.filter(set_aside=None, item__in=[row.item_id for row in own])
        labels = {
            one.item: one.label
            for one in outcomes_of(everybody, stage=stage)
            if one.label is not None and one.answers > 1
        }
        for row in own:
            if (label := labels.get(row.item_id or 0)) is not None:
                found[row.pk] = agrees(stage, label_of(stage, row.answer), label)
    return found
