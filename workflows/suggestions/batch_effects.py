"""Read what suggestions did in a batch: how long answers took, how good boxes are, and what was accepted."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.answers import DRAWS_BOXES, Answer, JointStage, abstention_of, parse_answer
from annotation.domain.geometry import Box as Rectangle
from annotation.domain.geometry import iou
from annotation.domain.suggested import SuggestedBox, drawn_boxes, rectangle
from annotation.models import Batch, Box, Judgment
from workflows.batch_settings.selectors import settings_of
from workflows.suggestions.domain.effects import BAD_IOU, Drawing, Effects, effects
from workflows.suggestions.selectors import Subject, suggested_to

MAX_ANSWERS = 5000
"""The newest answers that the figures are made of."""


@dataclass(frozen=True, slots=True)
class _Answered:
    id: int
    subject: Subject
    size: tuple[int, int]
    answer: Answer
    seconds: float | None
    worker: int
    shown: int | None  # how many suggestions were shown with it


def effects_of(batch: Batch) -> Effects:
    """Return the figures of the batch, from the answers about chains without an accepted box.

    An answer whose suggestions could not be shown is in no group, since chance did not choose its photograph.
    Six queries, however many answers there are.
    """
    settings = settings_of(batch)
    rows = Judgment.objects.filter(
        item__batch=batch,
        item__stage__in=DRAWS_BOXES,
        item__shown=[],
        set_aside=None,
        assignment__unaided=False,  # whom they were switched off for, chance did not decide
    ).order_by("-pk")
    columns = (
        *("pk", "item__chain__representative_id", "item__work__image_id", "item__work__image__split"),
        *("item__work__image__width", "item__work__image__height", "answer", "seconds", "worker_id"),
        *("item__stage", "suggested"),
    )
    answered = {row[0]: _answered(*row) for row in rows.values_list(*columns)[:MAX_ANSWERS]}
    suggested = suggested_to(
        {pk: one.subject for pk, one in answered.items()}, project_id=batch.project_id, settings=settings
    )
    answered = {pk: one for pk, one in answered.items() if pk not in suggested or one.shown is not None}
    states: dict[int | None, list[tuple[Rectangle, str]]] = defaultdict(list)
    edges = ("left", "top", "right", "bottom")
    boxes = Box.objects.filter(judgment__in=answered, state__in=(Box.State.ACCEPTED, Box.State.REJECTED))
    for judgment, state, *box in boxes.values_list("judgment_id", "state", *edges):
        states[judgment].append((Rectangle(*box), state))
    missing: dict[int | None, bool] = {}
    checks = Judgment.objects.filter(
        item__stage=JointStage.CHECK, item__box__judgment__in=answered, set_aside=None
    )
    for drawn, said in checks.order_by("-pk").values_list("item__box__judgment_id", "answer"):
        missing[drawn] = bool(said["missing"])  # the first check comes last
    drawings = [_drawing(one, suggested.get(pk), states[pk], missing.get(pk)) for pk, one in answered.items()]
    seed = random.Random(f"effects/{settings.seed}")  # the same page each time it is looked at
    return effects(drawings, by_worker(bad_suggestions(batch)), seed)


def _answered(
    pk: int,
    mention: int,
    image: int,
    split: str,
    width: int | None,
    height: int | None,
    answer: dict[str, Any],
    seconds: float | None,
    worker: int,
    stage: str,
    shown: int | None,
) -> _Answered:
    size, said = (width or 1, height or 1), parse_answer(stage, answer)
    return _Answered(pk, Subject(mention, image, split, False), size, said, seconds, worker, shown)


def _drawing(
    one: _Answered,
    suggested: Sequence[SuggestedBox] | None,
    states: Sequence[tuple[Rectangle, str]],
    overlooked: bool | None,
) -> Drawing:
    accepted, adjusted = taken(one.answer, suggested or ())
    state_of = dict(states)
    became = {place: state_of.get(rectangle(box)) for place, box in enumerate(suggested or ())}
    checked = frozenset(place for place in accepted if became[place])
    boxes = [box for box, _ in drawn_boxes(one.answer)]
    area = one.size[0] * one.size[1]
    judged = [state for _, state in states]
    return Drawing(
        image=one.subject.image,
        suggested=None if suggested is None else [box[4] for box in suggested],
        accepted=accepted,
        adjusted=adjusted,
        checked=checked,
        right=frozenset(place for place in checked if became[place] == Box.State.ACCEPTED),
        boxes=len(boxes),
        good=judged.count(Box.State.ACCEPTED),
        judged=len(judged),
        sides=[(box.width * box.height / area) ** 0.5 for box in boxes],
        seconds=one.seconds,
        overlooked=overlooked,
    )


def taken(answer: Answer, suggested: Sequence[SuggestedBox]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the places of the suggestions that are boxes of the answer: unmoved, and moved.

    A box that equals a suggestion without naming it was copied all the same.
    """
    place_of = {rectangle(box): place for place, box in reversed(list(enumerate(suggested)))}
    drawn = drawn_boxes(answer)
    accepted = {place_of[box] for box, _ in drawn if box in place_of}
    moved = {place for box, place in drawn if place is not None and box not in place_of}
    return frozenset(accepted), frozenset(moved - accepted)


@dataclass(frozen=True, slots=True)
class BadSuggestions:
    """What a worker was shown with one verification question: suggestions that are bad."""

    judgment: int
    worker: int
    shown: int
    accepted: int


def bad_suggestions(batch: Batch) -> list[BadSuggestions]:
    """Return the bad suggestions that workers of the batch were shown on known images, the newest first.

    Two queries. Questions with which none was shown are left out.
    """
    rows = Judgment.objects.filter(
        assignment__batch=batch, question__stage__in=DRAWS_BOXES, question__boxes=[], suggested__gt=0
    ).order_by("-pk")
    columns = ("question__mentions", "question__image_id", "question__image__split", "question__stage")
    answers = list(rows.values_list("pk", *columns, "question__answer", "answer", "worker_id")[:MAX_ANSWERS])
    subjects = {pk: Subject(mentions[0], image, split, False) for pk, mentions, image, split, *_ in answers}
    suggested = suggested_to(subjects, project_id=batch.project_id, settings=settings_of(batch))
    found = []
    for pk, _, _, _, stage, truth, answer, worker in answers:
        if abstention_of(answer):
            continue
        known = [Rectangle(*box) for box in _boxes(truth)]
        said = parse_answer(stage, answer)
        shown = suggested.get(pk, [])
        bad = {
            place
            for place, box in enumerate(shown)
            if all(iou(rectangle(box), one) < BAD_IOU for one in known)
        }
        if bad:
            accepted, _moved = taken(said, shown)
            found.append(BadSuggestions(pk, worker, len(bad), len(bad & accepted)))
    return found


def by_worker(found: Iterable[BadSuggestions]) -> dict[int, tuple[int, int]]:
    """Return by worker how many bad suggestions were shown, and how many were accepted."""
    sums: dict[int, tuple[int, int]] = {}
    for one in found:
        shown, accepted = sums.get(one.worker, (0, 0))
        sums[one.worker] = (shown + one.shown, accepted + one.accepted)
    return sums


def _boxes(answer: dict[str, Any]) -> list[list[int]]:
    """Return the known boxes of a question's answer, which has them bare or as workers give them."""
    return [one["box"] if isinstance(one, dict) else one for one in answer.get("boxes", [])]
