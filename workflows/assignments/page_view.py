"""Shows items and pages to workers: all that the screen needs, and nothing that would give an answer away."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import orjson
from django.db import connection

from annotation.domain.answers import CAMPAIGN_STAGES, SHOWS_BOXES, CampaignStage, JointStage, Stage
from annotation.domain.page_entries import ITEM, QUESTION, merge_entries
from annotation.domain.suggested import SuggestedBox
from annotation.domain.tokens import align
from annotation.image_names import alias_of
from annotation.models import Assignment, Box
from annotation.selectors import boxes_to_check, points_to_look_at
from workflows.batch_settings.domain.settings import BatchSettings, most_unsure, shows_suggestions
from workflows.batch_settings.selectors import settings_of
from workflows.core.photographs import address_for, renditions_for
from workflows.instructions.selectors import shown_to_worker
from workflows.money.page_times import usual_times
from workflows.suggestions.selectors import Subject, suggested_to


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
        "usual_seconds": _usual_seconds(assignment),
        "drawing": {"method": settings.drawing, "minimum_side": settings.minimum_side},
        **how_a_check_begins(settings, assignment.stage),
        "unsure": most_unsure(settings, assignment.stage, len(assignment.items) + len(assignment.checks)),
        "instructions": shown_to_worker(assignment.instructions_id, worker_id=assignment.worker_id, now=now),
        "items": [
            {"item": place, "question": question}
            for place, question in enumerate(_questions(assignment, now), start=1)
        ],
    }


def how_a_check_begins(settings: BatchSettings, stage: str) -> dict[str, Any]:
    """Return the fields that a page or a test has in the stage `check` alone."""
    return {"check": asdict(settings.check)} if stage == JointStage.CHECK else {}


def _usual_seconds(assignment: Assignment) -> float:
    """Return how long a page with so many items usually takes."""
    items = len(assignment.items) + len(assignment.checks)
    full = settings_of(assignment.batch).items_a_page[assignment.stage]
    whole = usual_times(assignment.batch)[assignment.stage].seconds
    return round(whole * min(1.0, items / full), 1)


def lease(end: datetime, *, now: datetime) -> dict[str, Any]:
    """Return the end of a lease, as a time and in seconds from now, since the clocks of phones are wrong."""
    return {"expires_at": end.isoformat(), "expires_in": (end - now).total_seconds()}


def money(amount: int, currency: str) -> dict[str, Any] | None:
    """Return an amount in the currency's smallest unit as the API shows it, or None for 0."""
    return {"amount": amount, "currency": currency} if amount else None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen shows of an item or question. `boxes` are edges in pixels, `box_ids` ids of boxes."""

    image: tuple[int, str, int | None, int | None, str | None]  # id, file, width, height, renditions as JSON
    mentions: Sequence[int]
    boxes: Sequence[list[int]] = ()
    box_ids: Sequence[int] = ()
    box: Sequence[int] | None = None
    new_boxes: Sequence[list[int]] = ()
    points: Sequence[list[int]] = ()
    # In campaigns: whole captions, by their texts or ids, and what language they are in. In `writing`, the
    # only text is a sentence to correct.
    texts: Sequence[str] = ()
    captions: Sequence[int] = ()
    language: str = ""
    split: str = ""
    suggested: Sequence[SuggestedBox] | None = None  # boxes of a model; None: the batch shows none


# These statements are written by hand, as those of `item_queue`: they run for every page that is claimed, and
# building them from querysets takes longer than running them.
_ITEMS = """
SELECT item.id, item.mention_a_id, item.mention_b_id, chain.members, chain.representative_id, item.shown,
    box."left", box.top, box."right", box.bottom,
    image.id, image.file, image.width, image.height, image.renditions,
    project.language, item.captions, written.answer, image.split
FROM annotation_item AS item
JOIN annotation_imagework AS work ON work.id = item.work_id
JOIN annotation_image AS image ON image.id = work.image_id
JOIN annotation_project AS project ON project.id = image.project_id
LEFT JOIN annotation_chain AS chain ON chain.id = item.chain_id
LEFT JOIN annotation_box AS box ON box.id = item.box_id
LEFT JOIN annotation_judgment AS written ON written.id = item.written_id
WHERE item.id IN ({ids})
"""
_QUESTIONS = """
SELECT question.id, question.mentions, question.boxes, question.box, question.new_boxes,
    question.points,
    image.id, image.file, image.width, image.height, image.renditions,
    project.language, question.captions, image.split
FROM annotation_verificationquestion AS question
JOIN annotation_image AS image ON image.id = question.image_id
JOIN annotation_project AS project ON project.id = image.project_id
WHERE question.id IN ({ids})
"""
_CAPTIONS = """
SELECT mention.id, mention.start, mention."end", caption."index", caption.text, caption.tokens,
    project.language
FROM annotation_mention AS mention
JOIN annotation_caption AS caption ON caption.id = mention.caption_id
JOIN annotation_image AS image ON image.id = mention.image_id
JOIN annotation_project AS project ON project.id = image.project_id
WHERE mention.id IN ({ids})
"""
_TEXTS = "SELECT caption.id, caption.text FROM annotation_caption AS caption WHERE caption.id IN ({ids})"
NONE = 0
"""The id of no row: a list without ids takes a query as well, or the time would tell that it was empty."""


def _questions(assignment: Assignment, now: datetime) -> list[dict[str, Any]]:
    """Return the question at each place of the page, items and verification questions in the same way.

    A page with verification questions takes as many queries as one without.
    """
    shown = {(ITEM, pk): item for pk, item in _items(assignment.stage, assignment.items).items()}
    asked = _asked([question for _, question in assignment.checks])
    shown |= {(QUESTION, pk): question for pk, question in asked.items()}
    entries = [shown[entry] for entry in merge_entries(assignment.items, assignment.checks)]
    settings = settings_of(assignment.batch)
    if shows_suggestions(assignment.stage, settings) and not assignment.unaided:
        entries = _with_suggestions(entries, assignment.batch.project_id, settings)
    return render(assignment.stage, entries, worker_id=assignment.worker_id, now=now)


def _items(stage: str, items: Sequence[int]) -> dict[int, Shown]:
    shown = {}
    new_boxes = boxes_to_check(items) if stage == JointStage.CHECK else {}
    points = points_to_look_at(items) if stage == JointStage.BOXES else {}
    for pk, a, b, members, representative, boxes, *more in _rows(_ITEMS, items):
        shown[pk] = Shown(
            image=tuple(more[4:9]),
            mentions=_mentions(stage, a, b, members, representative),
            box_ids=orjson.loads(boxes),
            box=more[:4],
            new_boxes=new_boxes.get(pk, ()),
            points=points.get(pk, ()),
            language=more[9],
            captions=orjson.loads(more[10]),
            texts=[orjson.loads(more[11])["caption"]] if more[11] else (),
            split=more[12],
        )
    return shown


def _with_suggestions(shown: Sequence[Shown], project_id: int, settings: BatchSettings) -> list[Shown]:
    """Return what is shown together with boxes of a model, items and questions alike. One query."""
    subjects = {
        place: Subject(one.mentions[0], one.image[0], one.split, bool(one.boxes or one.box_ids))
        for place, one in enumerate(shown)
    }
    found = suggested_to(subjects, project_id=project_id, settings=settings)
    return [replace(one, suggested=found.get(place, [])) for place, one in enumerate(shown)]


def items_shown(stage: str, ids: Sequence[int], *, worker_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return the items of these ids, all of one stage, as this worker sees them."""
    shown = _items(stage, ids)
    return render(stage, [shown[pk] for pk in ids], worker_id=worker_id, now=now)


def questions_shown(stage: str, ids: Sequence[int], *, worker_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return the verification questions of these ids, all of one stage, as this worker sees them."""
    shown = _asked(ids)
    return render(stage, [shown[pk] for pk in ids], worker_id=worker_id, now=now)


def _asked(questions: Collection[int]) -> dict[int, Shown]:
    return {
        pk: Shown(
            image=tuple(image),
            language=language,
            texts=orjson.loads(captions),
            mentions=orjson.loads(mentions),
            boxes=orjson.loads(edges),
            box=orjson.loads(box) if box else None,
            new_boxes=orjson.loads(new_boxes),
            points=orjson.loads(points),
            split=split,
        )
        for pk, mentions, edges, box, new_boxes, points, *image, language, captions, split in _rows(
            _QUESTIONS, questions
        )
    }


def _rows(sql: str, ids: Collection[int]) -> list[tuple[Any, ...]]:
    """Return the rows of one of the statements above. Columns of JSON are still text."""
    with connection.cursor() as cursor:
        cursor.execute(sql.format(ids=", ".join(str(int(pk)) for pk in ids or [NONE])))
        return list(cursor.fetchall())


def render(stage: str, shown: Sequence[Shown], *, worker_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return what the API shows of each to this worker; items and questions are both shown in this way."""
    if stage in CAMPAIGN_STAGES:
        whole = _whole_captions(shown)
    else:
        captions = _captions({mention for one in shown for mention in one.mentions})
        whole = [[captions[mention] for mention in one.mentions] for one in shown]
    boxes = _edges({box for one in shown for box in one.box_ids}) if stage in SHOWS_BOXES else {}
    # A photograph has one address on a page, even if each new link differs, so that it is not loaded again.
    addresses = {
        file: address_for(file, worker_id=worker_id, now=now) for file in {one.image[1] for one in shown}
    }
    questions = []
    for one, said in zip(shown, whole, strict=True):
        image, file, width, height, renditions = one.image
        url = addresses[file]
        question: dict[str, Any] = {
            "image": {
                "id": alias_of(image, worker_id=worker_id),
                "url": url,
                "width": width,
                "height": height,
                "renditions": renditions_for(file, url, orjson.loads(renditions or "[]")),
            },
            "captions": said,
        }
        if stage in SHOWS_BOXES:
            question["boxes"] = [*one.boxes, *(boxes[box] for box in one.box_ids)]
        if stage == Stage.QUALITY:
            question["box"] = list(one.box or ())
        if stage == JointStage.CHECK:
            question["new_boxes"] = list(one.new_boxes)
        if stage == JointStage.BOXES:
            question["points"] = list(one.points)
        if one.suggested is not None:
            question["suggestions"] = [list(box) for box in one.suggested]
        if stage == CampaignStage.WRITING:
            question["captions"] = []
            question["correct"] = next(iter(one.texts), None)
            question["language"] = one.language
        questions.append(question)
    return questions


def _mentions(stage: str, a: int, b: int, members: str, representative: int) -> list[int]:
    """Return the highlighted mentions: both of a link, all of a chain to verify, else the representative."""
    if stage in CAMPAIGN_STAGES:
        return []
    if stage == Stage.LINK:
        return [a, b]
    return list(orjson.loads(members)) if stage == Stage.VERIFICATION else [representative]


def _whole_captions(shown: Sequence[Shown]) -> list[list[dict[str, Any]]]:
    """Return the captions that each screen shows, numbered by their places.

    Their numbers in the corpus would tell which of them are of one image.
    """
    texts = dict(_rows(_TEXTS, {pk for one in shown for pk in one.captions}))
    return [
        [
            {"index": place, "language": one.language, "segments": [{"text": text, "mention": False}]}
            for place, text in enumerate([*one.texts, *(texts[pk] for pk in one.captions)])
        ]
        for one in shown
    ]


def _captions(mentions: set[int]) -> dict[int, dict[str, Any]]:
    """Return each mention's caption, cut into pieces at the mention.

    Offsets would not do: browsers count in UTF-16 units, and Python does not.
    """
    captions = {}
    for pk, start, end, index, text, tokens, language in _rows(_CAPTIONS, mentions):
        spans = align(text, tokens.split(" "))
        left, right = spans[start][0], spans[end - 1][1]
        pieces = ((text[:left], False), (text[left:right], True), (text[right:], False))
        captions[pk] = {
            "index": index,
            "language": language,
            "segments": [{"text": piece, "mention": marked} for piece, marked in pieces if piece],
        }
    return captions


def _edges(boxes: set[int]) -> dict[int, list[int]]:
    """Return the edges (left, top, right, bottom) of these boxes, by id."""
    rows = Box.objects.filter(pk__in=boxes or [NONE]).values_list("pk", "left", "top", "right", "bottom")
    return {pk: edges for pk, *edges in rows}
