"""Find the workers who support judgments."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from annotation.domain.answers import (
    DRAWS_BOXES,
    Answer,
    BoxesAnswer,
    DrawingAnswer,
    JointStage,
    Stage,
    parse_answer,
)
from annotation.models import Box, Item, Judgment
from workflows.review.domain.support import Said, Supporter, supporters

IDS_AT_ONCE = 10_000
"""Ids in one query. SQLite allows 32,766, and the preview of setting aside may take 30 queries in all."""

AS_TEXT = Cast("answer", TextField())


def supporters_of(judgments: Sequence[int]) -> dict[int, frozenset[Supporter]]:
    """Return the supporters of each of these ordinary judgments (ids), in good standing or not."""
    found: dict[int, frozenset[Supporter]] = {}
    for some in in_parts(judgments):
        found.update(_some(some))
    return found


def in_parts(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield as many of the ids at a time as one query takes."""
    for start in range(0, len(ids), IDS_AT_ONCE):
        yield ids[start : start + IDS_AT_ONCE]


def _some(ids: Sequence[int]) -> Iterator[tuple[int, frozenset[Supporter]]]:
    columns = ("pk", "worker_id", "item__stage", AS_TEXT, "item_id", "item__chain_id", "item__visit")
    rows = Judgment.objects.filter(pk__in=ids).order_by("pk").values_list(*columns)
    own = [(pk, Said(worker, _answer(stage, text), stage), *at) for pk, worker, stage, text, *at in rows]
    drawn = {pk for pk, said, *_ in own if _draws(said.answer)}
    # Judgments of the same item never support a box.
    items = {item for pk, _, item, _, _ in own if pk not in drawn}
    same = _said(Q(item__in=items)) if items else {}
    quality = _of_boxes(drawn) if drawn else {}
    none = {pk for pk, said, *_ in own if said.stage in DRAWS_BOXES and pk not in drawn}
    chains = {chain for pk, _, _, chain, _ in own if pk in none}
    following = _following(chains)
    for pk, said, item, chain, visit in own:
        after = quality.get(pk, ()) if pk in quality else following.get((chain, visit + 1), ())
        yield pk, supporters(said, same=same.get(item, ()), after=after)


@lru_cache(maxsize=10_000)
def _answer(stage: str, text: str) -> Answer:
    """Return an answer as it is stored. Most of thousands are one of a few, and to parse one takes long."""
    return parse_answer(stage, json.loads(text))


def _draws(answer: Answer) -> bool:
    """Return whether the answer is a box or several."""
    match answer:
        case DrawingAnswer(box):
            return box is not None
        case BoxesAnswer(boxes):
            return bool(boxes)
    return False


def _said(which: Q, by: str = "item_id") -> dict[int, list[Said]]:
    """Return the judgments that count, by item or by the column `by`."""
    found: dict[int, list[Said]] = defaultdict(list)
    rows = Judgment.objects.filter(which, set_aside__isnull=True, item__isnull=False).order_by("pk")
    for key, stage, worker, text in rows.values_list(by, "item__stage", "worker_id", AS_TEXT):
        found[key].append(Said(worker, _answer(stage, text), stage))
    return found


def _of_boxes(drawn: set[int]) -> dict[int, list[Said]]:
    """Return the judgments of the boxes that these judgments drew, by judgment.

    The boxes are read first: if one query joins boxes to judgments, PostgreSQL reads all items.
    """
    boxes = list(Box.objects.filter(judgment__in=drawn).values_list("pk", flat=True))
    found: dict[int, list[Said]] = defaultdict(list)
    for some in in_parts(boxes):  # an answer may have drawn several
        for judgment, said in _said(Q(item__box__in=some), by="item__box__judgment_id").items():
            found[judgment] += said
    return found


def _following(chains: set[int]) -> dict[tuple[int, int], list[Said]]:
    """Return the judgments on whether a box is missing or required, by chain and visit."""
    if not chains:
        return {}
    rows = Judgment.objects.filter(
        item__chain__in=chains,
        item__stage__in=(Stage.COVERAGE, Stage.REQUIREMENT, JointStage.CHECK),
        set_aside__isnull=True,
    ).exclude(item__state=Item.State.WITHDRAWN)
    found: dict[tuple[int, int], list[Said]] = defaultdict(list)
    columns = ("item__chain_id", "item__visit", "item__stage", "worker_id", AS_TEXT)
    for chain, visit, stage, worker, text in rows.order_by("pk").values_list(*columns):
        found[chain, visit].append(Said(worker, _answer(stage, text), stage))
    return found
